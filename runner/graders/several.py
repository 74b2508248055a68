"""Which options a reply chooses, where it may choose several. What can't be told is said, never guessed."""

import json
import re
from dataclasses import dataclass, replace

from pydantic import JsonValue as Json

from . import phrases
from .announce import DOUBTED, TAKEN_BACK
from .choosing import choose
from .collective_replies import says_none, spell_out
from .enumerations import Enumeration, enumerations
from .json_replies import json_answer
from .options import Options
from .patterns import Pattern
from .scene import Scene
from .text import View, blank_fences, visible, without_markup
from .words import any_of

_GLUED = Pattern(
    lambda: (
        rf"(?:^|[:：=→({{]|(?<![A-Za-z])(?i:{any_of(phrases.COPULA)})|(?i:{any_of(phrases.ANSWER, phrases.CHOOSING)}))"
        r"[\s\"'(\[{*]{0,9}(?P<labels>[A-Z]{2,26}|[A-Z](?: ?\+ ?[A-Z]){1,25})(?![A-Za-z0-9_'’+-])"
    ),
    re.MULTILINE,
)
_NUMBERED = Pattern(lambda: r"(?<![\d.,])(?P<labels>\d{1,2}(?:,\d{1,2})+)(?![\d.,]*\d)")
_ALSO = Pattern(lambda: any_of(phrases.ALSO))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that a reply chooses.

    Attributes:
        options: The canonical options, none where the reply says that none is right; None where they can't be told.
        span: From the first to the last of them in the source; None where nothing was read.
        reason: Why they can't be told; empty otherwise.
        final: Whether no further text could change them, should the reply have been cut off.
    """

    options: frozenset[int] | None = None
    span: tuple[int, int] | None = None
    reason: str = ""
    final: bool = False


def choose_several(source: str, options: Options) -> Chosen:
    """Read the options that a reply chooses.

    Args:
        source: The reply's text.
        options: The options as shown.
    """
    view = visible(source)
    if view.blank:
        return Chosen(reason="nothing follows the reasoning")
    listed = _json_list(view)
    if listed is not None:
        return _from_list(view, listed, options)
    value = json_answer(view)
    if value is not None:
        return replace(_read(_scene(value, options)), final=True)
    return _read(_scene(view, options))


def _scene(view: View, options: Options) -> Scene:
    plain = without_markup(view)
    named = plain if "all" in options.collective else spell_out(plain, options.shown)
    return Scene(spread(named, options), options)


def spread(view: View, options: Options) -> View:
    """Set labels apart that are written as one word where an answer stands: `ACD` as `A, C, D`, `1,3` as `1, 3`."""
    places = view.offsets or range(len(view.text))
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for found in (_NUMBERED if options.shown[0].isdigit() else _GLUED).finditer(view.text):
        start, end = found.span("labels")
        labels = re.findall(r"[A-Z]|\d+", found["labels"])
        ranks = [options.shown.index(label) if label in options.shown else -1 for label in labels]
        if -1 in ranks or ranks != sorted(set(ranks)):
            continue
        pieces += view.text[at:start], ", ".join(labels)
        offsets += places[at:start]
        for number, label in enumerate(labels):
            first = start + found["labels"].index(label)
            offsets += [*([places[first]] * (2 if number else 0)), *places[first : first + len(label)]]
        at = end
    if not pieces:
        return view
    return View(view.source, "".join((*pieces, view.text[at:])), (*offsets, *places[at:]), view.stop)


def _read(scene: Scene) -> Chosen:
    """Read one passage: what it says last, unless that is taken back or something else stands beside it."""
    found = enumerations(scene)
    none = None if "none" in scene.options.collective else says_none(scene.text)
    if not found:
        return _no_option(scene, none)
    chosen = found[-1]
    end = scene.mentions[chosen.last].end
    span = scene.view.span(scene.starts[chosen.first], end)
    turned = _last_turn(scene, scene.mentions[chosen.first].end)
    if turned is not None:
        again = _read(Scene(scene.view.cut(turned, len(scene.text)), scene.options))
        return again if again.span else Chosen(span=span, reason="the answer is taken back afterwards")
    if chosen.options is None:
        return Chosen(span=span, reason="it can't be told which of the options named are chosen")
    if none or any(_contradicts(scene, other, chosen) for other in found[:-1]) or _adds(scene, chosen):
        return Chosen(span=span, reason="different options are named as the answer")
    return Chosen(chosen.options, span, final=chosen.final)


def _no_option(scene: Scene, none: tuple[int, int] | None) -> Chosen:
    """What a passage says that names no options as its answer: that none is right, or nothing."""
    if none is None:
        return Chosen(reason="no options are named as the answer")
    span = scene.view.span(*none)
    if _last_turn(scene, none[1]) is not None:
        return Chosen(span=span, reason="the answer is taken back afterwards")
    if not all(scene.is_negated(n) for n, mention in enumerate(scene.mentions) if mention.exact):
        return Chosen(span=span, reason="options are named, and it is said that none is right")
    return Chosen(frozenset(), span)


def _last_turn(scene: Scene, start: int) -> int | None:
    """Where the last words after a place end that take back or doubt what was said before."""
    turns = [found.end() for turn in (TAKEN_BACK, DOUBTED) for found in scene.spoken(turn, start)]
    return max(turns, default=None)


def _contradicts(scene: Scene, other: Enumeration, chosen: Enumeration) -> bool:
    if other.options == chosen.options:
        return False
    end, start = scene.mentions[other.last].end, scene.starts[chosen.first]
    return not any(any(scene.spoken(turn, end, start)) for turn in (TAKEN_BACK, DOUBTED))


def _adds(scene: Scene, chosen: Enumeration) -> bool:
    """Whether the reply says afterwards that another option may be right as well."""
    after = range(chosen.last + 1, len(scene.mentions))
    if chosen.options is not None and any(
        scene.is_passable(n) and not scene.mentions[n].answers <= chosen.options for n in after
    ):
        return True
    also = _ALSO.search(scene.text, scene.mentions[chosen.last].end)
    if also is None or chosen.options is None:
        return False
    later = (n for n, start in enumerate(scene.starts) if start >= also.end())
    return any(not scene.mentions[n].answers <= chosen.options and not scene.rejected[n] for n in later)


def _json_list(view: View) -> list[Json] | None:
    """The list that a reply in JSON is, or that is the only one in its object; None where it is no such JSON."""
    plain = blank_fences(view.text)
    if plain.strip()[:1] not in {"{", "["}:
        return None
    try:
        value: Json = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        if len(value) > 1 and all(isinstance(part, bool) for part in value.values()):
            return [key for key, part in value.items() if part]
        lists = [part for part in value.values() if isinstance(part, list)]
        return lists[0] if len(lists) == 1 else None
    return value if isinstance(value, list) else None


def _from_list(view: View, listed: list[Json], options: Options) -> Chosen:
    start, end = len(view.text) - len(view.text.lstrip()), len(view.text.rstrip())
    span = view.span(start, end)
    if len(listed) == 1 and isinstance(listed[0], str):
        alone = _read(_scene(visible(listed[0]), options))
        if alone.options is not None:
            return Chosen(alone.options, span, final=True)
    read = [choose(str(element), options).option for element in listed if isinstance(element, str | int)]
    chosen = frozenset(option for option in read if option is not None)
    if not listed or None in read or len(read) != len(listed):
        return Chosen(span=span, reason="the list holds something that is no option, or nothing")
    return Chosen(chosen, span, final=True)
