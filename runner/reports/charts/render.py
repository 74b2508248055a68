"""Charts as pictures: SVG with real text, no script and nothing to load, and PNG."""

import json
import re
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree as ET

from .chart import Chart, Spec
from .style import CHART_DARK, CHART_LIGHT, CHART_RULES, CLASS, CONFIG, DARK, PAPER
from .tighter import tighter

SVG = "http://www.w3.org/2000/svg"
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
NOTE_WIDTH = 96
VEGA_LITE = "6.4"
STYLE = f".{CLASS}{{{CHART_LIGHT}}}@media (prefers-color-scheme:dark){{.{CLASS}{{{CHART_DARK}}}}}{CHART_RULES}"
"""What a picture of its own carries, so that it suits a light and a dark screen."""


def svg(chart: Chart, *, inline: bool = False) -> str:
    """Draw a chart as SVG; the same chart always gives the same text.

    Args:
        chart: The chart.
        inline: Whether it goes into a page: then it has no heading of its own, and its colours are the page's, which
            has `CHART_RULES` in its style sheet. Else it has a heading, and its own colours for light and dark.

    Returns:
        An `svg` element. Its element ids begin with the chart's name, so that charts of different names can stand in
        one page.
    """
    import vl_convert  # noqa: PLC0415 - it holds a JavaScript engine; only what draws loads it

    drawn = vl_convert.vegalite_to_svg(
        complete(chart, titled=not inline), vl_version=VEGA_LITE, allowed_base_urls=[], show_warnings=False
    )
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawn)  # noqa: S314 - written by the renderer, without a document type
    _tidy(root, chart.name)
    _describe(root, chart)
    if not inline:
        style = ET.Element(f"{{{SVG}}}style")
        style.text = STYLE
        root.insert(2, style)
    return ET.tostring(root, encoding="unicode")


def png(chart: Chart, *, scale: float = 2.0, dark: bool = False) -> bytes:
    """Draw a chart with its heading as PNG, on paper of its own.

    Args:
        chart: The chart.
        scale: Pixels a unit of the SVG.
        dark: Whether it is for a dark screen.
    """
    import vl_convert  # noqa: PLC0415 - as above

    spec = complete(chart, titled=True)
    spec["background"] = PAPER
    text = json.dumps(spec)
    if dark:
        for light, shown in DARK.items():
            text = text.replace(f'"{light}"', f'"{shown}"')
    return tighter(vl_convert.vegalite_to_png(text, vl_version=VEGA_LITE, scale=scale, allowed_base_urls=[]))


def start_renderer() -> None:
    """Start what draws, which takes most of the time of a first chart; for a thread of its own while others wait."""
    import vl_convert  # noqa: PLC0415 - as above

    vl_convert.vegalite_to_svg({"data": {"values": [{}]}, "mark": "point"}, vl_version=VEGA_LITE, allowed_base_urls=[])


def complete(chart: Chart, *, titled: bool) -> Spec:
    """The specification with all that makes it a picture of its own."""
    spec: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "config": CONFIG,
        **chart.spec,
    }
    if titled:
        spec["title"] = {"text": chart.title, "subtitle": _wrapped(chart.note)}
    return spec


def _wrapped(note: str) -> list[str]:
    """The lines of a note: as few as it takes, and then as even as can be."""
    lines = wrap(note, NOTE_WIDTH)
    for width in range(NOTE_WIDTH - 1, 0, -1):
        narrower = wrap(note, width)
        if len(narrower) > len(lines) or max(map(len, narrower), default=0) > width:
            break
        lines = narrower
    return lines


def _tidy(root: ET.Element, name: str) -> None:
    """Leave out what only a screen reader of single marks would use, shorten numbers, and make ids the chart's own."""
    ids: dict[str, str] = {}
    for parent in root.iter():
        for child in [each for each in parent if each.get("display") == "none"]:
            parent.remove(child)
    for element in root.iter():
        for key in [key for key in element.attrib if key == "role" or key.startswith("aria-")]:
            del element.attrib[key]
        if (given := element.get("id")) is not None:
            ids[given] = f"{name}-{len(ids)}"
            element.set("id", ids[given])
    for element in root.iter():
        for key, value in element.attrib.items():
            shorter = LONG_NUMBER.sub(lambda found: f"{float(found[0]):.2f}", value)
            element.set(key, REFERENCE.sub(lambda found: f"url(#{ids[found[1]]})", shorter))


def _describe(root: ET.Element, chart: Chart) -> None:
    """Say what the picture is, and what is to be seen in it."""
    root.attrib.pop("version", None)
    root.set("class", CLASS)
    root.set("role", "img")
    for place, (tag, said) in enumerate((("title", chart.title), ("desc", chart.summary))):
        element = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{chart.name}-{tag}"})
        element.text = said
        root.insert(place, element)
    root.set("aria-labelledby", f"{chart.name}-title {chart.name}-desc")
