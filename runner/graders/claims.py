"""What a reply claims to be the answer, from the plainest way of saying it to the faintest."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from . import phrases
from .announce import LEADS, Announcement
from .mentions import Mention
from .patterns import Part, Pattern
from .scene import Scene
from .words import any_of

Rank = Literal["announced", "accepted", "line", "sentence", "mentioned"]

_CLAUSE = Part(lambda: any_of(phrases.BUT))
_CORRECTION = Pattern(lambda: rf"[\s,，]*{any_of(phrases.CONTRAST)}")
_SENTENCE = Pattern(
    lambda: (
        rf"(?:\A|\n|[.!?][\"')]*\s|[。！？；]|;\s|[—–]\s|[,，]\s*(?={_CLAUSE}|[选選]))[\s\"'(\[]*(?P<clause>{_CLAUSE}[\s,，、]*)?"
        rf"(?P<led>(?:{LEADS}[\s,:!\"'(\[]*)++)"
    )
)
_LED = Pattern(
    lambda: (
        rf"(?:{any_of(phrases.LINK, phrases.COPULA, phrases.CHOOSING, phrases.LEAVING, phrases.BUT)}|[:=→⇒>(—–])"
        r"[\s\"'(\[]*\Z"
    )
)
_CONTRAST = Pattern(
    lambda: rf"[\s)\]}}\"']{{0,3}}(?:[,;，；—–-]\s*(?:{LEADS}\s*)+|[,，]?\s*{_CLAUSE}\s*(?:{LEADS}\s*)*)[、\s(\[\"']*"
)
_CONCLUSION = Pattern(lambda: rf"(?:\A|\n|[.!?]\s)\s*{any_of(phrases.CONCLUDING)}")
_LINE = Pattern(lambda: r"[^\n]+")
_OPENING = Pattern(lambda: r"[^\w\n]*(?:\d{1,2}[.)] +[^\w\n]*)?")
_FREE = Pattern(
    lambda: (
        rf"(?:\A|[.!?\n;:,(—–。，、]|{any_of(phrases.LINK, phrases.COPULA, phrases.AND, phrases.BUT)}"
        rf"|{any_of(phrases.CHOICE, phrases.ANSWER)})[\s\"'(\[]*\Z"
    )
)
_ALSO = Pattern(lambda: any_of("also|auch|aussi|también|anche|também|too"))
_ALIKE = Pattern(lambda: rf"{any_of(phrases.ALIKE)} +(?:the +)?\Z")
_NAME = Pattern(
    lambda: r"(?<!\w)(?!(?:The|In|At|From|To|With|By|On|For|It|Is|So|And|But|That|This|Answer)\s)[A-Z]\w+ \Z"
)
_LONE = Pattern(lambda: r"[^\w?]*")
_COMMA = Pattern(
    lambda: (
        rf"[)\]]?[,，]\s*(?:{any_of(phrases.FOLLOWER, phrases.NOT)}|\Z"
        rf"|(?:{any_of(phrases.LINK)}\s*){{1,4}}(?:[.!]|\n|\Z))"
    )
)
_CAPITAL = Pattern(lambda: r"[)\]] +[A-Z]")
_UNKNOWING = Pattern(lambda: any_of(phrases.UNKNOWING))
_VERB_LAST = Pattern(
    lambda: (
        r"[\s)\]}\"'）】]{0,4}(?:(?:だ|です|である|でしょう|だろう)(?:と(?:思います|思う|考えます|考える))?"
        r"|(?:이|인)?(?:입니다|이다|예요|에요|라고 (?:생각|봅니다|판단)|일 것|것 같)[\w ]{0,8})\s*(?:[。.!！]|\n|\Z)"
    )
)
_ONLY = Part(lambda: any_of("only|nur|seul|seule|sólo|solo|soltanto|apenas"))
_ARTICLE = Part(lambda: any_of("the|der|die|das|le|la|el|il|o|a"))
_SOLELY = Pattern(lambda: rf"{_ONLY} +(?:{_ARTICLE} +)?\Z")
_CONCLUDING = Pattern(lambda: rf"(?:{any_of(phrases.COPULA)}|[=:→⇒])[\s(]*\Z")


@dataclass(frozen=True, slots=True)
class Claim:
    """A mention that says that this option is the answer.

    Attributes:
        rank: `announced` ("the answer is B"), `accepted` ("B is correct"), `line` (a first or last line that is or
            begins with it), `sentence` ("So B."), `mentioned` (no other option is).
        start: Where the claim begins, its announcement included.
        end: Where its mention ends.
        mention: Where its mention begins.
        answers: The options that it may mean.
        by_label: Whether a label names it.
        final: Whether the words say that nothing follows: a box, "final answer".
    """

    rank: Rank
    start: int
    end: int
    mention: int
    answers: frozenset[int]
    by_label: bool
    final: bool = False


def claims(scene: Scene) -> list[Claim]:
    """All claims but those of rank `mentioned`, in order."""
    found = [
        *announced(scene),
        *accepted(scene),
        *contrasted(scene),
        *lines(scene),
        *sentences(scene),
        *concluded(scene),
        *ended(scene),
    ]
    return sorted(found, key=lambda claim: (claim.end, claim.start))


def _claim(scene: Scene, rank: Rank, number: int, start: int, *, final: bool = False) -> Claim:
    mention = scene.mentions[number]
    return Claim(rank, start, mention.end, mention.start, scene.rivals(number), mention.label is not None, final)


def announced(scene: Scene) -> Iterator[Claim]:
    """What stands right after an announcement; or what alone is asserted in the rest of its sentence."""
    for announcement in scene.announcements:
        if _is_inside(scene, announcement.start):
            continue  # the words are an option's own, as "solution" at the end of "saline solution"
        number = announcement.first(scene.starts)
        begins = number < len(scene.mentions) and scene.starts[number] <= announcement.at
        final = announcement.kind == "final"
        if begins and _is_plain(scene, number) and not scene.rejected[number]:
            rank: Rank = "accepted" if announcement.kind == "numbered" else "announced"
            yield _claim(scene, rank, number, announcement.start, final=final)
        elif announcement.assertive:
            yield from _asserted(scene, announcement)


def _is_plain(scene: Scene, number: int) -> bool:
    """Whether a mention right after an announcement is a label or an option, not a word that looks like one."""
    mention = scene.mentions[number]
    if mention.marked or (mention.texts and not mention.weak):
        return True
    if not mention.exact or scene.view.text[mention.start : mention.end] == "I":
        return mention.after in ("end", "comma", "particle") if mention.exact else mention.after == "end"
    if scene.options.lettered or mention.weak:
        return mention.after not in ("verdict", "word")
    return mention.after in ("end", "comma", "because", "particle")


def _asserted(scene: Scene, announcement: Announcement) -> Iterator[Claim]:
    end = scene.clause_end(announcement.at)
    numbers = range(bisect_left(scene.starts, announcement.stop), bisect_left(scene.starts, end))
    positive = [number for number in numbers if not scene.rejected[number] and _is_led(scene, scene.mentions[number])]
    if not positive or _is_unknowing(scene, announcement.stop, end):
        return
    claim = _claim(scene, "announced", positive[-1], announcement.start, final=announcement.kind == "final")
    yield replace(claim, answers=frozenset().union(*(scene.rivals(number) for number in positive)))


def _is_led(scene: Scene, mention: Mention) -> bool:
    """Whether a mention amid a sentence names an option beyond doubt."""
    if mention.marked or (mention.texts and not mention.weak):
        return True
    bare = mention.exact and mention.after in ("end", "comma", "because", "particle")
    return bare and _is_before(scene.text, _LED, mention)


def _is_before(text: str, pattern: Pattern, mention: Mention) -> bool:
    return pattern.search(text[max(0, mention.start - 40) : mention.start]) is not None


def _is_unknowing(scene: Scene, start: int, end: int) -> bool:
    """Whether a part of the reply says that it gives no answer, in words that are no option's."""
    return any(
        not any(mention.texts and mention.start <= found.start() < mention.end for mention in scene.mentions)
        for found in _UNKNOWING.finditer(scene.text, start, end)
    )


def accepted(scene: Scene) -> Iterator[Claim]:
    """Options that the words after them call right."""
    for number, mention in enumerate(scene.mentions):
        named = mention.marked or mention.texts or (mention.exact and _is_free(scene, number))
        if named and not scene.rejected[number] and scene.is_accepted(number):
            yield _claim(scene, "accepted", number, mention.start)


def _is_free(scene: Scene, number: int) -> bool:
    """Whether a bare label stands where a clause begins, or where a table or a list judges it."""
    return bool(scene.verdict(number)) or _is_before(scene.text, _FREE, scene.mentions[number])


def contrasted(scene: Scene) -> Iterator[Claim]:
    """Options set against one that is denied: "not A but B"."""
    for number in range(1, len(scene.mentions)):
        before, mention = scene.mentions[number - 1], scene.mentions[number]
        against = scene.rejected[number - 1] and not scene.rejected[number] and mention.after != "word"
        if against and mention.exact and _CONTRAST.fullmatch(scene.text, before.end, mention.start):
            yield _claim(scene, "accepted", number, mention.start)


def lines(scene: Scene) -> Iterator[Claim]:
    """A first or last line that is an option, or begins with one; not a line of a list of the options."""
    spans = [line.span() for line in _LINE.finditer(scene.text) if not line.group().isspace()]
    spans = [span for span in spans if not _is_inside(scene, span[0])]
    for at in dict.fromkeys((0, len(spans) - 1)) if spans else ():
        number = line_start(scene, *spans[at])
        if number is None or scene.rejected[number]:
            continue
        neighbour = spans[at + 1 : at + 2] if at == 0 else spans[at - 1 : at]
        step = 1 if at == 0 else -1
        if _is_line(scene, number, spans[at], alone=len(spans) == 1) and not _is_listed(scene, number, neighbour, step):
            yield _claim(scene, "line", number, spans[at][0])


def _is_inside(scene: Scene, place: int) -> bool:
    """Whether a line begins within a mention: of an option of several lines."""
    number = bisect_left(scene.starts, place) - 1
    return number >= 0 and scene.mentions[number].end > place


def line_start(scene: Scene, start: int, end: int) -> int | None:
    """The number of the mention that a line begins with."""
    opening = _OPENING.match(scene.text, start, end)
    number = bisect_left(scene.starts, start)
    begins = number < len(scene.mentions) and opening is not None and scene.starts[number] <= opening.end()
    return number if begins else None


def _is_line(scene: Scene, number: int, line: tuple[int, int], *, alone: bool) -> bool:
    mention = scene.mentions[number]
    if _LONE.fullmatch(scene.text, scene.mentions[scene.runs[number].stop - 1].end, line[1]):
        return True
    if scene.is_questioned(number):
        return alone and _LONE.fullmatch(scene.text.rstrip("?\"') \n"), mention.end) is not None
    if _is_reasoned(scene, mention):
        if mention.label is None and mention.after == "because":
            return not _has_rival_text(scene, number)
        return mention.exact or bool(mention.texts) or (alone and scene.options.lettered)
    if mention.texts:
        paired = mention.label is not None and mention.place is not None
        return paired or (mention.weak and mention.after == "comma")
    written = mention.exact or alone
    return scene.options.lettered and written and _CAPITAL.match(scene.view.text, mention.end) is not None


def _has_rival_text(scene: Scene, number: int) -> bool:
    """Whether another option is told in a sentence of its own words, as where options are causes and effects."""
    answers = scene.mentions[number].answers
    others = [n for n, mention in enumerate(scene.mentions) if mention.answers != answers and not scene.rejected[n]]
    return any(" " in scene.text[scene.mentions[n].start : scene.mentions[n].end] for n in others)


def _is_reasoned(scene: Scene, mention: Mention) -> bool:
    """Whether what follows a mention ends the sentence, or begins with a reason."""
    return mention.after in ("end", "because") or _COMMA.match(scene.text, mention.end) is not None


def _is_listed(scene: Scene, number: int, neighbour: list[tuple[int, int]], step: int) -> bool:
    """Whether the line before or after begins with the neighbouring label, as in a list of all options."""
    other = line_start(scene, *neighbour[0]) if neighbour else None
    if other is None or scene.rejected[other] or "\n\n" in scene.text[neighbour[0][1] : scene.starts[number]]:
        return False
    here, there = scene.mentions[number].place, scene.mentions[other].place
    return here is not None and there == here + step


def sentences(scene: Scene) -> Iterator[Claim]:
    """Sentences that say nothing but an option: "So B.", "I think it is (C), because"."""
    for sentence in _SENTENCE.finditer(scene.text):
        number = bisect_left(scene.starts, sentence.start("led"))
        if number == len(scene.mentions) or scene.starts[number] > sentence.end():
            continue
        if _is_inside(scene, sentence.start("led")):
            continue  # the words that lead are an option's own
        mention = scene.mentions[number]
        concludes = mention.label is not None and mention.after == "end" and sentence["clause"]
        if mention.start == sentence.start("led") and not mention.weak and not concludes:
            continue  # the words that lead are the option's own, as in "The match was cancelled because"
        only = "only" in sentence["led"] and mention.after == "verdict"
        plain = _is_reasoned(scene, _closing(scene, number)) or only if mention.exact else mention.after == "end"
        corrects = sentence.start() > 0 and _CORRECTION.match(sentence.group()) is not None
        adds = corrects and _ALSO.search(sentence["led"]) is not None
        if plain and not adds and not scene.rejected[number] and not scene.is_questioned(number):
            yield _claim(scene, "announced" if corrects else "sentence", number, sentence.start("led"))


def _closing(scene: Scene, number: int) -> Mention:
    """The last of the mentions that say the same one after another, as in "B, Paris"."""
    run = [scene.mentions[other] for other in scene.runs[number] if other >= number]
    return run[-1] if all(mention.answers == run[0].answers for mention in run) else run[0]


def concluded(scene: Scene) -> Iterator[Claim]:
    """Sentences that draw a conclusion, end with an option and name no other: "Therefore the gas is neon."."""
    for conclusion in _CONCLUSION.finditer(scene.text):
        end = scene.clause_end(conclusion.end())
        numbers = range(bisect_left(scene.starts, conclusion.end()), bisect_left(scene.starts, end))
        if not numbers or len(frozenset().union(*(scene.mentions[n].answers for n in numbers))) > 1:
            continue
        mention, rejected = scene.mentions[numbers[-1]], any(scene.rejected[n] for n in numbers)
        plain = mention.exact and not mention.weak and (mention.marked or (mention.texts and mention.label is None))
        if (
            plain
            and not rejected
            and _LONE.fullmatch(scene.text, mention.end, end)
            and not scene.is_questioned(numbers[-1])
        ):
            yield _claim(scene, "sentence", numbers[-1], conclusion.start())


def ended(scene: Scene) -> Iterator[Claim]:
    """Clauses that name an option and end with the verb, in languages that put it last: "Bだと思います。"."""
    for number, mention in enumerate(scene.mentions):
        said = mention.exact and not mention.weak and not scene.rejected[number]
        if said and _VERB_LAST.match(scene.text, mention.end) and _is_before(scene.text, _FREE, mention):
            yield _claim(scene, "sentence", number, mention.start)


def mentioned(scene: Scene) -> Claim | None:
    """The only option that the reply names, where its first or last sentence does so and it doesn't say otherwise."""
    if _is_unknowing(scene, 0, len(scene.text)):
        return None
    named = [n for n, mention in enumerate(scene.mentions) if mention.exact and not scene.is_aside(n)]
    telling = [n for n in named if not scene.rejected[n] and _is_telling(scene, n)]
    if not telling or len(frozenset().union(*(scene.mentions[n].answers for n in named))) > 1:
        return None
    return _claim(scene, "mentioned", telling[-1], scene.mentions[telling[-1]].start)


def _is_telling(scene: Scene, number: int) -> bool:
    mention = scene.mentions[number]
    first = not scene.text[: scene.sentence(mention.start)[0]].strip()
    last = not scene.text[scene.clause_end(mention.end) :].strip()
    if not (first or last) or scene.is_questioned(number) or scene.is_conditional(mention.start):
        return False
    spelled = scene.text[mention.start : mention.end]
    named = " " not in spelled and _is_before(scene.view.text, _NAME, mention)
    if named or _is_before(scene.text, _ALIKE, mention):
        return False
    if mention.texts and not mention.weak and not (spelled.isdigit() and len(spelled) < 3):
        whole = " " in spelled and not scene.options.goes_on(spelled)
        return mention.after != "word" or whole or _is_before(scene.text, _SOLELY, mention)
    concludes = _is_before(scene.text, _CONCLUDING, mention) and _LONE.fullmatch(scene.text, mention.end) is not None
    return concludes and (bool(mention.texts) or mention.marked)
