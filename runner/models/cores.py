"""How many CPU cores this process may use."""

import os
from pathlib import Path

CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(limit: Path = CPU_LIMIT) -> int:
    """Cores that the scheduler grants, no more than a container's limit; at least 1."""
    granted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(granted, _allowed(limit) or granted)


def threads_for_a_model() -> int:
    """Threads of a local model where the config does not say: all cores but one."""
    return max(1, usable_cores() - 1)


def _allowed(limit: Path) -> int | None:
    """Cores' worth of time that a container may use, by `quota period` in microseconds; None without a limit."""
    try:
        quota, period = limit.read_text().split()
        return max(1, int(quota) // int(period))
    except (OSError, ValueError):  # no cgroup, or `max`
        return None
