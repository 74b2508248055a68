"""The options of a question as shown, and where a reply mentions them by label or by text."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache

from ..records import AnswerKey
from . import phrases
from .collective import Collective, collectives, synonyms
from .collective_replies import leaves_out
from .mentions import After, Mention, both, of_place, outermost, paired
from .patterns import Part, Pattern
from .places import names_places, places
from .shown import Shown, shown_of, shown_options
from .text import View, lower, stands_alone, without_accents
from .verdicts import is_verdict
from .words import SPACED, any_of

_INTRODUCED = Pattern(lambda: rf"{any_of(phrases.CHOICE)}\s*[:(\[\"'#]*\s*\Z|\b(?:number|no\.)\s*\Z")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "【": "】"}
_KEY = Pattern(lambda: r"\"\s*:")

_END = Part(
    lambda: (
        rf"\s*\Z| *\n| *[\])}}>\"'.:;!?…。、；】」|]+(?![{SPACED}])|</| *[–—→(]| +-+ | *{any_of(phrases.BEING)}"
        r"| +(?:şık|seçene)[^\W\d]{1,9}(?=\s*(?:[.!]|\n|\Z))| +(?:then|here|dann)(?=\s*(?:[.!]|\n|\Z))"
    )
)
_SYMBOL = r" *[\u2190-\u21ff\u2600-\u27bf\U0001f300-\U0001faff]"
_FOLLOWED_BY: tuple[tuple[After, Pattern], ...] = (
    ("end", Pattern(lambda: f"{_END}|{_SYMBOL}", re.IGNORECASE)),
    ("end", Pattern(lambda: r"[.)](?=[A-Z][^.\W])")),  # B.Paris, but not U.S.
    ("particle", Pattern(lambda: rf" *(?=[^\W{SPACED}])", re.IGNORECASE)),
    ("comma", Pattern(lambda: r" *[,/&，、]")),
    ("because", Pattern(lambda: rf"\s+{any_of(phrases.FOLLOWER)}", re.IGNORECASE)),
    ("verdict", Pattern(lambda: rf"\s+{any_of(phrases.VERDICT)}", re.IGNORECASE)),
    ("further", Pattern(lambda: rf"\s+{any_of(phrases.FURTHER)}", re.IGNORECASE)),
)
_LABEL_LEFT = rf"(?<![{SPACED}\\@¬~^])(?<![{SPACED}]['.-])"
_LABEL_RIGHT = rf"(?![{SPACED}#@%_])(?!['-][{SPACED}])(?!\s*[=+^×\\])"
_NUMBER_LEFT = r"(?<![\d.,$€£+*×^/-])"
_NUMBER_RIGHT = r"(?!\d|%|°|[.,:/]\d|\s*[-+*/=×^<>÷]\s*\d)"

_COMPOUND = Pattern(lambda: rf"[{SPACED}][{SPACED}]-\Z")
"""Before a text that is only the end of a longer word: "non-positive"."""
_FUNCTION_WORD = Pattern(
    lambda: (
        r"yes|no|true|false|none|both|all|some|maybe|other|same|more|less|neither|either|always|never|unknown|here|there"
    )
)
_LOOK_ALIKES = str.maketrans("АВСЕНІЈКМОРТХасеіјорхΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIJKMOPTXaceijopxABEZHIKMNOPTX")
"""Cyrillic and Greek letters that look like Latin ones."""
_ASKING = Pattern(lambda: r"[?？][\s\"'”’»」)]*\Z")


@dataclass(frozen=True, eq=False)
class Options(Shown):
    """The options as shown, and what a reply may call them."""

    @cached_property
    def texts(self) -> dict[str, dict[str, int]]:
        """The spellings, and other words for options that stand for all or none of the others."""
        return {**{word: self.spellings[text] for word, text in synonyms(self.spellings).items()}, **self.spellings}

    @cached_property
    def collective(self) -> frozenset[Collective]:
        """Whether one of them stands for all of the others, and whether one does for none."""
        return frozenset(collectives(self.spellings).values())

    @cached_property
    def placed(self) -> bool:
        """Whether "the second option" names one of them; not where the texts speak so themselves."""
        return not any(map(names_places, self.spellings))

    @cached_property
    def judging(self) -> bool:
        """Whether an option's text begins as a verdict on options does."""
        return any(map(is_verdict, self.texts))

    @cached_property
    def asking(self) -> frozenset[int]:
        """Options that are questions."""
        shown = zip(self.written, self.counted, strict=True)
        return frozenset(index for text, index in shown if _ASKING.search(text))

    @cached_property
    def _label_pattern(self) -> re.Pattern[str]:
        numbers = [label for label in self.labels if label.isdigit()]
        letters = [label for label in self.labels if not label.isdigit()]
        parts = []
        if letters:
            parts.append(f"{_LABEL_LEFT}{_alternatives(letters)}{_LABEL_RIGHT}")
        if numbers:
            parts.append(f"{_NUMBER_LEFT}{_LABEL_LEFT}{_alternatives(numbers)}{_LABEL_RIGHT}{_NUMBER_RIGHT}")
        return re.compile("|".join(parts))

    @cached_property
    def _text_pattern(self) -> re.Pattern[str]:
        return re.compile(_alternatives(self.texts))

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each label, in the order shown."""
        return {label: place for place, label in enumerate(self.labels)}

    @property
    def lettered(self) -> bool:
        """Whether the labels are A, B, C: seldom words, and seldom the numbers of steps or statements."""
        return self.shown[0] == "A"

    def mentions(self, view: View, asked: Collection[int] = ()) -> list[Mention]:
        """All mentions in the order of the text: option texts, longest first, and outside of them labels and places.

        Args:
            view: The text.
            asked: Where an answer is expected.
        """
        found = {mention.start: mention for mention in self._text_mentions(view)}
        texts = list(found.values())
        for label in self._label_mentions(view, texts):
            found[label.start] = both(label, found.get(label.start))
        for placed in self._placed_mentions(view, asked):
            inside = [text for text in texts if text.start < placed.end and placed.start < text.end]
            if not inside or inside[0].start == placed.start:
                found[placed.start] = of_place(placed, found.get(placed.start))
        ordered = sorted(found.values(), key=lambda mention: mention.start)
        return list(paired(view.folded, list(outermost(ordered))))

    def goes_on(self, text: str) -> bool:
        """Whether an option's text begins with another's, which would be cut short by it."""
        return any(len(other) > len(text) and other.startswith(text) for other in self.texts)

    def like(self, text: str) -> int | None:
        """The only option that a text may mean: as a label in look-alike letters, or as its text without accents."""
        label = self.labels.get(text.translate(_LOOK_ALIKES).lower()) if not text.isascii() else None
        if label is not None:
            return label
        bare = without_accents(lower(" ".join(text.split())))
        near = {
            option
            for known, spelled in self.texts.items()
            if without_accents(known) == bare
            for option in spelled.values()
        }
        return near.pop() if bare and len(near) == 1 else None

    def _text_mentions(self, view: View) -> Iterator[Mention]:
        for found in self._text_pattern.finditer(view.folded) if self.texts else ():
            less = bool(self.collective) and leaves_out(view.folded, *found.span())
            compound = _COMPOUND.search(view.folded, max(0, found.start() - 3), found.start()) is not None
            if stands_alone(view.folded, *found.span()) and not less and not compound:
                mention = self._text_mention(view, *found.span())
                if mention.exact or mention.end - mention.start > 1:
                    yield mention

    def _text_mention(self, view: View, start: int, end: int) -> Mention:
        folded, spelled = (" ".join(text[start:end].split()) for text in (view.folded, view.text))
        spellings = self.texts[folded]
        exact = spelled in spellings or (
            end - start > 1 and (" " in folded or view.text in (view.folded, view.text.upper()))
        )
        answers = {spellings[spelled]} if spelled in spellings else set(spellings.values())
        after = _after(view, end + _is_bracketed(view.text, start, end))
        return Mention(start, end, texts=frozenset(answers), exact=exact, weak=_is_weak(folded), after=after)

    def _label_mentions(self, view: View, texts: Sequence[Mention]) -> Iterator[Mention]:
        outside = iter(texts)
        text = next(outside, None)
        for found in self._label_pattern.finditer(view.folded):
            start, end = found.span()
            while text is not None and text.end <= start:
                text = next(outside, None)
            outside_text = text is None or end <= text.start or (start, end) == (text.start, text.end)
            prime = view.text[end : end + 1] == "'" != view.text[start - 1 : start]
            if outside_text and not prime and not _KEY.match(view.text, end):
                yield self._label_mention(view, start, end)

    def _placed_mentions(self, view: View, asked: Collection[int]) -> Iterator[Mention]:
        options = list(self.labels.values())
        for named in places(view.folded, len(options), asked) if self.placed else ():
            after = _after(view, named.end)
            yield Mention(named.start, named.end, options[named.place], marked=True, after=after, place=named.place)

    def _label_mention(self, view: View, start: int, end: int) -> Mention:
        label = self.labels[view.folded[start:end]]
        exact = view.text[start:end] in self.shown
        bracketed = _is_bracketed(view.text, start, end)
        marked = bracketed or _INTRODUCED.search(view.folded, max(0, start - 40), start) is not None
        place, after = self.places[view.folded[start:end]], _after(view, end + bracketed)
        return Mention(start, end, label, marked=marked, exact=exact, after=after, place=place)


def _after(view: View, end: int) -> After:
    return next((name for name, pattern in _FOLLOWED_BY if pattern.match(view.text, end)), "word")


def _is_weak(text: str) -> bool:
    return not any(map(str.isdigit, text)) and (len(text) <= 3 or _FUNCTION_WORD.fullmatch(text) is not None)


def _is_bracketed(text: str, start: int, end: int) -> bool:
    return start > 0 and _BRACKETS.get(text[start - 1], "\0") == text[end : end + 1]


@lru_cache(maxsize=256)
def options_of(labels: tuple[str, ...], texts: tuple[str, ...], permutation: tuple[int, ...]) -> Options:
    """The options of a question; see `shown_of`."""
    shown = shown_of(labels, texts, permutation)
    return Options(*(getattr(shown, field.name) for field in fields(shown)))


def options_shown(key: AnswerKey) -> Options:
    """The options of an item as shown.

    Raises:
        UnusableKeyError: It has none.
    """
    shown = shown_options(key)
    return options_of(key.labels, shown.written, tuple(shown.canonical))


def _alternatives(texts: Iterable[str]) -> str:
    longest_first = sorted(texts, key=len, reverse=True)
    return f"(?:{'|'.join(map(_spaced_anyhow, longest_first))})"


def _spaced_anyhow(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))
