"""A report as Markdown that fits a comment on a pull request; foreign text in it is no Markdown."""

from collections.abc import Iterator, Sequence

from ...stats import Estimate
from ..findings import ConditionFinding, FlippedItem, GateResult, LeftOut, Report, StatusCounts
from .controls import control_sentence
from .flips import command_line
from .markdown_text import Block, code, fitted, plain, short, table
from .positions import position_sentence
from .text import how_read, of, p_value, percent, percent_interval, points, points_interval
from .usage import usage_sentences
from .wording import conclusion, method_lines, verdict_words

LIMIT = 65_000
"""Characters of a comment, somewhat less than the 65,536 that GitHub allows."""
NAME, WORDS, SENTENCE, LONGEST_COMMAND = 60, 80, 1200, 300
CONDITIONS_SHARE, GATES_SHARE, OTHERS_SHARE = 0.5, 0.15, 0.1
RANKS = {"regressed": 0, "suggestive": 1, "improved": 1}
EFFECTS = {"fail": "fails", "warn": "warning", "pass": ""}


def report_markdown(report: Report, *, limit: int = LIMIT) -> str:
    """Write a report as Markdown.

    Args:
        report: The report.
        limit: Characters at most, as UTF-16 counts them; what has no room is counted, and said where to find.
    """
    return fitted([*_blocks(report)], limit, _where(report))


def _blocks(report: Report) -> Iterator[Block]:
    yield Block(before=tuple(_head(report)))
    yield from gate_blocks(report.gates)
    if report.summary.overall.baseline_rate.n:
        yield Block(before=tuple(_headline(report)))
        yield from _conditions(report)
    yield from _beside(report)
    yield from _flipped(report)
    yield from _missing(report)
    yield _how_to_read(report)


def _where(report: Report) -> str:
    """The command that shows all of it; without its arguments where these are too long to stand in a comment."""
    source = report.source
    if source.kind == "file":
        return code("prt analyze --json")
    command = command_line("report", source.name, store=source.store)
    return code(command if len(command) <= LONGEST_COMMAND else "prt report")


def _head(report: Report) -> Iterator[str]:
    source = report.source
    named = (source.name, source.model, "" if source.state == "complete" else source.state)
    yield f"### {' · '.join(short(part, NAME) for part in named if part)}"
    yield from ("", f"**{short(conclusion(report), SENTENCE)}**")
    if source.reason:
        yield from ("", short(source.reason, SENTENCE))


def gate_blocks(gates: Sequence[GateResult]) -> Iterator[Block]:
    """What gates say, those that fail first; nothing without gates."""
    if gates:
        rows = [
            (
                short(each.gate, WORDS),
                short(each.subject, NAME),
                " ".join(filter(None, (_strong(each.verdict, each.verdict == "failed"), EFFECTS[each.effect]))),
                short(each.reason, 3 * WORDS),
            )
            for each in gates
        ]
        yield _table(
            "Gates",
            ("gate", "of", "verdict", "why"),
            rows,
            ranks=[("failed", "undecided", "passed").index(each.verdict) for each in gates],
            noun="gate's result",
            share=GATES_SHARE,
        )


def _strong(word: str, strong: bool) -> str:  # noqa: FBT001 - which of the words is bold
    return f"**{word}**" if strong else word


def _headline(report: Report) -> Iterator[str]:
    overall, level = report.summary.overall, f"{100 * report.summary.level:.0f}% interval"
    rows = [("Baseline", overall.baseline_rate)]
    if report.compared:
        rows += [
            ("Robust rate (the original and every variant pass)", overall.robust_rate),
            ("Fully stable (one result under all)", overall.fully_stable),
            ("Pooled flip rate (of paired cells)", overall.pooled_flip_rate),
        ]
    yield ""
    yield from table(("", "rate", level, "n"), [(name, *_rate(figure), _n(figure)) for name, figure in rows])


def _rate(figure: Estimate) -> tuple[str, str]:
    return percent(figure.estimate), percent_interval(figure)


def _n(figure: Estimate) -> str:
    return f"{figure.n:,}" if figure.count is None else of(figure.count, figure.n)


def _conditions(report: Report) -> Iterator[Block]:
    findings = (*report.conditions, *report.apart)
    if not findings:
        return
    heads = ["condition", "verdict", "n", "rate", "change", f"{100 * report.summary.level:.0f}% interval", "p", "Holm"]
    heads += ["flips: to fail", "to pass", "rate"]
    read = report.baseline_statuses is not None
    heads += ["unread", "errors"] if read else []
    yield _table(
        "Each condition against the baseline, on the same items",
        heads,
        [_condition(each, report, read=read) for each in findings],
        ranks=_ranks(findings),
        noun="condition",
        share=CONDITIONS_SHARE,
    )


def _condition(finding: ConditionFinding, report: Report, *, read: bool) -> tuple[str, ...]:
    summary, judged = finding.summary, finding.role == "perturbation"
    word = verdict_words(finding, report) if judged or not summary.n else finding.role
    ways = ("", "") if summary.table is None else (f"{summary.table.pass_to_fail}", f"{summary.table.fail_to_pass}")
    return (
        short(summary.condition, NAME),
        _strong(word, judged and summary.verdict == "regressed"),
        f"{summary.n:,}",
        percent(summary.variant_rate.estimate),
        points(summary.change.estimate),
        points_interval(summary.change),
        p_value(summary.exact.pvalue),
        p_value(summary.holm_p) if judged else "",
        *ways,
        percent(summary.flip_rate.estimate),
        *(_unread(finding.statuses) if read else ()),
    )


def _unread(statuses: StatusCounts | None) -> tuple[str, str]:
    if statuses is None:
        return "", ""
    unread = statuses.unparsed + statuses.truncated + statuses.refused
    return f"{unread:,}", f"{statuses.error + statuses.judge_error:,}"


def _ranks(findings: Sequence[ConditionFinding]) -> list[int]:
    """In which order conditions are taken where there is no room for all: what is proven first, then by size."""
    by_weight = sorted(
        range(len(findings)),
        key=lambda at: (
            RANKS.get(findings[at].summary.verdict, 2) if findings[at].role == "perturbation" else 3,
            -abs(findings[at].summary.change.estimate or 0.0),
        ),
    )
    ranks = [0] * len(findings)
    for rank, at in enumerate(by_weight):
        ranks[at] = rank
    return ranks


def _beside(report: Report) -> Iterator[Block]:
    """What the averages of single conditions do not show, a line each."""
    lines = []
    if report.positions is not None:
        lines.append(f"- Positions: {short(position_sentence(report.positions), SENTENCE)}")
    lines += [f"- {_noise(each)}" for each in report.conditions if _noise(each)]
    for control in report.controls:
        said = control_sentence(control)
        lines.append(f"- Control {short(control.response.condition, NAME)}: {short(said, SENTENCE)}")
    if report.correction is not None:
        lines += [
            f"- Corrected for the judge's error, {short(each.condition, NAME)}: {percent(each.corrected.estimate)} "
            f"({percent_interval(each.corrected)}, n {each.judged.n:,}) instead of {percent(each.judged.estimate)}"
            for each in report.correction.rates
        ]
    if report.usage is not None:
        lines += [f"- {short(sentence, SENTENCE)}" for sentence in usage_sentences(report.usage)]
    if lines:
        yield Block(before=("",), lines=tuple(lines), noun="line", share=OTHERS_SHARE)


def _noise(finding: ConditionFinding) -> str:
    """A condition's flips beyond their noise floor; empty where nothing was asked twice."""
    summary, name = finding.summary, short(finding.summary.condition, NAME)
    if summary.churn is not None and summary.churn.flip_rate.n:
        flips, caused = summary.churn.flip_rate, summary.churn.caused
        floors = (summary.churn.baseline_floor.estimate, summary.churn.variant_floor.estimate)
        said = " and ".join(percent(floor) for floor in floors)
        return (
            f"Noise floor of {name}: {percent(flips.estimate)} flips, {said} between runs of one prompt, "
            f"{points(caused.estimate)} points caused by the wording (n {flips.n:,})"
        )
    if summary.excess is not None and summary.excess.n:
        beyond = summary.excess.excess
        return (
            f"Noise floor of {name}: {percent(summary.excess.variant_flips.estimate)} flips, "
            f"{percent(summary.excess.rerun_flips.estimate)} of the original asked again, {points(beyond.estimate)} "
            f"points beyond it ({points_interval(beyond)}, n {summary.excess.n:,})"
        )
    return ""


def _flipped(report: Report) -> Iterator[Block]:
    if report.flipped:
        yield _table(
            "Items that flip most",
            ("item", "flips", "condition", "right", "baseline", "under the condition"),
            [_item(each) for each in report.flipped],
            noun="item",
            share=OTHERS_SHARE,
            folded=True,
        )


def _item(each: FlippedItem) -> tuple[str, ...]:
    answers = (
        f"{ {True: 'pass', False: 'fail', None: 'none'}[answer.passed] }: {short(how_read(answer), WORDS)}"
        for answer in (each.baseline, each.variant)
    )
    flips = f"{each.flips} of {each.compared}"
    return short(each.item_id, NAME), flips, short(each.condition, NAME), short(each.gold, WORDS), *answers


def _missing(report: Report) -> Iterator[Block]:
    exclusions = report.summary.overall.exclusions
    causes = [("baseline", each) for each in report.baseline_left_out]
    causes += [(each.summary.condition, cause) for each in report.conditions + report.apart for cause in each.left_out]
    causes += [(each.response.condition, cause) for each in report.controls for cause in each.left_out]
    if not causes and not exclusions.missing_cells:
        return
    said = (
        f"Items without a baseline result: {exclusions.without_baseline:,}. Items that lack any result, out of the "
        f"robust rate: {exclusions.incomplete:,}. Items that look fully stable but lack a variant: "
        f"{exclusions.stable_with_missing:,}."
    )
    title = f"What is missing: {exclusions.missing_cells:,} cells without a result"
    yield Block(
        before=("", f"<details><summary>{title}</summary>", "", said, ""),
        lines=tuple(f"- {short(condition, NAME)}: {_cause(cause)}" for condition, cause in causes),
        after=("", "</details>"),
        noun="cause",
        share=OTHERS_SHARE,
    )


def _cause(cause: LeftOut) -> str:
    reason = f" ({short(cause.reason, 2 * WORDS)})" if cause.reason else ""
    return f"{cause.n:,} {plain(cause.cause.replace('_', ' '))}{reason}"


def _how_to_read(report: Report) -> Block:
    lines = (*(method_lines(report) if report.summary.overall.baseline_rate.n else ()), *report.notes)
    where = ("", f"All of it: {_where(report)}")
    if not lines:
        return Block(before=where)
    return Block(
        before=("", "<details><summary>How to read this</summary>", ""),
        lines=tuple(f"- {short(line, SENTENCE)}" for line in lines),
        after=("", "</details>", *where),
        noun="note",
    )


def _table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    noun: str,
    ranks: Sequence[int] = (),
    share: float = 1.0,
    folded: bool = False,
) -> Block:
    head, rule, *lines = table(heads, rows)
    before = ("", f"<details><summary>{title}</summary>", "") if folded else ("", f"**{title}**", "")
    return Block(
        before=(*before, head, rule),
        lines=tuple(lines),
        ranks=tuple(ranks),
        after=("", "</details>") if folded else (),
        noun=noun,
        share=share,
    )
