"""All items that changed from one run to another: what `compare` shows the first of, without its figures."""

from ..analysis import read_results_of
from ..store.read import StoredRun
from .aligning import align
from .changed import ItemChange, item_changes
from .fairness import is_same_run
from .matching import match_runs


def changed_between(before: StoredRun, after: StoredRun) -> list[ItemChange]:
    """Find the items that changed, among those that both runs hold alike, however fair a comparison of them is.

    Args:
        before: The earlier run; its store must be open.
        after: The later.

    Returns:
        As `item_changes`; none where no item is alike in both.
    """
    results = read_results_of(before, usage=False)
    theirs = results if is_same_run(before, after) else read_results_of(after, usage=False)
    match = match_runs((before, results), (after, theirs))
    return list(item_changes(align(results, theirs, match).counted)) if match.items else []
