"""The noise floor: flips of each condition beside those that asking the original again gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....stats import ConditionSummary, Estimate
from ...findings import Report
from ..text import percent, points, points_interval, visible
from .chart import Chart, Spec
from .intervals import hundredfold, whiskers
from .labels import TOLD, label
from .largest import largest, largest_words
from .marks import Column, Record, columns, measure_axis, nothing, rows_axis, rows_plot, symbol_scales, values
from .style import INK, MUTED, PAPER, RING

COLUMNS = (
    Column("floor", "floor", 48),
    Column("flips", "flips", 96),
    Column("beyond", "beyond", 146),
    Column("n", "n", 190),
)
KINDS = (("floor", "square", PAPER, INK), ("flips of the condition", "circle", INK, INK))
LEAST_REACH = 5.0
"""Percent up to which the axis goes at least."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Flips of one condition, those without any change of wording, and what is beyond them."""

    name: str
    floor: float
    flips: float
    beyond: Estimate
    n: int

    @classmethod
    def of(cls, summary: ConditionSummary) -> "Noise | None":
        """What a condition has of it: from repeats, else from reruns."""
        if (churn := summary.churn) is not None:
            floors = churn.baseline_floor.estimate, churn.variant_floor.estimate
            flips, beyond = churn.flip_rate, churn.caused
            if floors[0] is None or floors[1] is None or flips.estimate is None:
                return None
            return cls(summary.condition, (floors[0] + floors[1]) / 2, flips.estimate, beyond, flips.n)
        if (excess := summary.excess) is not None:
            floor, flips = excess.rerun_flips.estimate, excess.variant_flips
            if floor is None or flips.estimate is None:
                return None
            return cls(summary.condition, floor, flips.estimate, excess.excess, excess.n)
        return None


def noise(report: Report) -> Chart:
    """Draw each condition's flips beside their floor: from repeats, or from asking the original again."""
    found = [each for each in map(Noise.of, (each.summary for each in report.conditions)) if each is not None]
    level = f"{100 * report.summary.level:.0f}%"
    repeats = any(each.summary.churn is not None for each in report.conditions)
    return Chart(
        name="noise",
        title="Noise floor",
        summary=_summary(found),
        note=_note(found, level=level, repeats=repeats) + largest_words(len(found), "flips beyond the floor"),
        spec=_spec(found) if found else nothing("Nothing was asked twice in the same words."),
        headings=("condition", "n", "floor", "flips", "beyond the floor", "interval"),
        rows=tuple(
            (
                visible(each.name),
                f"{each.n}",
                percent(each.floor),
                percent(each.flips),
                points(each.beyond.estimate),
                points_interval(each.beyond),
            )
            for each in found
        ),
    )


def _note(found: Sequence[Noise], *, level: str, repeats: bool) -> str:
    if not found:
        return "A noise floor needs `rerun` among the perturbations, or `repeats`."
    if repeats:
        return (
            "Floor: how often two runs of one prompt differ, as the mean of the two prompts. Flips: how often a run of "
            "the original and one of the condition differ. Beyond: their difference in points, what the wording itself "
            "caused; it carries no interval."
        )
    return (
        "Floor: share of the n items that flip when the original is asked again. Flips: when the condition is asked. "
        f"Lines: {level} interval of the difference ({found[0].beyond.method}), laid from the floor: one that crosses "
        "its square is no more than noise. Beyond: the difference in points."
    )


def _spec(found: Sequence[Noise]) -> Spec:
    drawn = largest(found, lambda each: each.beyond.estimate)
    names = [each.name for each in drawn]
    records = [_record(place, each) for place, each in enumerate(drawn)]
    reach = [each[name] for each in records for name in ("floor_at", "flips_at", "low", "high") if name in each]
    domain = min(0.0, *reach), max(LEAST_REACH, *reach)
    axis, y = measure_axis("flips in percent", domain, rows=len(drawn)), rows_axis(names)
    marks: list[Record] = [
        {"row": each["row"], "kind": kind, "at": each[field]}
        for field, (kind, *_) in zip(("floor_at", "flips_at"), KINDS, strict=True)
        for each in records
    ]
    symbols = symbol_scales(KINDS, rows=len(drawn))
    return rows_plot(
        names,
        [
            *columns(records, y, COLUMNS),
            {
                "data": values(records),
                "mark": {"type": "rule", "strokeWidth": 4, "color": MUTED, "opacity": 0.5},
                "encoding": {"y": y, "x": {**axis, "field": "floor_at"}, "x2": {"field": "flips_at"}},
            },
            whiskers(records, axis, y),
            *(
                {
                    "data": values([each for each in marks if each["kind"] == kind]),
                    "mark": {"type": "point", **size},
                    "encoding": {"y": y, "x": {**axis, "field": "at"}, **symbols},
                }
                for kind, size in ((KINDS[0][0], {"size": RING}), (KINDS[1][0], {}))
            ),
        ],
    )


def _record(place: int, each: Noise) -> Record:
    limits = {"low": each.beyond.low, "high": each.beyond.high}
    return {
        "row": place,
        "floor": percent(each.floor),
        "flips": percent(each.flips),
        "beyond": points(each.beyond.estimate),
        "n": f"{each.n:,}",
        "floor_at": hundredfold(each.floor),
        "flips_at": hundredfold(each.flips),
        **{name: hundredfold(each.floor + limit) for name, limit in limits.items() if limit is not None},
    }


def _summary(found: Sequence[Noise]) -> str:
    if not found:
        return "Nothing was asked twice in the same words, so there is no noise floor."
    above = [each for each in found if each.beyond.low is not None and each.beyond.low > 0]
    most = max(found, key=lambda each: each.beyond.estimate or 0.0)
    said = (
        f"{label(most.name, TOLD)} flips most beyond the floor: {percent(most.flips)} against {percent(most.floor)} "
        "without any change of wording"
    )
    if most.beyond.low is None:
        return f"{said}."
    return f"{said}; of {len(found):,} conditions {len(above):,} flip provably more often than their floor."
