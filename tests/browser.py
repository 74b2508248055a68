"""A real browser for tests of pages: no error on its console, no request but those that are meant.

A test that asks for `browser` is skipped where no Chromium is installed, and says so. Chromium's headless shell draws
the same pages in half the time.
"""

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP, PHONE = 1200, 375
TIMEOUT_MS = 10_000
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[Scheme, int], ...] = (("light", DESKTOP), ("dark", PHONE))
"""How a page is looked at where each look takes a second: colours depend on the one, the layout on the other."""


def executable() -> str:
    """The browser of this machine; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser here: none of {', '.join(NAMES)} is on the PATH")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module; each page has a context of its own."""
    path = executable()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


@contextmanager
def opened(
    browser: Browser,
    page: Path | str,
    *,
    width: int = DESKTOP,
    scheme: Scheme = "light",
    scripts: bool = True,
    allowed: Collection[str] = (),
) -> Iterator[Page]:
    """Open a page, and fail if, until it is closed, anything is said on the console or anything else is asked for.

    Args:
        browser: The browser.
        page: A file, or an address.
        width: Width of the window, in CSS pixels.
        scheme: What the reader prefers.
        scripts: Whether scripts run.
        allowed: Beginnings of the addresses that may be asked for besides the page's own.
    """
    address = page.absolute().as_uri() if isinstance(page, Path) else page
    told: list[str] = []
    asked: list[str] = []
    context = browser.new_context(
        color_scheme=scheme, java_script_enabled=scripts, viewport={"width": width, "height": 900}
    )
    try:
        context.set_default_timeout(TIMEOUT_MS)
        shown = context.new_page()
        shown.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
        shown.on("pageerror", lambda error: told.append(f"error: {error}"))
        shown.on("dialog", lambda dialog: told.append(f"dialog: {dialog.message}"))
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(address)
        yield shown
        # Whatever is under way gets its turn before the page is judged.
        if scripts:
            shown.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    finally:
        context.close()
    harmless = (address.partition("#")[0], "data:", *allowed)
    outside = [url for url in asked if not url.startswith(harmless)]
    assert not outside, f"asked for: {outside}"
    assert not told, f"on the console: {told}"


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window; 0 where nothing has to be scrolled sideways."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


def accessibility_faults(page: Page) -> list[dict[str, Any]]:
    """What axe, the accessibility checker, finds against WCAG 2.2 A and AA."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types

    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    rules = {"runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations"]}
    page.evaluate(Axe().axe_script)
    # What it found in order is as long as the page, and takes as long to bring over as to find.
    found = page.evaluate("(rules) => axe.run(document, rules).then((told) => told.violations)", rules)
    return [
        {"id": each["id"], "help": each["help"], "nodes": [node["html"][:160] for node in each["nodes"][:3]]}
        for each in found
    ]
