"""Results that were made elsewhere to a report; nothing of models, graders and stores is needed for it."""

from ..stats import summarise
from .findings import REPORT_SCHEMA_VERSION, ConditionFinding, Report, Source
from .headline import not_compared, summarise_headline
from .results.table import ResultsTable


def analyse_table(table: ResultsTable, *, alpha: float, margin: float) -> Report:
    """Analyse results that were made elsewhere.

    Args:
        table: The results.
        alpha: Significance level.
        margin: The largest drop that would not matter, as a rate.

    Returns:
        The report; there are no prompts to show.
    """
    outcomes = table.outcomes()
    headline = [name for name in outcomes.variants if name not in table.reruns]
    summary = summarise_headline(outcomes, headline, table.reruns, alpha=alpha, margin=margin)
    apart = summarise(outcomes.select(table.reruns), alpha=alpha, margin=margin)
    return Report(
        schema_version=REPORT_SCHEMA_VERSION,
        source=Source(kind="file", name=table.name, dataset_sha256=table.sha256),
        summary=summary,
        conditions=tuple(ConditionFinding("perturbation", each) for each in summary.conditions),
        not_compared=not_compared(summary),
        apart=tuple(ConditionFinding("rerun", each) for each in apart.conditions),
        notes=table.notes,
    )
