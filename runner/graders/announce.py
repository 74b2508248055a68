"""Where a reply announces its answer: "The answer is", "Antwort:", a LaTeX box, "I would pick"."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from . import phrases
from .patterns import Part, Pattern
from .text import View
from .words import any_of

Kind = Literal["final", "noun", "result", "numbered", "verb", "leaving"]

WINDOW = 120
"""Characters looked at on either side of something; a bound, so that the time stays linear."""

_ANSWER = Part(lambda: any_of(phrases.ANSWER))
_CHOICE = Part(lambda: any_of(phrases.CHOICE))
_RESULT = Part(lambda: any_of(phrases.RESULT))
_BEST = Part(lambda: any_of(phrases.BEST))
_COPULA = Part(lambda: any_of(phrases.COPULA))
_CHOOSING = Part(lambda: any_of(phrases.CHOOSING))
_WORDS = Part(lambda: any_of(phrases.LINK, phrases.COPULA, phrases.CHOICE, phrases.BEST, phrases.ANSWER))
_PUNCTUATION = r"""[\s:=>"'()\[\]{},\-–—→⇒|<*~≈【】《》]"""

GAP = Pattern(lambda: rf"(?:{_WORDS}|{_PUNCTUATION})*+")
"""Words and marks that link an announcement with its answer."""
_LINKED = Part(lambda: rf"(?: +{_WORDS})* *[(\"'\[]*\Z")
_OTHERS = Part(
    lambda: (
        rf"(?:{any_of(phrases.OTHERS)} +(?:(?:might|may|would|could|often|first) +|[a-z]+s +){{0,3}}"
        rf"{any_of(phrases.OPINING)}"
        r"|(?<![a-z])it +(?:is|was|ha[sd] +been|can +be|could +be|might +be) +(?:[a-z]+ly +|often +|sometimes +)?"
        r"(?:argued|said|claimed|suggested|believed|thought|assumed|rumou?red|reported|stated)"
        rf"|{any_of(phrases.REPORTED)}),?"
    )
)
NEGATED = Pattern(lambda: rf"{any_of(phrases.NOT)}{_LINKED}")
"""What denies whatever follows the searched text."""
_DOUBT = r"(?<!no )(?<!any )(?<!little )(?<!out )(?<!out a )(?<![a-z])doubt[a-z]*"
DENIED = Pattern(
    lambda: rf"(?:{any_of(phrases.NOT, phrases.SUPPOSING, phrases.COMPARING)}|{_DOUBT}|{_OTHERS}){_LINKED}"
)
"""What denies, doubts or supposes it."""
UNSURE = Pattern(lambda: rf"(?:{any_of(phrases.NOT, phrases.DOUBTING, phrases.COMPARING)}|{_DOUBT}|{_OTHERS}){_LINKED}")
"""The same of a number: "there were 5" supposes nothing."""
COMPARED = Pattern(lambda: rf"{any_of(phrases.COMPARING)}{_LINKED}")
"""What sets it beside something else."""
_IF = Pattern(lambda: any_of(phrases.IF))

_NOUN_GAP = Pattern(lambda: rf"[.]?(?:,\s*{any_of(phrases.INSERTED)}\s*,|{_WORDS}|{_CHOOSING}|{_PUNCTUATION})*+")
_SUBJECT = Part(lambda: rf"{any_of(phrases.SUBJECT)}(?: +{any_of(phrases.AUXILIARY)}){{0,6}} *")
_BESTS = Part(lambda: any_of(phrases.BEST, "only|remaining|single"))
_MARK = Pattern(
    lambda: "|".join(
        (
            rf"(?P<final>\\(?:f?boxed|fbox)\s*\{{|<answer>|####|(?:final|最终|最終|최종) *{_ANSWER})",
            rf"(?P<noun>(?:{_BEST} *){{0,4}}{_ANSWER}(?! +(?:options|choices|format))(?: +{_BEST})?|{_CHOICE} +{_BEST}",
            rf"(?:{_BESTS} *){{1,4}}(?:{_CHOICE}|{_RESULT}|one(?![a-z])))",
            rf"(?P<result>{_RESULT})",
            rf"(?P<verb>{_SUBJECT}{_CHOOSING})",
            rf"(?P<leaving>{any_of(phrases.LEAVING)})",
        )
    )
)
_SIGN = Pattern(lambda: r"\\f?box|<answer>|####")
_ASSERTIVE = Pattern(lambda: rf"[:=→⇒>|\n]|{_COPULA}")
_CHOICES = Pattern(lambda: r" *[(\[][^()\[\]\n]{0,30}(?:[/,|–-]| or )[^()\[\]\n]{0,30}[)\]](?= *[:=])")
_AMONG = Pattern(lambda: rf" +{any_of(phrases.AMONG)} [^.:;?\n]{{1,80}}? {_COPULA}")
_TAIL = Pattern(lambda: rf"(?: +[^\s.,:;!?()\"]+){{1,10}}? *(?:{_COPULA}|[:=])")
_OTHER_QUESTION = Pattern(lambda: any_of("previous|last|other|earlier|first|next"))
_NUMBERED = Pattern(lambda: r"\s*#?\d{1,2}\s*[:.]")
_RIVAL = Pattern(lambda: rf"{any_of(phrases.RIVAL)} *(?:{_BEST} *)?\Z")

WHEN = "if|wenn|falls|sofern|provided|assuming|jeśli|если|eğer|如果|假如"
"""How a condition begins that stands after an answer."""
NO_MUSING = (
    r"(?!\s+(?:i|we|you|one|my|not|so|any|anything|possible|needed|necessary|correct|true|pressed|forced|asked|pushed|"
    r"ich|wir|man|du|nötig|je|nous|on|yo|no|tuviera|tuviese|tengo|hay|io|dovessi|devo|non|eu|não|tivesse|я|мы)(?![a-z]))"
)
"""What makes of a condition no musing and no step: "if I had to guess", "if we add them"."""
_PLAIN_IF = "if|wenn|falls|jeśli|если|如果|假如|若|もし"
_UNDER_CONDITION = Pattern(
    lambda: (
        rf"[\s\"'(]*(?:(?:but|so|and|then|aber|mais|pero|ma|mas|но)\s+)?(?:{any_of(_PLAIN_IF)}"
        rf"|{any_of('si|se')}(?!\s+trat)(?=[^.!?\n]{{1,90}},)){NO_MUSING}"
    )
)
_WOULD = Pattern(lambda: any_of("would be|would have been|wäre|serait|sería|sarebbe|seria|был бы|была бы|zou zijn"))
_BUT = Pattern(lambda: rf"[,;—–]\s*{any_of('but|however|except|aber|doch|mais|pero|ma|mas|maar|но|但')}")
_HEADER = Pattern(lambda: r"[^\n]{0,200}\|?[ ]*\n[ |:-]*--[ |:-]*(?:\n|\Z)")

LEADS = Part(lambda: any_of(
    phrases.LINK, phrases.COPULA, phrases.CHOICE, phrases.BEST, phrases.ANSWER, phrases.CHOOSING, phrases.OPENING,
))  # fmt: skip
"""A word that may stand before an answer and says nothing else."""
LEADING = Pattern(lambda: rf"[.]?(?:[\s\"'(\[{{:=<>*#|-]|\\f?boxed|{LEADS})*+")
"""What may stand before an answer that is the first thing said."""
_REFUSAL = Pattern(lambda: any_of(phrases.REFUSAL))
_SENTENCE_START = r"(?:\A|\n|\(|[.!?\"')]\s|[。！？])[\s\"'(]*(?:but\s+|no,?\s+|hmm,?\s+|oh,?\s+)?"
TAKEN_BACK = Pattern(
    lambda: (
        rf"(?:{_SENTENCE_START}{any_of(phrases.TAKEN_BACK)}|(?:[,，;；…—–→]| - )\s*(?:(?:no|oh|nein|non),? +)?"
        rf"(?:{any_of(phrases.RETRACTING)}|{any_of('no|nein|non|não|nee|nej|нет|nie|不')}(?=\s*[,，]))|[\s,;)→>(-]{any_of(phrases.CHANGED)})[\s,.:;!–—-]*"
    )
)
"""A sentence that takes back what was said before."""
BUT_WRONG = Pattern(
    lambda: (
        rf"[\s)\]}}\"',;—–-]{{0,9}}{any_of('but|yet|aber|doch|mais|pero|ma|mas|maar|men|ale|но|但|但是|不过')}\s*"
        rf"{any_of(phrases.TAKEN_BACK)}[\s,.:;!–—-]*"
    )
)
"""Right after an answer: it is taken back in the same sentence."""
DOUBTED = Pattern(
    lambda: rf"{_SENTENCE_START}{any_of(phrases.DOUBTED)}(?:\s*[,.:;!–—-]+\s*|\s+(?=(?:it|the|that|i)(?![a-z])))"
)
"""A sentence that may correct it."""
_MUSING = r"(?:(?:h+m+|oh|ah|well|actually|wait|um|uh)[\s,.…!–—-]+)*+"
JUST_NO = Pattern(lambda: rf"(?<![?？])(?<![?？]\s)(?:\A|(?<=[.!\n。！]))\s*{_MUSING}no[.!…]+(?=\s|\Z)")
"""A sentence that only says no, and not to a question."""
NEXT_QUESTION = Pattern(
    lambda: (
        r"\n[\s#*]*(?:question|q|problem|frage|pregunta|domanda|pergunta|вопрос|问题|問題|문제|user|human)\s*\d*\s*[:：]"
    )
)
"""Where a model that goes on with the next example begins it."""
_SENTENCE_END = Pattern(lambda: r"[.!?](?=[\s\"')\]]|\Z)|[。！？\n]")
_QUESTION = Pattern(
    lambda: (
        rf"[\s\"'(]*(?:[a-z']+,\s+)?{any_of(phrases.ASKING)}|[\s\"'(]*¿|[^.]*[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
    )
)


@dataclass(frozen=True, slots=True)
class Announcement:
    """Words that say that the answer comes now.

    Attributes:
        kind: `final` for a box, `####`, an `<answer>` tag or "final answer"; `noun` for "answer"; `result` for nouns
            that announce only with a colon or a verb; `numbered` for one of several answers; `verb`; `leaving` by
            elimination.
        start: Where the announcement begins in the view.
        stop: Where its own words end.
        near: Where the words end that link it with what follows at once.
        begin: Where they end with what the answer is said to be to, as in "the answer for the 2 boys is".
        at: Where the answer should begin.
        assertive: Whether it says that something is the answer, so that the answer may stand later in the clause.
    """

    kind: Kind
    start: int
    stop: int
    near: int
    begin: int
    at: int
    assertive: bool

    def first(self, starts: Sequence[int]) -> int:
        """The number of the first of these places at which the answer may begin."""
        number = bisect_left(starts, self.stop)
        if number < len(starts) and starts[number] <= self.near:
            return number
        return bisect_left(starts, self.begin)


@dataclass(frozen=True)
class Passage:
    """A view with what the announcement of answers needs to know of it."""

    view: View

    @property
    def text(self) -> str:
        """The text in lower case."""
        return self.view.folded

    @cached_property
    def declines(self) -> bool:
        """Whether the reply begins by declining to answer."""
        return _REFUSAL.search(self.text.lstrip()[: 2 * WINDOW]) is not None

    @cached_property
    def announcements(self) -> tuple[Announcement, ...]:
        """All that announce an answer, in order; denied, supposed and asked ones are left out."""
        found = (self._announcement(mark) for mark in _MARK.finditer(self.text))
        return tuple(announcement for announcement in found if announcement and not self._is_void(announcement))

    def _announcement(self, mark: re.Match[str]) -> Announcement | None:
        start, stop = mark.span()
        if _SIGN.match(self.text, start):
            at = self._after(GAP, stop)
            return Announcement("final", start, stop, at, stop, at, assertive=False)
        choices = _CHOICES.match(self.text, stop) or _AMONG.match(self.text, stop)
        stop = choices.end() if choices else stop
        near = self._after(_NOUN_GAP, stop)
        told = Announcement("final" if mark["final"] else "noun", start, stop, near, stop, near, assertive=False)
        assertive = _ASSERTIVE.search(self.text, mark.end(), near) is not None
        if mark["result"]:
            return replace(told, kind="result") if assertive else None
        if mark["verb"] or mark["leaving"]:
            return replace(told, kind="verb" if mark["verb"] else "leaving")
        return self._of_noun(replace(told, assertive=assertive))

    def _of_noun(self, told: Announcement) -> Announcement | None:
        """The announcement by a noun, with what stands between it and the answer: a number, or what it is to."""
        if numbered := _NUMBERED.match(self.text, told.stop):
            at = self._after(_NOUN_GAP, numbered.end())
            return replace(told, kind="numbered", near=at, at=at, assertive=True)
        tail = None if told.assertive else _TAIL.match(self.text, told.stop)
        if tail is None:
            return told
        if _OTHER_QUESTION.search(tail.group()):
            return None
        return replace(told, begin=tail.end(), at=self._after(_NOUN_GAP, tail.end()), assertive=True)

    def _after(self, gap: Pattern, start: int) -> int:
        found = gap.match(self.text, start, start + WINDOW)
        return found.end() if found else start

    def _is_void(self, announcement: Announcement) -> bool:
        if _SIGN.match(self.text, announcement.start):
            return False
        before = self.text[max(0, announcement.start - WINDOW) : announcement.start]
        if _HEADER.match(self.text, announcement.stop) or self.is_supposed(announcement):
            return True
        if before.endswith("</") or DENIED.search(before) or _RIVAL.search(before):
            return True
        return self.is_asked(announcement.start) or self._is_twice_conditional(announcement.start)

    def is_supposed(self, announcement: Announcement) -> bool:
        """Whether an announcement is of what would be the answer under a condition."""
        start, end = self.sentence(announcement.start)
        if self.is_conditional(announcement.start):
            return True
        would = _WOULD.search(self.text, start, announcement.at)
        return would is not None and _BUT.search(self.text, announcement.at, end) is not None

    def is_conditional(self, position: int) -> bool:
        """Whether the sentence around a position begins with a condition."""
        start, _ = self.sentence(position)
        return _UNDER_CONDITION.match(self.text, start, position) is not None

    def _is_twice_conditional(self, position: int) -> bool:
        return sum(1 for _ in _IF.finditer(self.text, *self.sentence(position))) > 1

    def sentence(self, position: int) -> tuple[int, int]:
        """The sentence around a position, at most some hundred characters to either side."""
        first, last = max(0, position - 3 * WINDOW), position + 3 * WINDOW
        ends = [end.end() for end in _SENTENCE_END.finditer(self.text, first, position)]
        stop = _SENTENCE_END.search(self.text, position, last)
        return (ends[-1] if ends else first), (stop.end() if stop else min(last, len(self.text)))

    def is_asked(self, position: int) -> bool:
        """Whether the sentence around a position is a question."""
        start, end = self.sentence(position)
        return self.text[end - 1 : end] in "?？" and end > start and _QUESTION.match(self.text, start, end) is not None

    def clause_end(self, position: int) -> int:
        """Where the sentence that goes on at a position ends."""
        return self.sentence(position)[1]


def last_end(pattern: Pattern, text: str, start: int) -> int | None:
    """Where the last match after a place ends."""
    ends = [found.end() for found in pattern.finditer(text, start)]
    return ends[-1] if ends else None
