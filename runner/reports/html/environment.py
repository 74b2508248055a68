"""Templates of pages: every text that they insert is escaped, and made visible before."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..charts import CHART_DARK, CHART_LIGHT, CHART_RULES
from ..gates import gate_lines
from ..text import visible

PACKAGE = "prt.runner.reports.html"
DATA = "data"


@cache
def environment() -> Environment:
    """The environment of all templates; they lie in `data`.

    Whatever a template inserts is text: control and format characters become escapes that are seen, and signs of HTML
    stand for themselves. Only `Markup`, which our own code makes, is taken as HTML.
    """
    made = Environment(
        loader=PackageLoader(PACKAGE, DATA),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    made.globals["asset"] = asset
    made.filters["gate_lines"] = gate_lines
    made.globals |= {
        "chart_light": trusted(CHART_LIGHT),
        "chart_dark": trusted(CHART_DARK),
        "chart_rules": trusted(CHART_RULES),
    }
    return made


def shown(value: Any) -> Any:
    """A value as a template inserts it: text made visible, nothing for None."""
    if value is None:
        return ""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def render(template: str, **values: object) -> Markup:
    """Fill a template; what comes is HTML."""
    return trusted(environment().get_template(template).render(**values))


def trusted(html: str) -> Markup:
    """HTML that our own code wrote, in which every text is escaped already; never a text from elsewhere."""
    return Markup(html)  # noqa: S704 - the one place; who calls it says why


@cache
def asset(name: str) -> Markup:
    """A style sheet or a script of ours, as it goes between its tags."""
    return trusted((files(__package__) / DATA / name).read_text(encoding="utf-8"))
