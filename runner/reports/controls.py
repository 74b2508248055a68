"""The controls, for the terminal: do the answers follow where another one is right? And a warning where they don't."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import ControlResponse, Estimate
from ..findings import ControlFinding, Report
from ..problems import counted
from .tables import narrow_table
from .text import of, percent, percent_interval, visible

KEPT = 0.5
HEADING = "\nControls: the question is changed and with it the right answer; no figure above counts them"


def controls(report: Report) -> Iterator[RenderableType]:
    """Show for each control what becomes of the answers, and what may be said of it."""
    if not report.controls:
        return
    yield Text(HEADING, style="bold")
    for finding in report.controls:
        yield Text(f"{visible(finding.response.condition)}: {control_sentence(finding)}")
    measured = [each for each in report.controls if each.response.n]
    if measured:
        yield _shares(measured, f"{100 * report.summary.level:.0f}% interval")
        yield Text(basis(measured))


def control_sentence(finding: ControlFinding) -> str:
    """What becomes of the answers, and how many replies gave none; or that nothing was asked."""
    if finding.applied_to_none:
        return "it applied to no item."
    return f"{response_sentence(finding.response)}{unread_sentence(finding)}"


def response_sentence(response: ControlResponse) -> str:
    """`of 31 items answered rightly before, 24 (77.4%, 60.2 to 88.6) follow the change, 5 …`, and what that means."""
    if not response.n:
        return "no item has an answer that was read under the baseline and under the control."
    said = [f"of {counted(response.right_before, 'item')} answered rightly before, {followed(response)}."]
    match response.verdict:
        case "too_few":
            said.append("Too few for a verdict: it takes 10 items, of as many clusters.")
        case "stays":
            said.append("Most answers stay what they were.")
        case "fails":
            said.append("Most right answers are lost.")
        case "follows":
            said.append("The answers follow what is asked.")
        case "unclear":
            said.append("Whether the answers follow what is asked is not shown.")
    return " ".join(said)


def unread_sentence(finding: ControlFinding) -> str:
    """How many replies to the control gave no readable answer; empty where all did."""
    statuses = finding.statuses
    unread = statuses.unparsed + statuses.truncated + statuses.refused
    replies = unread + statuses.graded
    return f" {unread} of {replies} replies could not be read." if unread else ""


def followed(response: ControlResponse) -> str:
    """How many right answers follow the change, and how many stay."""
    if not response.right_before:
        return "none can follow"
    follow = f"{share(response.follows)} follow the change"
    if response.keeps is None:
        return follow
    kept = percent(response.keeps.estimate) if response.keeps.count is None else str(response.keeps.count)
    return f"{follow}, {kept} still give the old answer"


def share(figure: Estimate) -> str:
    """`24 (77.4%, 60.2 to 88.6)`; without the count where the figure is no share of counted items."""
    shown = f"{percent(figure.estimate)}, {percent_interval(figure)}"
    return shown if figure.count is None else f"{figure.count} ({shown})"


def control_warning(report: Report) -> str:
    """Say in the headline that answers don't follow a change of the right one; empty where none is shown to stay."""
    responses = [each.response for each in report.controls]
    stays = next((each for each in responses if each.verdict == "stays"), None)
    if stays is not None and stays.same is not None:
        ignores = (
            "its robustness may mean that it ignores the question"
            if looks_robust(report)
            else "it seems to ignore the question"
        )
        old = f"The model gives the old answer to questions whose right answer changed in {share_of(stays.same)}"
        return f"{old}: {ignores}."
    fails = next((each for each in responses if each.verdict == "fails"), None)
    if fails is not None:
        return (
            f"Where another answer is right than before, only {share_of(fails.follows)} of the items answered rightly "
            "are still answered rightly: right answers may owe little to what is asked."
        )
    return ""


def looks_robust(report: Report) -> bool:
    """Whether any robustness was found: at least half of what the baseline passes, passes under every variant too."""
    baseline, robust = report.summary.overall.baseline_rate.estimate, report.summary.overall.robust_rate.estimate
    return bool(report.compared and baseline and robust) and (robust or 0.0) >= KEPT * (baseline or 0.0)


def share_of(figure: Estimate) -> str:
    """`40 of 44 (90.9%, 78.8 to 96.4)`."""
    shown = f"{percent(figure.estimate)}, {percent_interval(figure)}"
    return f"{shown} of {figure.n}" if figure.count is None else f"{of(figure.count, figure.n)} ({shown})"


def _shares(findings: list[ControlFinding], level: str) -> Table:
    table = narrow_table()
    table.add_column("control", overflow="fold")
    table.add_column("items", no_wrap=True)
    for heading in ("n", "right now", level, "old answer", level):
        table.add_column(heading, justify="right", no_wrap=True)
    for finding in findings:
        response = finding.response
        name = Text(visible(response.condition))
        table.add_row(name, "all", str(response.n), *_figures(response.right), *_figures(response.same))
        before = (*_figures(response.follows), *_figures(response.keeps))
        table.add_row("", "right before", str(response.right_before), *before)
    return table


def _figures(figure: Estimate | None) -> tuple[str, str]:
    return (percent(None), "") if figure is None else (percent(figure.estimate), percent_interval(figure))


def basis(findings: list[ControlFinding]) -> str:
    """Say over what the figures are, by which method, and what is not known."""
    first = findings[0].response
    said = (
        "right now: by the answer that is right after the change; old answer: the same as to the original, right or "
        f"wrong. Over items whose answers were read under both. Intervals: {first.right.method}."
    )
    if any(each.response.same is None for each in findings):
        said += " The grader does not tell what a wrong answer was, so that some answers can't be compared."
    return said
