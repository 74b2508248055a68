"""The planner: what a number of items can see, while one moves its settings."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...errors import UsageError
from ...problems import quoted
from ...reports.sight import sight_lines
from ...reports.text import UNKNOWN, points
from ...sight import Sight, sight
from ..rendering import fill, page


@dataclass(frozen=True, slots=True)
class Slider:
    """A setting of the planner.

    Attributes:
        name: Its name, in the address and in `sight`.
        label: What it is called.
        low: Its least value.
        high: Its largest value.
        step: Between two values.
        value: Where it stands at first.
        unit: What stands behind the value.
        per: What a value is divided by to be what `sight` takes.
    """

    name: str
    label: str
    low: float
    high: float
    step: float
    value: float
    unit: str = ""
    per: float = 1.0

    def read(self, given: Mapping[str, str]) -> float:
        """The value that is given, else the first one.

        Raises:
            UsageError: It is no number, or out of range.
        """
        typed = given.get(self.name, "").strip()
        try:
            number = float(typed) if typed else self.value
        except ValueError:
            number = float("nan")
        if not isfinite(number) or not self.low <= number <= self.high or (self.step == 1 and number % 1):
            kind = "a whole number" if self.step == 1 else "a number"
            raise UsageError(
                f"{self.label}: {quoted(typed)} is not allowed; {kind} from {self.low:g} to {self.high:g} is"
            )
        return number


SLIDERS = (
    Slider("items", "Items", 10, 5000, 1, 200),
    Slider("flip_rate", "Items that change their result, either way", 1, 60, 0.5, 10, "%", 100),
    Slider("change", "Change that you care about", 0.5, 50, 0.5, 5, "points", 100),
    Slider("variants", "Variants judged together", 1, 50, 1, 4),
    Slider("power", "Chance of finding it that you want", 50, 99, 1, 80, "%", 100),
    Slider("alpha", "Significance level", 0.1, 20, 0.1, 5, "%", 100),
    Slider("margin", "Largest drop that would not matter", 0.5, 30, 0.5, 5, "points", 100),
)
FORMULAS = (
    (
        "Power = Σ over f of P(f of n items flip) · P(the exact McNemar test of f flips rejects at α/m), where a flip "
        "goes from pass to fail with chance (flip rate + change)/2 and from fail to pass with (flip rate − change)/2."
    ),
    "The smallest change is the one whose power is what is wanted; the items needed are the fewest with that power.",
    "Fewest flips: the fewest f, all one way, with 2·½^f ≤ α/m.",
    (
        "Items that rule out a drop if none flips: the fewest n whose Tango limit at no flip, z²/(n + z²), is at most "
        "the margin."
    ),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the plan: its name, the value, and what it means."""

    name: str
    value: str
    meaning: str


async def show(request: Request) -> Response:
    """The page, with the settings of its address."""
    try:
        values, found = await to_thread.run_sync(planned, dict(request.query_params))
    except UsageError as error:
        typed = {each.name: shown_in_field(request.query_params.get(each.name, f"{each.value:g}")) for each in SLIDERS}
        return whole(request, typed, problem=str(error))
    return whole(request, {name: f"{value:g}" for name, value in values.items()}, found=found)


def shown_in_field(typed: str) -> str:
    """What a field of numbers shows of what was typed: nothing where a browser would complain that it is none."""
    try:
        number = float(typed)
    except ValueError:
        return ""
    return typed.strip() if isfinite(number) and typed.isascii() and "_" not in typed else ""


def whole(request: Request, typed: Mapping[str, str], *, found: Sight | None = None, problem: str = "") -> Response:
    """The whole page."""
    return page(
        request,
        "planner.html.j2",
        title="What can this many items see?",
        kicker="Planner",
        styles=("planner.css",),
        scripts=("planner.js",),
        sliders=SLIDERS,
        typed=typed,
        **shown(found),
        problem=problem,
    )


async def plan(request: Request) -> Response:
    """The figures alone, for the page while a slider moves; the last of them as numbers, too."""
    try:
        _, found = await to_thread.run_sync(planned, dict(request.query_params))
    except UsageError as error:
        return JSONResponse({"html": fill("planned.html.j2", **shown(None), problem=str(error)), "sight": None})
    return JSONResponse({"html": fill("planned.html.j2", **shown(found), problem=""), "sight": asdict(found)})


def planned(given: Mapping[str, str]) -> tuple[dict[str, float], Sight]:
    """The settings, and what they make.

    Raises:
        UsageError: A setting is none, or out of range.
    """
    values = {each.name: each.read(given) for each in SLIDERS}
    rates = {each.name: values[each.name] / each.per for each in SLIDERS}
    items, variants = int(rates.pop("items")), int(rates.pop("variants"))
    return values, sight(items, variants=variants, **rates)


def shown(found: Sight | None) -> dict[str, Any]:
    """What the templates are filled with."""
    if found is None:
        return {"figures": (), "sentences": (), "formulas": FORMULAS}
    return {
        "figures": [Figure(name, value(found), meaning(found)) for name, value, meaning in FIGURES],
        "sentences": [line.strip() for line in sight_lines(found)],
        "formulas": FORMULAS,
    }


def share(value: float | None) -> str:
    """A chance in percent."""
    return UNKNOWN if value is None else f"{100 * value:.1f}%"


FIGURES: tuple[tuple[str, Callable[[Sight], str], Callable[[Sight], str]], ...] = (
    (
        "Power",
        lambda found: share(found.power_here),
        lambda found: (
            f"chance that {found.items:,} items find a change of {100 * found.change:g} points"
            if found.power_here is not None
            else f"a change of {100 * found.change:g} points needs at least as many flips"
        ),
    ),
    (
        "Smallest change found",
        lambda found: UNKNOWN if found.detectable is None else points(found.detectable).lstrip("+"),
        lambda found: (
            f"points, with {found.power:.0%} power at n = {found.items:,}"
            if found.detectable is not None
            else "even flips all one way are too few"
        ),
    ),
    (
        "Items needed",
        lambda found: UNKNOWN if found.items_needed is None else f"{found.items_needed:,}",
        lambda found: f"to find {100 * found.change:g} points with {found.power:.0%} power",
    ),
    (
        "Fewest flips",
        lambda found: str(found.fewest_flips),
        lambda found: f"all one way, that clear the bar {found.alpha:g}/{found.variants}",
    ),
    (
        "Items without a flip",
        lambda found: str(found.items_for_margin),
        lambda found: f"that rule out a drop of {100 * found.margin:g} points",
    ),
)

ROUTES = [Route("/plan", show, methods=["GET"]), Route("/api/plan", plan, methods=["GET"])]
