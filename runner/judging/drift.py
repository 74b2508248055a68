"""Drift of a judge: its verdicts on fixed answers now, beside those of an earlier calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pydantic import JsonValue as Json

from ...stats import (
    Estimate,
    HypothesisTest,
    PairedTable,
    clustered_newcombe_interval,
    clustered_rate_interval,
    fewest_flips,
    flip_rate,
    mcnemar_exact,
    newcombe_interval,
    signflip_exact,
)
from ..errors import DatasetError, Problem
from ..problems import counted, raise_problems
from .calibration import Figures, Judgement, Kept, Saved, figures_of, judged_labels
from .labels import Labels


@dataclass(frozen=True, slots=True)
class Changed:
    """An answer on which the judge says otherwise now.

    Attributes:
        then: What the calibration kept of it.
        now: What the judge made of it now.
    """

    then: Kept
    now: Judgement


@dataclass(frozen=True, slots=True)
class Drift:
    """A judge then and now.

    Attributes:
        calibration: The calibration file, as the user named it.
        anchors: The file of fixed answers.
        judge_then: The judge of the calibration, in words; empty where it is not known.
        judge_now: The judge now, in words; empty where its verdicts were made elsewhere.
        same_judge: Whether the two are set up alike; None where that is not known.
        table: Verdicts then (as baseline) and now, over the answers that have both.
        items: Different items among these.
        changed: Share of verdicts that changed, either way.
        shift: Passes now − passes then, as a difference of rates.
        test: Exact McNemar test of no shift.
        alpha: Significance level; intervals are of level 1 − alpha.
        fewest: Fewest changes, all one way, that can reach it.
        then: Agreement with people in the calibration, on the answers that have both verdicts.
        now: The same now.
        lost: Answers with a verdict then and none now.
        gained: Answers with a verdict now and none then.
        without_either: Answers without a verdict then and now.
        only_then: Answers of the calibration that the anchors lack.
        only_now: Anchors that the calibration lacks.
        changes: Each changed verdict, in the order of the anchors.
        notes: What the user should read.
    """

    calibration: str
    anchors: str
    judge_then: str
    judge_now: str
    same_judge: bool | None
    table: PairedTable
    items: int
    changed: Estimate
    shift: Estimate
    test: HypothesisTest
    alpha: float
    fewest: int
    then: Figures
    now: Figures
    lost: int
    gained: int
    without_either: int
    only_then: int
    only_now: int
    changes: tuple[Changed, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether the judge passes more, or fewer, than it did."""
        return self.test.pvalue is not None and self.test.pvalue <= self.alpha


class Shift(NamedTuple):
    """How far verdicts changed: as a share, as a difference of pass rates, and the test of no shift."""

    changed: Estimate
    shift: Estimate
    test: HypothesisTest


def shift_of(says: Sequence[tuple[bool, bool]], items: Sequence[str], *, level: float) -> Shift:
    """How far verdicts changed; several answers to one item are one unit.

    Args:
        says: The verdict then and now on each answer.
        items: The item of each.
        level: Confidence level.
    """
    table = PairedTable(*(says.count(each) for each in ((True, True), (True, False), (False, True), (False, False))))
    if len(set(items)) == len(items):
        return Shift(flip_rate(table, level=level), newcombe_interval(table, level=level), mcnemar_exact(table))
    then, now = ([int(each[at]) for each in says] for at in (0, 1))
    differ = [int(before is not after) for before, after in says]
    changed = clustered_rate_interval(differ, clusters=items, level=level)
    return Shift(
        changed=replace(changed, count=sum(differ)),
        shift=clustered_newcombe_interval(then, now, clusters=items, level=level),
        test=signflip_exact([after - before for before, after in zip(then, now, strict=True)], clusters=items),
    )


def anchored(labels: Labels, saved: Saved) -> Labels:
    """Check that a file of anchors holds the answers of a calibration, before anything is asked.

    Args:
        labels: The anchors.
        saved: The earlier calibration.

    Returns:
        The anchors.

    Raises:
        DatasetError: None of them is in the calibration, or some have other texts than there.
    """
    kept, place = {each.place: each for each in saved.calibration.kept}, saved.place
    shared = [(row, kept[row.place]) for row in labels.rows if row.place in kept]
    if not shared:
        text = f"none of its answers is in {place}; anchors are the labelled answers of that calibration"
        raise DatasetError(Problem(text, path=labels.name))
    others = [
        labels.problem(row, f"its texts are not those that {place} has a verdict on; anchors must stay as they are")
        for row, then in shared
        if row.content and then.content and row.content != then.content
    ]
    raise_problems(others, "rows that were changed; nothing was compared")
    return labels


def drifted(
    saved: Saved,
    labels: Labels,
    judgements: Sequence[Judgement],
    *,
    judge: Mapping[str, Json] | None = None,
    name: str = "",
    alpha: float = 0.05,
    notes: Sequence[str] = (),
) -> Drift:
    """Compare a judge's verdicts with those of an earlier calibration.

    Args:
        saved: The earlier calibration.
        labels: The anchors, checked by `anchored`.
        judgements: What the judge makes of anchors now.
        judge: The identity of the grader that judged now, where it is known.
        name: The judge, in words.
        alpha: Significance level.
        notes: What else the user should read.
    """
    calibration, kept = saved.calibration, {each.place: each for each in saved.calibration.kept}
    pairs = [(kept[each.row.place], each) for each in judgements if each.row.place in kept]
    both = [(then, now) for then, now in pairs if then.verdict is not None and now.verdict is not None]
    says = [(bool(then.verdict), bool(now.verdict)) for then, now in both]
    table = PairedTable(*(says.count(each) for each in ((True, True), (True, False), (False, True), (False, False))))
    places, level = {row.place for row in labels.rows}, 1.0 - alpha
    shift = shift_of(says, [then.item for then, _ in both], level=level)
    return Drift(
        calibration=saved.place,
        anchors=labels.name,
        judge_then=calibration.name,
        judge_now=name,
        same_judge=None if None in (calibration.judge, judge) else calibration.judge == judge,
        table=table,
        items=len({then.item for then, _ in both}),
        changed=shift.changed,
        shift=shift.shift,
        test=shift.test,
        alpha=alpha,
        fewest=fewest_flips(alpha),
        then=figures_of(judged_labels(then for then, _ in both), level=level),
        now=figures_of(judged_labels(_as_now(then, now) for then, now in both), level=level),
        lost=sum(then.verdict is not None and now.verdict is None for then, now in pairs),
        gained=sum(then.verdict is None and now.verdict is not None for then, now in pairs),
        without_either=sum(then.verdict is None and now.verdict is None for then, now in pairs),
        only_then=sum(each.place not in places for each in calibration.kept),
        only_now=sum(row.place not in kept for row in labels.rows),
        changes=tuple(Changed(then, now) for then, now in both if then.verdict is not now.verdict),
        notes=(*labels.notes, *notes, *_label_notes(pairs)),
    )


def _as_now(then: Kept, now: Judgement) -> Kept:
    """An anchor with its verdict now, beside the label of the calibration."""
    return Kept(*then.place, then.content, then.label, now.verdict)


def _label_notes(pairs: Sequence[tuple[Kept, Judgement]]) -> Sequence[str]:
    other = sum(now.row.label is not None and now.row.label is not then.label for then, now in pairs)
    if not other:
        return ()
    has = "has" if other == 1 else "have"
    return (
        f"{counted(other, 'anchor')} {has} another label than in the calibration; that of the calibration is taken",
    )
