"""Finding the run that a person means, by id, baseline, name or the beginning of an id."""

from collections.abc import Sequence

from ..errors import UsageError
from ..problems import did_you_mean, quoted
from .baselines import LATEST, find_baseline, list_baselines
from .database import Store
from .runs import PRUNED, RunRecord, list_runs


def find_run(store: Store, wanted: str) -> RunRecord:
    """Find the run that a person means.

    Args:
        store: The results database.
        wanted: `latest`, an id, the name of a baseline, the name of a run (its newest is meant), or the beginning of
            an id; the first of these that fits.

    Raises:
        UsageError: No run, or more than one, fits.
    """
    listed = list_runs(store)
    refuse_pruned(store, next((run for run in listed if run.id == wanted), None))
    every = [run for run in listed if run.state != PRUNED]
    if not every:
        raise UsageError(f"{store.place}: there are no runs in it yet; `prt run` makes one.")
    if wanted == LATEST:
        return every[0]
    baseline = find_baseline(store, wanted)
    pinned = [] if baseline is None else [baseline.run]
    of_id, of_name = ([run for run in every if getattr(run, field) == wanted] for field in ("id", "name"))
    if exact := of_id or pinned or of_name:
        return exact[0]
    fitting = [run for run in every if wanted and run.id.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    pins = [each.name for each in list_baselines(store)]
    raise UsageError(f"{store.place}: {unfound(wanted, fitting, every, pins)}; `prt runs` lists them all.")


def refuse_pruned(store: Store, run: RunRecord | None) -> None:
    """Refuse a run of which nothing is left but its row.

    Raises:
        UsageError: It is one.
    """
    if run is not None and run.state == PRUNED:
        raise UsageError(
            f"{store.place}: of {run.id} nothing is left to be read: {run.reason}; "
            "`prt trend` has the figures of its night"
        )


def unfound(
    wanted: str, fitting: Sequence[RunRecord], every: Sequence[RunRecord], baselines: Sequence[str] = ()
) -> str:
    """Say why a text names no single run."""
    if fitting:
        ids = ", ".join(run.id for run in fitting[:5])
        return (
            f"{quoted(wanted)} fits {len(fitting)} runs ({ids}{', …' if len(fitting) > 5 else ''}); give more of the id"
        )
    names = [*baselines, *(text for run in every for text in (run.name, run.id))]
    return f"there is no run {quoted(wanted)}" + did_you_mean(wanted, names)
