"""What a run tells the log: how it begins and ends, and each kind of failure once at first and once with its count."""

import logging
from dataclasses import asdict

from ..logs import event, shown
from .summary import RunSummary

LOG = logging.getLogger(__name__)
NOT_LOGGED = ("by_status", "judging")
OF_JUDGE = ("calls", "unanswered", "prompt_tokens", "completion_tokens")


def log_begun(run: str, *, model: str, cells: int, store: str) -> None:
    """A run begins or goes on."""
    LOG.info("run begins", extra=event(run=run, model=model, cells=cells, store=store))


def log_ended(run: str, summary: RunSummary) -> None:
    """A run has ended."""
    figures = {name: value for name, value in asdict(summary).items() if name not in NOT_LOGGED}
    figures["elapsed_s"] = round(summary.elapsed_s, 3)
    if summary.judging is not None:
        figures |= {f"judge_{name}": getattr(summary.judging, name) for name in OF_JUDGE}
    LOG.info("run ended", extra=event(run=run, **figures, **{f"cells_{k}": n for k, n in summary.by_status.items()}))


def log_first_failure(kind: str, *, item: str, condition: str, error: str) -> None:
    """A failure of a kind that has not been seen before."""
    LOG.warning("first failure of its kind", extra=shown(kind=kind, item=item, condition=condition, error=error))


def log_failures(kind: str, *, cells: int, first: str) -> None:
    """All failures of a kind."""
    LOG.warning("failures", extra=shown(kind=kind, cells=cells, first=first))


def log_batch_sent(batch: str, *, requests: int, size: int) -> None:
    """A batch was sent."""
    LOG.info("batch sent", extra=event(batch=batch, requests=requests, bytes=size))


def log_batch_ended(batch: str, status: str, *, requests: int, answered: int, failed: int, unread: int) -> None:
    """A batch has ended, and what came of it is stored."""
    figures = {"requests": requests, "answered": answered, "failed": failed, "unread": unread}
    LOG.info("batch ended", extra=event(batch=batch, status=status, **figures))
