"""Who works on a run: a sign of life every few seconds, so that no second process asks the same cells meanwhile.

A process that is known to be dead, or gives no sign for a while, has let go: a crash never locks a run for long.
"""

import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, update

from .database import Store
from .errors import Refused
from .schema import runs

LEASE = timedelta(seconds=15)
SIGN_OF_LIFE = timedelta(seconds=4)


def is_worked_on(store: Store, run: Mapping[str, Any]) -> bool:
    """Whether a living process other than this one works on a run.

    Args:
        store: The results database.
        run: The run's `state`, `owner` and `alive_at`.
    """
    if run["state"] != "running" or run["owner"] == store.owner:
        return False
    return store.now() - run["alive_at"] <= LEASE and not is_dead(run["owner"], store.owner)


def refuse_if_worked_on(store: Store, run: Mapping[str, Any]) -> None:
    """Refuse a run that another process works on: both would ask, and pay for, the same cells."""
    if not is_worked_on(store, run):
        return
    age_s = (store.now() - run["alive_at"]).total_seconds()
    # Where a clock was set back, the last sign of life lies ahead.
    when = f"{age_s:.0f} s ago" if age_s >= 0 else f"{-age_s:.0f} s from now, by this machine's clock"
    raise Refused(
        f"the run {run['id']} is being worked on by another process ({run['owner']}, last sign of life "
        f"{when}); let it finish, or start an independent run by `--fresh`. "
        f"If that process is gone, the run can be resumed in {LEASE.total_seconds() - age_s:.0f} s."
    )


def is_dead(owner: str, own: str) -> bool:
    """Whether the owner was a process of this host that is gone; False where that can't be told."""
    host, _, pid = owner.rpartition(":")
    if host != own.rpartition(":")[0] or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def give_sign_of_life(connection: Connection, store: Store, run: int) -> None:
    """Say that this process still works on a run."""
    connection.execute(update(runs).where(runs.c.number == run).values(owner=store.owner, alive_at=store.now()))
