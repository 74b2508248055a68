"""A duel as Markdown, for a comment on a pull request; foreign text is escaped, so that none of it is Markdown."""

from collections.abc import Iterator

from ..duel.findings import Change, Dimension, Duel
from .duel import (
    JUDGE_LEGEND,
    ROWS_LEGEND,
    bias,
    cut,
    in_orders,
    level,
    near_changes,
    queries,
    rows_cells,
    shares,
    verdict_legend,
    warnings,
)
from .markdown_text import Row, plain, table
from .text import p_value, percent, percent_interval, points

JUDGE_HEADS = ("judge", "incomplete", "inconsistent", "first", "second", "p", "advantage", "bias")
ROWS_HEADS = ("bootstrap", "over rows", "n", "would say", "over queries", "n", "verdict")


def duel_markdown(duel: Duel) -> str:
    """Write a duel as Markdown."""
    return "\n".join(_lines(duel)) + "\n"


def _lines(duel: Duel) -> Iterator[str]:
    yield f"## {plain(duel.candidate)} against {plain(duel.baseline)}"
    yield ""
    yield plain(duel.source)
    for name, value in duel.facts:
        yield f"<br>{plain(name)}: {plain(value)}"
    yield ""
    yield from table(
        (
            "dimension",
            "verdict",
            "candidate",
            "baseline",
            "tie",
            "win rate",
            f"{level(duel)} interval",
            "p (Holm)",
            "n",
        ),
        [_verdict(each) for each in duel.dimensions],
    )
    yield from ("", verdict_legend(duel), "")
    if judged := in_orders(duel):
        yield from table(JUDGE_HEADS, [_judge(each) for each in judged])
        yield from ("", JUDGE_LEGEND, "")
        yield from table(ROWS_HEADS, [(plain(each.asked.id), *rows_cells(each), each.found.verdict) for each in judged])
        yield from ("", ROWS_LEGEND, "")
    yield from (f"- {plain(sentence)}" for sentence in (*warnings(duel), *duel.notes))
    for each in duel.dimensions:
        yield from _failures(each)
    if duel.changes:
        yield from ("", "### What the candidate says otherwise", "", "~~only the baseline~~ **only the candidate**")
        for change in duel.changes:
            yield from ("", f"*{plain(change.part)}*", "", _change(change))


def _verdict(each: Dimension) -> Row:
    found = each.found
    rate = (percent(found.rate.estimate), percent_interval(found.rate), p_value(found.holm_p), str(found.n))
    return (plain(each.asked.id), found.verdict, *shares(each), *rate)


def _judge(each: Dimension) -> Row:
    found, place = each.found, each.found.position
    counts = (found.incomplete, found.inconsistent, place.favouring_first, place.favouring_second)
    bar = (p_value(place.exact.pvalue), points(place.advantage.estimate), bias(each))
    return (plain(each.asked.id), *map(str, counts), *bar)


def _failures(each: Dimension) -> Iterator[str]:
    if not each.failures:
        return
    found = each.found
    yield from ("", f"### {plain(each.asked.id)}: lost {found.losses} of {queries(found.n)}, won {found.wins}", "")
    if each.asked.description:
        yield from (plain(each.asked.description), "")
    if not any(failure.candidate or failure.baseline for failure in each.failures):
        yield ", ".join(plain(failure.query) for failure in each.failures)
        return
    rows = [
        [
            plain(cut(text))
            for text in (lost.query, lost.question, lost.candidate, lost.baseline, " · ".join(lost.reasons))
        ]
        for lost in each.failures
    ]
    yield from table(("query", "asked", "candidate", "baseline", "why"), rows)


def _change(change: Change) -> str:
    wrapped = {"equal": ("", ""), "delete": ("~~", "~~"), "insert": ("**", "**")}
    parts = []
    for kind, words in near_changes(change.marks):
        before, after = wrapped[kind]
        bare = words.strip()
        start = words[: len(words) - len(words.lstrip())]
        end = words[len(words.rstrip()) :] if bare else ""
        parts.append(start + (f"{before}{plain(bare)}{after}" if bare else "") + end)
    return "".join(parts).strip()
