"""What a reply says of the options that it mentions: denied, enumerated, called wrong or right."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from . import phrases
from .announce import COMPARED, DENIED, NEGATED, NO_MUSING, WHEN, WINDOW, Passage
from .mentions import Mention
from .options import Options
from .patterns import Part, Pattern
from .verdicts import goes_on, score_end, ticked, verdict
from .words import any_of

_SAID = Part(lambda: any_of(phrases.SAID))
_LINKS = Part(lambda: any_of(phrases.LINK, "a|also|il"))
_UNFIT = Part(lambda: any_of(phrases.MISTAKEN, phrases.UNFIT))
_MISTAKEN_WORD = Part(lambda: any_of(phrases.MISTAKEN))
_ADVERBS = (
    r"(?:(?:what (?:i|you|some|many)(?:'d| would| might)? call|also|clearly|definitely|obviously|both|all|likely|"
    r"probably|therefore|thus|the|a|an|then|simply)\s+)*"
)
_SINCE = r"[\s)\]}\"'.,;!?。！？】]{0,40}(?:项|項|选项|選項|番|번)?[都均也]?"
_REJECTED = Pattern(
    lambda: (
        rf"{_SINCE}(?:(?:that|which)\s+)?{_SAID}\s*{_ADVERBS}{_UNFIT}"
        rf"|{_SINCE}[:—–-]\s*{_ADVERBS}{_UNFIT}(?=\s*(?:[.,;:!)\n—–-]|\Z))"
        rf"|{_SINCE}(?:{any_of(phrases.UNFIT_VERB)}|{any_of(phrases.UNFIT_AFTER)})"
        rf"|{_SINCE},?\s*(?:but|which|although|though)\s+(?:(?:it|that|this|which)\s*)?{_SAID}\s*{_ADVERBS}{_UNFIT}"
    )
)
_MISTAKEN = Pattern(lambda: rf"{_SINCE}(?:{_SAID}\s*{_ADVERBS}{_MISTAKEN_WORD}|{any_of(phrases.UNFIT_AFTER)})")
_ACCEPTED = Pattern(
    lambda: (
        rf"{_SINCE}(?:{_SAID}\s+(?:{_LINKS}\s+)*{any_of(phrases.BEST, phrases.ANSWER)}(?!-)"
        rf"|{any_of(phrases.RIGHT_AFTER)}(?!\s*(?:[이가은는]?\s*아[니닙]|ではな|ではありま|じゃな))"
        rf"|\s+(?:die|der|das|la|le|el|il)\s+{any_of(phrases.BEST)}\s+{any_of(phrases.ANSWER, phrases.CHOICE)}"
        rf"|\s+fits\s+best|\s+makes\s+the\s+most\s+sense|\s+it\s+is[.!]?\s*(?:\n|\Z)"
        rf"|\s*[:—–-]\s*{any_of('correct|right|true|yes')}(?=\s*(?:[.,;!)\n]|\Z)))"
    )
)
_PASSABLE = Pattern(
    lambda: (
        rf"{_SINCE}(?:{_SAID}\s+(?:also|equally|just as)\s+\w+(?<!wrong)(?<!incorrect)(?<!false)"
        r"|\s*works(?=\W)"
        r"|\s*(?:might|could|may) +(?:(?:also|well) +)*be(?: +(?:right|correct|true))?(?: +(?:as +well|too|also))?"
        r"(?=[.,;!\n]|\Z)"
        rf"|\s*{any_of('könnte auch|pourrait aussi|también podría|podría ser también|potrebbe anche|poderia também')})"
    )
)
_ONLY_IF = Pattern(
    lambda: (
        rf"[\s)\]\"']{{0,3}}(?:[,，]?\s*(?:{any_of(phrases.SEEMING)}|(?:only\s+|nur,?\s+)?(?:{any_of(WHEN)}|(?<![,，])"
        rf"(?<![,，] ){any_of('si')}){NO_MUSING}))"
    )
)
"""After an option: it would be the answer under a condition, or only seems to be."""
_ASKED_BACK = Pattern(lambda: r"[\w ]{0,9}\s*[?？]")
_QUALIFIED = Pattern(lambda: any_of(phrases.QUALIFIED))
_BETWEEN = Pattern(
    lambda: (
        rf"[)\]}}\"'.!?。！？\s]{{0,40}}(?:[,;/&|>，、；]|[(,;]?\s*{any_of(phrases.AND)})(?:\s*{any_of(phrases.AND)})?\s*"
        r"(?:(?:maybe|perhaps|possibly|probably|even|the|that is|i\.e\.,?|which is)\s+)*"
        rf"(?:{any_of(phrases.CHOICE)}\s*)?[\s(\[\"'*•-]{{0,6}}"
    )
)
_BESIDE = Pattern(lambda: r"[ .;,?!>|)\]]+[(\[]?")
_MARK = Pattern(lambda: r"[)\]}\"'\s]*\?")
_ALL = ("都", "均")
_AND = Pattern(lambda: any_of(phrases.AND))


@dataclass(frozen=True)
class Scene(Passage):
    """A passage with the options that it speaks of."""

    options: Options

    @cached_property
    def mentions(self) -> list[Mention]:
        """All mentions of options, in order."""
        return self.options.mentions(self.view, [announcement.at for announcement in self.announcements])

    @cached_property
    def starts(self) -> list[int]:
        """Where the mentions start."""
        return [mention.start for mention in self.mentions]

    @cached_property
    def runs(self) -> list[range]:
        """Of each mention, the enumeration it stands in, such as "A, B and C": a range of mention numbers."""
        starts = [number for number in range(len(self.mentions)) if not self._is_enumerated(number)]
        runs: list[range] = []
        for start, stop in pairwise((*starts, len(self.mentions))):
            runs += [range(start, stop)] * (stop - start)
        return runs

    def _is_enumerated(self, number: int) -> bool:
        """Whether a mention goes on with the enumeration of the one before."""
        if number == 0:
            return False
        previous, mention = self.mentions[number - 1], self.mentions[number]
        if _BETWEEN.fullmatch(self.text, previous.end, mention.start):
            return mention.after not in ("verdict", "word") or ";" not in self.text[previous.end : mention.start]
        return mention.after == "end" and _BESIDE.fullmatch(self.text, previous.end, mention.start) is not None

    @cached_property
    def rejected(self) -> list[bool]:
        """Of each mention, whether the reply denies it, supposes it, or calls it wrong."""
        return [self._is_rejected(number) for number in range(len(self.mentions))]

    def _is_rejected(self, number: int) -> bool:
        supposed = _ONLY_IF.match(self.text, self.mentions[number].end) is not None
        return supposed or self.scored[number] or self.is_negated(number) or self.is_preceded(number, DENIED)

    @cached_property
    def scored(self) -> list[bool]:
        """Of each mention, whether it stands in a list that gives a score or a remark to each of several options."""
        ends = [
            None if self.verdict(n) is not None else score_end(self.text, m.end) for n, m in enumerate(self.mentions)
        ]
        scored = [False] * len(ends)
        start = 0
        for number, end in enumerate(ends):
            following = number + 1 < len(ends) and ends[number + 1] is not None
            if end is not None and following and goes_on(self.text, end, self.starts[number + 1]):
                continue
            series = range(start, number + 1)
            start = number + 1
            if end is not None and len(frozenset().union(*(self.mentions[n].answers for n in series))) > 1:
                scored[series.start : series.stop] = [True] * len(series)
        return scored

    def verdict(self, number: int) -> bool | None:
        """Whether a table or a list calls a mention right or wrong; None where it says neither."""
        mention = self.mentions[number]
        told = None if self.options.judging else verdict(self.text, mention.end)
        return ticked(self.text, mention.start) if told is None else told

    def is_negated(self, number: int) -> bool:
        """Whether a mention, or the enumeration it stands in, is denied or called wrong."""
        run = self.runs[number]
        if self.is_preceded(number, NEGATED) or self.is_called_wrong(number):
            return True
        return run.stop - 1 != number and self.is_joint(run) and self.is_called_wrong(run.stop - 1)

    def is_preceded(self, number: int, pattern: Pattern) -> bool:
        """Whether words of a kind stand before a mention, or before the enumeration it stands in."""
        starts = {self.mentions[number].start, self.mentions[self.runs[number].start].start}
        return any(pattern.search(self.text[max(0, start - WINDOW) : start]) for start in starts)

    def is_called_wrong(self, number: int) -> bool:
        """Whether the words after a mention reject it."""
        return self.verdict(number) is False or _REJECTED.match(self.text, self.mentions[number].end) is not None

    def is_joint(self, run: range) -> bool:
        """Whether what is said of an enumeration's last member is said of all."""
        if len(run) < 2:
            return False
        last, before = self.mentions[run.stop - 1], self.mentions[run.stop - 2]
        return _AND.search(self.text, before.end, last.start) is not None or self.text[last.end : last.end + 1] in _ALL

    def spoken(self, pattern: Pattern, start: int, stop: int | None = None) -> Iterator[re.Match[str]]:
        """Where words of a kind are the reply's own, and none of an option's text."""
        for found in pattern.finditer(self.text, start, len(self.text) if stop is None else stop):
            before = bisect_left(self.starts, found.end()) - 1
            if before < 0 or self.mentions[before].end <= found.start():
                yield found

    def rivals(self, number: int) -> frozenset[int]:
        """All that a mention and those enumerated with it may mean, without what is rejected."""
        members = [self.mentions[other] for other in self.runs[number] if other == number or not self.rejected[other]]
        return frozenset().union(*(member.answers for member in members))

    def is_aside(self, number: int) -> bool:
        """Whether a mention is denied or supposed, so that it is no rival to the only other option."""
        return self.rejected[number] and (self.is_negated(number) or not self.is_preceded(number, COMPARED))

    def is_mistaken(self, number: int) -> bool:
        """Whether the words after a mention call it wrong in so many words."""
        return _MISTAKEN.match(self.text, self.mentions[number].end) is not None

    def is_passable(self, number: int) -> bool:
        """Whether the words after a mention grant that it would do as well."""
        return _PASSABLE.match(self.text, self.mentions[number].end) is not None

    def is_questioned(self, number: int) -> bool:
        """Whether a mention stands in a question, or right before a question mark, unless it is a question itself."""
        mention = self.mentions[number]
        if mention.texts and mention.texts <= self.options.asking:
            return False
        return _MARK.match(self.text, mention.end) is not None or self.is_asked(mention.start)

    def is_accepted(self, number: int) -> bool:
        """Whether the words after a mention call it the right one, without a "but"."""
        if self.verdict(number) and not self.is_questioned(number):
            return True
        accepted = _ACCEPTED.match(self.text, self.mentions[number].end)
        if accepted is None or self.is_questioned(number):
            return False
        if _ASKED_BACK.match(self.text, accepted.end()):
            return False
        return _QUALIFIED.search(self.text, accepted.end(), self.clause_end(accepted.end())) is None
