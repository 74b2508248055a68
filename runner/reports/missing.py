"""What is missing from a report's figures: how much from which, and every cause."""

from collections.abc import Iterator

from ..findings import LeftOut, Report


def missing_sentence(report: Report) -> str:
    """How much is missing from which figures."""
    left = report.summary.overall.exclusions
    under = " under the conditions that count" if report.not_compared else ""
    return (
        f"Cells without a result{under}: {left.missing_cells}. Items without a baseline result, out of every paired "
        f"figure: {left.without_baseline}. Items that lack any result, out of the robust rate: {left.incomplete}. "
        f"Items that look fully stable but lack a variant: {left.stable_with_missing}."
    )


def causes(report: Report) -> Iterator[tuple[str, LeftOut]]:
    """Each cause with its condition: the baseline's, those of the conditions in order, those of controls."""
    yield from (("baseline", each) for each in report.baseline_left_out)
    for finding in report.conditions + report.apart:
        yield from ((finding.summary.condition, each) for each in finding.left_out)
    for control in report.controls:
        yield from ((control.response.condition, each) for each in control.left_out)
