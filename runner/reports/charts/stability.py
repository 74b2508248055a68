"""The stability histogram: how many items keep their result under how many of their variants."""

from ...findings import Report
from ...problems import counted
from ..text import percent
from .chart import Chart, Spec
from .marks import Record, nothing, values
from .style import INK, MUTED, PAPER, SMALL

BY_COUNT = "variants with the baseline's result"
BY_SHARE = "share of the variants with the baseline's result, in percent"
MOST_BARS = 10
"""Variants up to which each share that an item can have gets a bar of its own."""
NEAR = 1e-9
HEIGHT = 150
BAR = 54


def stability(report: Report) -> Chart:
    """Draw how many items keep their baseline's result under which share of their variants."""
    shares = [share for share in report.summary.item_stability if share is not None]
    heading, bars = _bars(shares, len(report.compared))
    stable = sum(share >= 1 - NEAR for share in shares)
    return Chart(
        name="stability",
        title="How stable single items are",
        summary=_summary(len(shares), stable),
        note=f"Bars: how many of {counted(len(shares), 'item')} agree with their baseline under that share of their "
        "variants. Filled: fully stable, under all of them. Stable is not right: an item that fails everywhere is "
        "stable too.",
        spec=_spec(heading, bars) if shares else nothing("No item can be compared with its baseline."),
        headings=(heading, "items"),
        rows=tuple((name, f"{count}") for name, count in bars) if shares else (),
    )


def _bars(shares: list[float], variants: int) -> tuple[str, list[tuple[str, int]]]:
    """What the bars are by, and their counts, the least stable first; in tenths where there are many variants."""
    counts = [share * variants for share in shares]
    if 0 < variants <= MOST_BARS and all(abs(count - round(count)) < variants * NEAR for count in counts):
        whole = [round(count) for count in counts]
        return BY_COUNT, [(f"{of} of {variants}", whole.count(of)) for of in range(variants + 1)]
    tenths = [10 if share >= 1 - NEAR else int(10 * share + NEAR) for share in shares]
    names = ("<10", *(f"{10 * tenth}–<{10 * tenth + 10}" for tenth in range(1, 10)), "100")
    return BY_SHARE, [(name, tenths.count(tenth)) for tenth, name in enumerate(names)]


def _spec(heading: str, bars: list[tuple[str, int]]) -> Spec:
    records: list[Record] = [
        {"bar": name, "items": count, "said": f"{count:,}", "kind": "stable" if place == len(bars) - 1 else "other"}
        for place, (name, count) in enumerate(bars)
    ]
    x: Spec = {
        "field": "bar",
        "type": "ordinal",
        "sort": None,
        "title": heading,
        "axis": {"labelAngle": 0, "ticks": False, "labelPadding": 6, "labelOverlap": False},
    }
    y: Spec = {
        "field": "items",
        "type": "quantitative",
        "title": "items",
        "axis": {"tickCount": 4, "tickMinStep": 1, "gridOpacity": 0.6},
    }
    return {
        "width": {"step": BAR},
        "height": HEIGHT,
        "data": values(records),
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": {"type": "bar", "stroke": INK, "strokeWidth": 1},
                "encoding": {
                    "fill": {
                        "field": "kind",
                        "type": "nominal",
                        "scale": {"domain": ["stable", "other"], "range": [MUTED, PAPER]},
                        "legend": None,
                    }
                },
            },
            {
                "mark": {"type": "text", "dy": -8, "fontSize": SMALL},
                "encoding": {"text": {"field": "said", "type": "nominal"}},
            },
        ],
    }


def _summary(items: int, stable: int) -> str:
    if not items:
        return "No item can be compared with its baseline."
    return f"{stable:,} of {counted(items, 'item')} ({percent(stable / items)}) keep their result under all variants."
