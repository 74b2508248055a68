"""Where a reply names an option by its place: "the second option", "option two", "the last one", "第二个选项"."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from . import phrases
from .patterns import Part, Pattern
from .words import any_of

_ORDINALS = (
    (
        "first|1st|erste|ersten|erster|première|premier|1re|primera|primer|primero|prima|primo|primeira|primeiro|eerste|"
        "första|первый|第一|第1|一番目|1番目|첫 번째|첫번째|1번째|1번"
    ),
    (
        "second|2nd|zweite|zweiten|zweiter|deuxième|seconde|2e|segunda|segundo|seconda|secondo|tweede|andra|второй|第二|"
        "第2|二番目|2番目|두 번째|두번째|2번째|2번"
    ),
    (
        "third|3rd|dritte|dritten|dritter|troisième|3e|tercera|tercer|tercero|terza|terzo|terceira|terceiro|derde|tredje|"
        "третий|第三|第3|三番目|3番目|세 번째|세번째|3번째|3번"
    ),
    (
        "fourth|4th|vierte|vierten|vierter|quatrième|4e|cuarta|cuarto|quarta|quarto|vierde|fjärde|четвертый|第四|第4|"
        "四番目|4番目|네 번째|네번째|4번째|4번"
    ),
    (
        "fifth|5th|fünfte|fünften|fünfter|cinquième|5e|quinta|quinto|vijfde|femte|пятый|第五|第5|五番目|5番目|"
        "다섯 번째|5번째|5번"
    ),
    "sixth|6th|sechste|sechsten|sechster|sixième|sexta|sexto|sesta|sesto|zesde|第六|第6|六番目|6番目|여섯 번째|6번",
    "seventh|7th|siebte|siebten|siebter|septième|séptima|settima|sétima|第七|第7|七番目|7番目|7번",
    "eighth|8th|achte|achten|achter|huitième|octava|ottava|oitava|第八|第8|八番目|8番目|8번",
    "ninth|9th|neunte|neunten|neunter|neuvième|novena|nona|第九|第9|九番目|9番目|9번",
    "tenth|10th|zehnte|zehnten|zehnter|dixième|décima|decima|第十|第10|十番目|10番目|10번",
)
_LAST = (
    "last|letzte|letzten|letzter|dernière|dernier|última|último|ultima|ultimo|laatste|sista|последний|最后|最後|마지막"
)
_CARDINALS = (
    "one|eins|un|uno|um|een|ett|один|一",
    "two|zwei|deux|dos|due|dois|twee|två|два|二",
    "three|drei|trois|tres|tre|três|drie|три|三",
    "four|vier|quatre|cuatro|quattro|quatro|fyra|четыре|四",
    "five|fünf|cinq|cinco|cinque|vijf|fem|пять|五",
    "six|sechs|seis|sei|zes|sex|шесть|六",
    "seven|sieben|sept|siete|sette|sete|zeven|sju|семь|七",
    "eight|acht|huit|ocho|otto|oito|åtta|восемь|八",
    "nine|neun|neuf|nueve|nove|negen|nio|девять|九",
    "ten|zehn|dix|diez|dieci|dez|tien|tio|десять|十",
)
_PLACES: Mapping[str, int] = {
    **{word: place for place, words in enumerate(_ORDINALS) for word in words.split("|")},
    **{word: place for place, words in enumerate(_CARDINALS) for word in words.split("|")},
}
_ORDINAL = Part(lambda: any_of(*_ORDINALS, _LAST))
_CARDINAL = Part(lambda: rf"(?:{any_of(*_CARDINALS)}|\d{{1,2}}(?![\d%]|[.,]\d))")
_OPTION = Part(lambda: any_of(phrases.OPTION))
_ANSWER = Part(lambda: any_of(phrases.ANSWER))
_JOINED = Part(lambda: rf"\s*(?:[,/&、]|{any_of(phrases.AND)})\s*(?:{any_of('the|die|der|das|la|le|el|il|a|o')}\s+)?")
_NAMED = Pattern(
    lambda: (
        rf"(?P<ordinals>{_ORDINAL}(?:{_JOINED}{_ORDINAL}){{0,9}})\s*[个個つ]?の?\s*(?:{_OPTION}|{_ANSWER})(?P<more>{_JOINED}{_ORDINAL})?"
        rf"|{_OPTION}\s*(?:{any_of(phrases.NUMBER)}\s*)?#?(?P<cardinals>{_CARDINAL}(?:{_JOINED}(?:{_OPTION}\s*)?{_CARDINAL}){{0,9}})"
    )
)
_BARE = Pattern(
    lambda: (
        rf"(?P<ordinal>{_ORDINAL})(?:\s+one(?![a-z])|[个個つ]|(?=\s*(?:[.,;:!)\]\n。、，]|\Z|{any_of(phrases.BEING)})))"
    )
)
_EACH_ORDINAL, _EACH_CARDINAL = Pattern(lambda: str(_ORDINAL)), Pattern(lambda: str(_CARDINAL))
_OWN = Pattern(lambda: rf"{any_of('my|our|your|his|her|their|mein|meine|ma|mon|mi|mia|mio|minha')}\s+\Z")
_ALONE = Pattern(lambda: r"[^\w?]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Words that name an option by its place.

    Attributes:
        start: Where they begin.
        end: Where they end.
        place: Which option is meant, from 0, in the order shown.
    """

    start: int
    end: int
    place: int


def names_places(text: str) -> bool:
    """Whether an option's text, in lower case, speaks of options by their place itself, as "only the first option"."""
    return _NAMED.search(text) is not None


def places(text: str, count: int, asked: Collection[int]) -> Iterator[Place]:
    """All places where a text names one of so many options by its place.

    Args:
        text: The text in lower case.
        count: How many options there are.
        asked: Where an answer is expected, as after "the answer is": there "the second" needs no noun.
    """
    for found in _NAMED.finditer(text):
        if _OWN.search(text, max(0, found.start() - 12), found.start()) is None:
            kind, each = ("ordinals", _EACH_ORDINAL) if found["ordinals"] else ("cardinals", _EACH_CARDINAL)
            yield from _run(each.finditer(text, found.start(kind), found.end()), found.end(), count)
    for place in sorted(asked):
        bare = _BARE.match(text, place) or (_BARE.match(text, place + 2) if text.startswith("a ", place) else None)
        if bare is not None and (named := _place(bare["ordinal"], count)) is not None:
            yield Place(*bare.span(), named)


def _run(words: Iterable[re.Match[str]], end: int, count: int) -> Iterator[Place]:
    """The places that are named together; none where one of them is no option's."""
    found = list(words)
    named = [place for word in found if (place := _place(word.group(), count)) is not None]
    if len(named) == len(found):
        stops = [*(word.end() for word in found[:-1]), end]
        yield from map(Place, (word.start() for word in found), stops, named)


def _place(word: str, count: int) -> int | None:
    named = _PLACES.get(re.sub(r"\s+", " ", word), count - 1)  # the last one is not among them
    place = int(word) - 1 if word.isdigit() else named
    return place if 0 <= place < count else None
