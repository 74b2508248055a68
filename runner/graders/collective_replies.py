"""Replies that choose all options, or none, without naming any."""

from . import phrases
from .announce import LEADS, WINDOW
from .collective import ALL, NONE, collectives
from .patterns import Part, Pattern
from .text import View
from .words import any_of

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NOUN = Part(lambda: any_of("options|choices|answers|statements|of them|of these"))
_RIGHT = Part(lambda: rf"(?:\s+{any_of(phrases.SAID)}\s+(?:all\s+)?{any_of(phrases.BEST, 'true')}|\s+apply)?")
_LESS = Part(
    lambda: any_of(
        "except|excepting|but|besides|save|other than|apart from|aside from|excluding|without|minus|außer|bis auf|sauf|"
        "excepto|salvo|menos|tranne|eccetto|exceto"
    )
)
_LEFT_OUT = Part(lambda: rf"{_RIGHT}[\s\"')\].,;:(—–-]{{0,9}}{_LESS}")
_END = Part(lambda: rf"[ \t\"')\]}}>」』]{{0,9}}(?:[.,!;:。，！<—–]|です|입니다|{any_of(phrases.FOLLOWER)}|\n|\Z)")
_AFTER = Part(lambda: rf"(?={_RIGHT}{_END})(?!{_LEFT_OUT})")
"""The clause ends here, or says that it is right, and takes none out again."""
_EVERY = Pattern(
    lambda: (
        rf"(?:{any_of(ALL, 'all of them|all of these|alle davon')}"
        rf"|(?<![a-z])all\s+(?:of\s+the\s+)?(?P<count>{'|'.join(_COUNTS)}|\d{{1,2}})(?:\s+{_NOUN})?(?![a-z\d])){_AFTER}"
    )
)
_NO = Pattern(lambda: rf"{any_of(NONE, 'none of them|none of these|no option')}(?:\s+{_NOUN})?{_AFTER}")
_LED = Pattern(lambda: rf"(?:\A|[\n.!?:;。！？])(?:[\s\"'(\[{{:=<>*#|,，-]|\\f?boxed|{LEADS})*+\Z")
_LESS_SOME = Pattern(lambda: str(_LEFT_OUT))
_ALMOST = Pattern(lambda: r"(?<![a-z])(?:almost|nearly|virtually|practically|fast)\s+\Z")


def leaves_out(text: str, start: int, end: int) -> bool:
    """Whether words for all or none are no such option's name, since some are taken out: "none of the above but A".

    Args:
        text: The text in lower case.
        start: Where an option's text begins in it.
        end: Where it ends.
    """
    return bool(collectives([" ".join(text[start:end].split())])) and _LESS_SOME.match(text, end) is not None


def spell_out(view: View, labels: tuple[str, ...]) -> View:
    """Write all labels where a reply says "all of the above": what is then said of them is read as ever.

    Args:
        view: The text.
        labels: The labels as shown.
    """
    places = view.offsets or range(len(view.text))
    named = f"({'), ('.join(labels[:-1])}) and ({labels[-1]})"
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for found in _EVERY.finditer(view.folded):
        start, end = found.span()
        counted = found["count"] is None or _count(found["count"]) == len(labels)
        if not counted or _ALMOST.search(view.folded, max(0, start - WINDOW), start):
            continue
        pieces += view.text[at:start], named
        offsets += places[at:start]
        closing = len(labels[-1]) + 1
        offsets += [*[places[start]] * (len(named) - closing), *[places[end - 1]] * closing]
        at = end
    if not pieces:
        return view
    return View(view.source, "".join((*pieces, view.text[at:])), (*offsets, *places[at:]), view.stop)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.index(word) + 2


def says_none(text: str) -> tuple[int, int] | None:
    """Where a reply last says, in a sentence of its own or as its answer, that no option is right; None where nowhere.

    Args:
        text: The text in lower case.
    """
    for found in reversed(list(_NO.finditer(text))):
        before = text[max(0, found.start() - WINDOW) : found.start()]
        if _LED.search(before if len(before) < WINDOW else f"x{before}"):
            return found.span()
    return None
