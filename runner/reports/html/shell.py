"""The shell of every page: head, contents, main part, foot; with its styles and scripts in it, and closed to all else.

The policy of a page allows its own styles and the scripts that stand in it, by their hashes, and nothing from anywhere:
no request can be made from it, whatever a text in it says. A web server that allows no script in a page renders the
same templates with `linked`, and serves the style sheets and scripts of `data` beside them.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from markupsafe import Markup

from .environment import asset, render

STYLES = ("page.css",)


@dataclass(frozen=True, slots=True)
class Shell:
    """What the shell of a page is told.

    Attributes:
        title: The page's title, also its first heading.
        kicker: A line above the heading; what kind of page it is.
        contents: Element ids and names of the sections, for the table of contents.
        styles: Style sheets in `data`, in order.
        scripts: Scripts in `data`, in order.
        linked: Where styles and scripts are served, such as `/static/`; empty puts them into the page.
    """

    title: str
    kicker: str = ""
    contents: Sequence[tuple[str, str]] = ()
    styles: Sequence[str] = STYLES
    scripts: Sequence[str] = ()
    linked: str = ""
    version: str = field(default_factory=lambda: version("prompt-robustness"))

    @property
    def policy(self) -> str:
        """The page's content security policy."""
        return policy(asset(name) for name in self.scripts)


def page(shell: Shell, body: Markup) -> str:
    """A page of a body that is HTML already; templates that extend `page.html.j2` need no body.

    Args:
        shell: What the shell is told.
        body: The main part, made by `render` or by `Markup.format`, so that the texts in it are escaped.
    """
    return str(render("page.html.j2", shell=shell, body=body))


def policy(scripts: Iterable[str]) -> str:
    """A content security policy that lets these scripts run and nothing be loaded."""
    hashes = " ".join(f"'sha256-{digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(script: str) -> str:
    """The hash of a script, as policies name it."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
