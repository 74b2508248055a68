"""A duel whose comparisons were made elsewhere."""

from .comparisons import Comparisons
from .findings import Asked, Duel, Failure, compared, lost

FAILURES = 5
"""Lost queries that are named for each dimension."""


def duel_of(comparisons: Comparisons, *, alpha: float, margin: float) -> Duel:
    """Analyse comparisons made elsewhere.

    Args:
        comparisons: The judgements.
        alpha: Significance level over all dimensions together.
        margin: How far a win rate may lie from ½ and still count as tied.
    """
    judged = {Asked(dimension): pairs for dimension, pairs in comparisons.dimensions.items()}
    failures = {asked.id: tuple(Failure(query) for query in lost(pairs)[:FAILURES]) for asked, pairs in judged.items()}
    return Duel(
        source=comparisons.name,
        candidate=comparisons.contestants.candidate,
        baseline=comparisons.contestants.baseline,
        dimensions=compared(judged, alpha=alpha, margin=margin, failures=failures),
        alpha=alpha,
        margin=margin,
        notes=comparisons.notes,
    )
