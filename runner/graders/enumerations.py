"""Options that a reply names one after another: in a sentence, in a list, or each with a verdict."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from . import phrases
from .announce import DENIED, LEADS, WINDOW
from .claims import accepted, announced, line_start
from .patterns import Part, Pattern
from .scene import Scene
from .words import any_of

_OR = Pattern(lambda: any_of("or|nor|and/or|oder|noch|ou|ni|o|of|eller|lub|или|或|还是|還是|もしくは|か|또는"))
_MARKS = r"[\s\"'()\[\]{}.,;:/&|+、，；·•–-]"
_WORDS = Part(
    lambda: any_of(phrases.AND, phrases.CHOICE, "as well as|along with|also|both|options|letters|choices|items|the")
)
_JOINED = Pattern(lambda: rf"(?:{_MARKS}|{_WORDS})*+")
_REASON = Pattern(lambda: rf"[)\]\"' ]{{0,9}}[,，]?\s*{any_of(phrases.FOLLOWER)}")
_SET_AGAINST = Pattern(
    lambda: rf"[)\]\"' ]{{0,9}}[,，;]?\s*(?:{any_of(phrases.BUT)}\s*)?{any_of(phrases.NOT)}[\s(\[\"']{{0,4}}"
)
_MORE = Pattern(lambda: rf"[)\]\"']*\s*,?\s*{any_of(phrases.AND)}(?!\s*{any_of(phrases.NOT)})")
_LAST_ON_LINE = Pattern(lambda: r"[^\w?\n]*(?=\n|\Z)")
_LINE = Pattern(lambda: r"[^\n]+")
_LED = Pattern(lambda: rf"(?:[\s\"'(\[{{:=<>*#|,，-]|{LEADS})*+")
_SENTENCE = Pattern(lambda: r"\A|\n|(?<=[.!?])\s|(?<=[。！？])")
_ARE = Part(lambda: any_of(phrases.COPULA, "sind|sont|son|são|sono|zijn|wären|seraient"))
_ANSWERS = (
    "answers|letters|labels|antworten|buchstaben|réponses|reponses|lettres|respuestas|letras|respostas|risposte|"
    "lettere|antwoorden|ответы|відповіді|odpowiedzi"
)
_HEAD = Pattern(
    lambda: (
        rf"(?:{any_of(phrases.BEST, 'selected|chosen|applicable|following')}\s+){{1,4}}"
        rf"{any_of('options|choices|statements|ones|alternatives|items|option|choice|statement|one', _ANSWERS)}"
        rf"\s*(?:{_ARE})?\s*[:：]?"
        rf"|{any_of(_ANSWERS)}\s*(?:{_ARE}|[:：])"
        rf"|{any_of('selected|selection|chosen|picked|correct|right')}\s*[:：]"
    )
)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Options that are named together as the answer.

    Attributes:
        options: The canonical options; None where it can't be told which are meant.
        first: The number of the first mention.
        last: The number of the last mention.
        final: Whether the words say that nothing follows: a box, "final answer".
    """

    options: frozenset[int] | None
    first: int
    last: int
    final: bool = False


def enumerations(scene: Scene) -> list[Enumeration]:
    """What a passage says is the answer, in order; the plainest way of saying it that it has counts alone."""
    for way in (_announced, _judged, _accepted, _on_lines, _in_sentences):
        found = sorted(way(scene), key=lambda each: each.last)
        if found:
            return found
    return []


def _announced(scene: Scene) -> Iterator[Enumeration]:
    """What follows "The answer is", "Correct options:" and the like."""
    heads = {number for head in _HEAD.finditer(scene.text) if (number := _after_head(scene, head)) is not None}
    plain = {bisect_left(scene.starts, claim.mention): claim for claim in announced(scene) if claim.rank == "announced"}
    for announcement in scene.announcements:
        number = announcement.first(scene.starts)
        if number < len(scene.mentions) and number not in plain and len(_joined(scene, number)) > 1:
            heads.add(number)
    begun = {scene.runs[number].start if number not in heads else number for number in plain} | heads
    covered = -1
    for number in sorted(begun):
        if number > covered and not scene.rejected[number]:
            claim = plain.get(number)
            found = _members(scene, number, final=claim is not None and claim.final)
            covered = found.last
            yield found


def _after_head(scene: Scene, head: re.Match[str]) -> int | None:
    """The mention that a heading is followed by; None where there is none, or the heading is denied or asked."""
    if DENIED.search(scene.text[max(0, head.start() - WINDOW) : head.start()]) or scene.is_asked(head.start()):
        return None
    number = bisect_left(scene.starts, head.end())
    if number < len(scene.mentions) and _JOINED.fullmatch(scene.text, head.end(), scene.starts[number]):
        return number
    return None


def _judged(scene: Scene) -> Iterator[Enumeration]:
    """A table with one line an option and a verdict on each: "A: true"."""
    lines = [line_start(scene, *line.span()) for line in _LINE.finditer(scene.text)]
    judged = {number: scene.verdict(number) for number in lines if number is not None}
    if len(judged) > 1 and None not in judged.values():
        right = [number for number, verdict in judged.items() if verdict]
        if right:
            yield _whole(scene, right)


def _accepted(scene: Scene) -> Iterator[Enumeration]:
    """All that are called right, where all others are called wrong or not named."""
    right: list[int] = []
    for claim in accepted(scene):
        number = bisect_left(scene.starts, claim.mention)
        run = scene.runs[number]
        right += run if scene.is_joint(run) and number == run.stop - 1 else (number,)
    if right:
        whole = _whole(scene, sorted(right))
        others = [n for n, mention in enumerate(scene.mentions) if mention.exact and n not in right]
        chosen = whole.options or frozenset()
        clear = all(scene.rejected[n] or scene.mentions[n].answers <= chosen for n in others)
        yield whole if clear else Enumeration(None, whole.first, whole.last)


def _on_lines(scene: Scene) -> Iterator[Enumeration]:
    """The first or the last line, where it names options and nothing else; or the list that it belongs to."""
    lines = [line.span() for line in _LINE.finditer(scene.text) if not line.group().isspace()]
    numbers = [_first_on_line(scene, *line) for line in lines]
    ends = (0, _list_start(numbers)) if lines else ()
    for number in (numbers[at] for at in dict.fromkeys(ends)):
        if number is not None and not scene.rejected[number] and _ends(scene, _joined(scene, number)[-1]):
            yield _members(scene, number)


def _list_start(numbers: list[int | None]) -> int:
    """The first of the last lines that all begin with an option."""
    at = len(numbers) - 1
    while at > 0 and numbers[at] is not None and numbers[at - 1] is not None:
        at -= 1
    return at


def _first_on_line(scene: Scene, start: int, end: int) -> int | None:
    number = line_start(scene, start, end)
    if number is None and (opening := _JOINED.match(scene.text, start, end)):
        found = bisect_left(scene.starts, start)
        number = found if found < len(scene.starts) and scene.starts[found] <= opening.end() else None
    return number


def _in_sentences(scene: Scene) -> Iterator[Enumeration]:
    """Sentences that say nothing but some options: "So A and C."."""
    covered = -1
    for begin in _SENTENCE.finditer(scene.text):
        lead = _LED.match(scene.text, begin.end())
        number = bisect_left(scene.starts, begin.end())
        if lead is None or number >= len(scene.mentions) or number <= covered or scene.starts[number] > lead.end():
            continue
        last = _joined(scene, number)[-1]
        if not scene.rejected[number] and not scene.is_questioned(last) and _ends(scene, last):
            covered = last
            yield _members(scene, number)


def _ends(scene: Scene, number: int) -> bool:
    """Whether a mention ends its line or sentence, or is followed by a reason, or by another that is denied."""
    mention = scene.mentions[number]
    ended = mention.after == "end" and not scene.is_questioned(number)
    against = number + 1 < len(scene.mentions) and _SET_AGAINST.fullmatch(
        scene.text, mention.end, scene.starts[number + 1]
    )
    return ended or bool(against) or _REASON.match(scene.text, mention.end) is not None


def _members(scene: Scene, first: int, *, final: bool = False) -> Enumeration:
    """The enumeration or the list that begins with a mention."""
    numbers = _joined(scene, first)
    items, strays = _list_items(scene, first, numbers[-1])
    numbers += items
    whole = _whole(scene, numbers)
    chosen = whole.options or frozenset()
    unclear = (
        any(not scene.mentions[n].answers <= chosen for n in (*strays, *_later_in_sentence(scene, numbers[-1])))
        or _has_or(scene, numbers)
        or _MORE.match(scene.text, scene.mentions[numbers[-1]].end) is not None
    )
    if unclear:
        return Enumeration(None, first, numbers[-1])
    end = scene.mentions[numbers[-1]].end
    return Enumeration(whole.options, first, numbers[-1], final and scene.text[end : end + 1] in {"}", "<"})


def _whole(scene: Scene, numbers: list[int]) -> Enumeration:
    """These mentions together; unclear where one of them may mean several options."""
    answers = [scene.mentions[number].answers for number in numbers]
    clear = all(len(each) == 1 for each in answers)
    return Enumeration(frozenset().union(*answers) if clear else None, numbers[0], numbers[-1])


def _joined(scene: Scene, first: int) -> list[int]:
    """The mentions that follow one another with nothing but commas, line breaks and "and" between."""
    numbers = [first]
    for number in range(first + 1, len(scene.mentions)):
        before, mention = scene.mentions[number - 1], scene.mentions[number]
        if scene.rejected[number] or not _JOINED.fullmatch(scene.text, before.end, mention.start):
            break
        if "\n" in scene.text[before.end : mention.start] and mention.after != "end":
            break
        numbers.append(number)
    return numbers


def _list_items(scene: Scene, first: int, last: int) -> tuple[list[int], list[int]]:
    """Later mentions that begin a line: those of the same list, and those beyond it.

    Where the first mention begins no line there is no list, and all are beyond.
    """
    items: list[int] = []
    beyond: list[int] = []
    start = scene.text.rfind("\n", 0, scene.starts[first]) + 1
    within = line_start(scene, start, len(scene.text)) == first
    for line in _LINE.finditer(scene.text, scene.mentions[last].end):
        if line.group().isspace() or line.start() == scene.mentions[last].end:
            continue
        number = line_start(scene, *line.span())
        within = within and number is not None
        if number is not None and not scene.rejected[number] and scene.mentions[number].after == "end":
            (items if within else beyond).append(number)
    return items, beyond


def _later_in_sentence(scene: Scene, last: int) -> Iterator[int]:
    """Options that the same sentence goes on to name without denying them."""
    end = min(scene.clause_end(scene.mentions[last].end), _line_end(scene, last))
    for number in range(last + 1, bisect_left(scene.starts, end)):
        if scene.mentions[number].exact and not scene.rejected[number]:
            yield number


def _line_end(scene: Scene, number: int) -> int:
    end = scene.text.find("\n", scene.mentions[number].end)
    return len(scene.text) if end < 0 else end


def _has_or(scene: Scene, numbers: list[int]) -> bool:
    gaps = ((scene.mentions[n - 1].end, scene.mentions[n].start) for n in numbers[1:])
    return any(_OR.search(scene.text, start, end) and "\n" not in scene.text[start:end] for start, end in gaps)
