"""Replies that choose all options, or none, without naming any: "All of the above", "None of these"."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from . import phrases
from .announce import LEADS, WINDOW
from .patterns import Part, Pattern
from .text import View
from .words import any_of

Collective = Literal["all", "none"]

_ALL = (
    "all of the above|all the above|all of the options|all the options|all options|all of the choices|all the choices|"
    "all choices|all of the answers|all the answers|all answers|every option|alle genannten|alle der genannten|"
    "alle oben genannten|alle antworten|alle optionen|toutes les réponses|toutes les options|todas las anteriores|"
    "todas las opciones|todas las respuestas|tutte le precedenti|tutte le opzioni|tutte le risposte|"
    "todas as anteriores|todas as opções|todas as alternativas|以上都是|以上皆是|以上全部|上記すべて|上記の全て|"
    "위의 모두|위의 모든 것"
)
_NONE = (
    "none of the above|none of the options|none of the choices|none of the answers|keine der genannten|"
    "keine der oben genannten|keine der antworten|keine der optionen|aucune de ces réponses|aucune des réponses|"
    "aucune des options|ninguna de las anteriores|ninguna de las opciones|nessuna delle precedenti|"
    "nessuna delle opzioni|nenhuma das anteriores|nenhuma das opções|nenhuma das alternativas|以上都不是|以上皆非|"
    "上記のいずれでもない|해당 없음"
)
_SYNONYMS: dict[Collective, tuple[str, ...]] = {"all": tuple(_ALL.split("|")), "none": tuple(_NONE.split("|"))}
"""By which words a reply may name an option of a kind, whichever of them it is called."""
_CALLED: dict[str, Collective] = {
    **dict.fromkeys((*_SYNONYMS["all"], "all of them", "all of these"), "all"),
    **dict.fromkeys((*_SYNONYMS["none"], "none of them", "none of these"), "none"),
}
"""What an option of a kind may be called."""

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
        rf"(?:{any_of(_ALL, 'all of them|all of these|alle davon')}"
        rf"|(?<![a-z])all\s+(?:of\s+the\s+)?(?P<count>{'|'.join(_COUNTS)}|\d{{1,2}})(?:\s+{_NOUN})?(?![a-z\d])){_AFTER}"
    )
)
_NO = Pattern(lambda: rf"{any_of(_NONE, 'none of them|none of these|no option')}(?:\s+{_NOUN})?{_AFTER}")
_LED = Pattern(lambda: rf"(?:\A|[\n.!?:;。！？])(?:[\s\"'(\[{{:=<>*#|,，-]|\\f?boxed|{LEADS})*+\Z")
_LESS_SOME = Pattern(lambda: str(_LEFT_OUT))
_ALMOST = Pattern(lambda: r"(?<![a-z])(?:almost|nearly|virtually|practically|fast)\s+\Z")


def collectives(texts: Iterable[str]) -> dict[str, Collective]:
    """Which options stand for all or none of the others, by their texts in lower case."""
    return {text: _CALLED[text] for text in texts if text in _CALLED}


def synonyms(texts: Iterable[str]) -> dict[str, str]:
    """Other words for an option that stands for all or none, each with its text; no words for one of two such options.

    Args:
        texts: The options' texts in lower case.
    """
    known = collectives(texts)
    kinds = Counter(known.values())
    return {word: text for text, kind in known.items() if kinds[kind] == 1 for word in _SYNONYMS[kind]}


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
