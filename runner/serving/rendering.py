"""Templates of the server's pages: those of the report pages, within a shell that leads from page to page."""

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..reports.charts import CHART_DARK, CHART_LIGHT, CHART_RULES
from ..reports.html.environment import DATA, PACKAGE, environment
from ..reports.html.shell import STYLES, Shell

STATIC = "/static/"
OWN = "prt.runner.serving"
SITE_STYLES = (*STYLES, "site.css")
SITE_SCRIPTS = ("site.js",)
MEDIA = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
SECTIONS = (
    ("/", "Analyser"),
    ("/runs", "Runs"),
    ("/compare", "Compare"),
    ("/trends", "Trends"),
    ("/duels", "Duels"),
    ("/review", "Review"),
    ("/plan", "Planner"),
)


@cache
def templates() -> Environment:
    """The environment of the report pages, whose shell is this server's; it escapes every text."""
    of_reports = PackageLoader(PACKAGE, DATA)
    own = PackageLoader(OWN, "data/templates")
    made: Environment = environment().overlay(
        loader=ChoiceLoader([own, of_reports, PrefixLoader({"report": of_reports})])
    )
    made.filters["raw_text"] = raw_text
    return made


def raw_text(text: str) -> Markup:
    """A text as it was typed, for a box in which it goes on being typed: escaped, but no character made visible.

    Lone surrogates, which no page can hold, become question marks.
    """
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def page(request: Request, template: str, *, title: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Answer with a page.

    Args:
        request: The request.
        template: The template, which extends `page.html.j2`.
        title: The page's title and heading; may be a text from elsewhere.
        status: The answer's status.
        values: What the template is filled with; `styles`, `scripts`, `kicker` and `contents` go to the shell.
    """
    shell = Shell(
        title=title,
        kicker=values.pop("kicker", ""),
        contents=values.pop("contents", ()),
        styles=(*SITE_STYLES, *values.pop("styles", ())),
        scripts=(*SITE_SCRIPTS, *values.pop("scripts", ())),
        linked=STATIC,
    )
    return HTMLResponse(fill(template, shell=shell, here=request.url.path, **values), status_code=status)


def fill(template: str, **values: Any) -> str:
    """Fill a template."""
    return templates().get_template(template).render(sections=SECTIONS, **values)


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Each style sheet and script by its name, with its media type; nothing else is served as a file."""
    found = {
        file.name: (file.read_bytes(), MEDIA[suffix])
        for folder in (files(PACKAGE) / DATA, files(OWN) / "data" / "static")
        for file in folder.iterdir()
        for suffix in [file.name[file.name.rfind(".") :]]
        if suffix in MEDIA
    }
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{CHART_DARK}}}}}"
    charts = f":root{{{CHART_LIGHT}}}{dark}{CHART_RULES}"
    return {**found, "charts.css": (charts.encode(), MEDIA[".css"])}
