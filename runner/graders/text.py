"""A reply as a reader sees it: reasoning and markup blanked, look-alike characters folded, the way back kept.

Blanking keeps every offset, so what is read can be shown where it stands in the reply.
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .patterns import Pattern
from .words import HIDDEN, SPACED

HEAD, TAIL = 4_096, 16_384
"""Characters at the start and the end that are read of a longer reply: its answer stands there or nowhere."""

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think"
_OPENING = rf"<(?:(?:{_TAGS})>|\|begin_of_thought\|>|\|channel\|>(?:analysis|commentary))|\[think\]|◁think▷"
_CLOSING = (
    rf"<(?:/(?:{_TAGS})>|\|end_of_thought\|>|\|channel\|>final(?:<\|message\|>)?)"
    r"|\[/think\]|◁/think▷|(?<=\S)assistantfinal"
)
_REASONING = Pattern(lambda: f"(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})", re.IGNORECASE)
_REASONING_SIGN = Pattern(lambda: r"[<[◁]|assistantfinal")

_TURN_END = Pattern(lambda: r"<\|(?:eot_id|im_end|endoftext|end_of_text)\|>|<end_of_turn>", re.IGNORECASE)

_FENCE = Pattern(lambda: r"^[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*$", re.MULTILINE)
_DRESS = (
    r"~~[^~\n]{1,200}~~",  # struck out: taken back
    r"<<[^<>\n]{1,100}>>",  # the calculator's notes in GSM8K
    r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|end_of_turn|end_of_text)>",  # tokens that end a turn
    r"</?(?:strong|em|br|p|span|div|code|pre|h[1-6]|li|ul|ol)(?:\s[^<>\n]{0,100})?/?>",
    r"<(?P<tag>[biu])>(?=[^<\n]{0,200}</(?P=tag)>)|(?<=[^\s<>])</[biu]>",
    r"\\(?:text|textbf|textit|textrm|textsf|texttt|mathrm|mathbf|mathit|mathsf|displaystyle|left|right|quad)\b",
    r"\\[()\[\],;:!$ ]|\$",
    r"`+|\*\*+|__+",
    r"(?<![^\W_])[*_](?=\S)|(?<=\S)[*_](?![^\W_])",
    r"^[ \t]*(?:\*(?=[ \t])|#{1,6}(?=[ \t]+[^\W\d])|>+|[-+•·][ \t])",
    r"(?<![\w/])n/a(?![\w/])",  # not the labels N and A
)
_MARKUP = Pattern(lambda: "|".join(_DRESS), re.IGNORECASE | re.MULTILINE)

_MARKUP_SIGN = Pattern(lambda: r"[~<$\\`*_/#>]|^[ \t]*[-+•·] ", re.MULTILINE)

_SPACED = Pattern(lambda: f"[{SPACED}]")
_LEFT_WORD, _RIGHT_WORD = (
    Pattern(lambda: rf"[{SPACED}]'?\Z"),
    Pattern(lambda: rf"[{SPACED}]|'(?!s(?![{SPACED}]))[{SPACED}]"),
)
_ELIDED = Pattern(
    lambda: rf"(?:\A|[^{SPACED}'])(?:[cdjlmnst]|qu|(?:de|a|da|ne|su|co|que|be)ll)'\Z"
)  # l'argento, dell'argento
_LEFT_NUMBER, _RIGHT_NUMBER = (
    Pattern(lambda: r"[-+/^×–—]\Z|\d[.,]\Z"),
    Pattern(lambda: r"[.,:/^]\d| ?[-+*/=×^<>÷–—] ?\d| (?:times|plus|minus|divided) "),
)

_INVISIBLE = Pattern(lambda: f"[{HIDDEN}]+")
_LIKE = {
    **dict.fromkeys(map(ord, "‘’‚‛ʼ´′"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»″「」『』"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2212\ufe63"), "-"),
    **dict.fromkeys(map(ord, "\u0085\u2028\u2029\x0b\x0c"), "\n"),
    ord("\r"): " ",
    ord("\t"): " ",
    ord("٫"): ".",
    ord("٬"): ",",
}
_KEPT_KINDS = ("<super>", "<sub>", "<fraction>")  # ² must not become 2


class _Fold(dict[int, str]):
    """Character to character: full-width, circled and mathematical letters, digits of any script, quotes, dashes."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = folded = _fold_character(character)
        return folded


def _fold_character(character: str) -> str:
    if character.isspace() and character != "\n":
        return " "
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if unicodedata.decomposition(character).startswith(_KEPT_KINDS):
        return character
    wide = unicodedata.normalize("NFKC", character)
    return wide if len(wide) == 1 else character


_FOLD = _Fold(_LIKE)


@lru_cache(maxsize=4096)
def _compose(odd: str) -> str:
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", odd))


def fold(text: str) -> str:
    """Compose and fold look-alikes, with case kept; for texts whose offsets don't matter."""
    return text if is_plain(text) else View.of(text).text


def is_plain(text: str) -> bool:
    """Whether a text is one line of ASCII, in which nothing is composed, folded or dropped."""
    return text.isascii() and text.isprintable()


def _is_accented(base: str) -> bool:
    from .scripts import ACCENTED  # noqa: PLC0415 - see there

    return ACCENTED.match(base) is not None


class _Bare(dict[int, str]):
    """Latin and Greek letters to the same without accents; other scripts have none, but letters of their own."""

    def __missing__(self, code: int) -> str:
        apart = unicodedata.normalize("NFD", chr(code))
        base, marks = apart[0], apart[1:]
        bare = marks and all(map(unicodedata.combining, marks)) and _is_accented(base)
        self[code] = kept = base if bare else chr(code)
        return kept


_BARE = _Bare()


def without_accents(text: str) -> str:
    """The same text, of the same length, with e for é and n for ñ.

    Example:
        >>> without_accents("Málaga, Ødegård, が")
        'Malaga, Ødegard, が'
    """
    return text if text.isascii() else text.translate(_BARE)


def lower(text: str) -> str:
    """Lower case of the same length."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@dataclass(frozen=True)
class View:
    """A text to read, and where each of its characters stands in the source.

    Attributes:
        source: The reply's text as it came.
        text: The text to read.
        offsets: `offsets[i]` is the place of `text[i]` in the source; None where both are aligned.
        stop: Where the source goes on after a text that was cut; None where it ends with the text.
    """

    source: str
    text: str
    offsets: tuple[int, ...] | None = None
    stop: int | None = None

    @classmethod
    def of(cls, source: str) -> "View":
        """Compose, fold look-alikes and drop invisible characters."""
        if source.isascii():
            return cls(source, source if is_plain(source) else source.translate(_FOLD))
        if unicodedata.is_normalized("NFC", source) and not _INVISIBLE.search(source):
            return cls(source, source.translate(_FOLD))
        return cls._composed(source)

    @classmethod
    def _composed(cls, source: str) -> "View":
        from .scripts import ODD  # noqa: PLC0415 - see there

        pieces: list[str] = []
        offsets: list[int] = []
        at = 0
        for odd in ODD.finditer(source):
            start, end = odd.span()
            kept = _compose(source[start:end])
            if at < start:
                pieces.append(source[at:start])
                offsets += range(at, start)
            pieces.append(kept)
            offsets += [start] * len(kept)
            at = end
        offsets += range(at, len(source))
        return cls(source, "".join((*pieces, source[at:])).translate(_FOLD), tuple(offsets))

    @cached_property
    def folded(self) -> str:
        """The text in lower case, aligned with it."""
        return lower(self.text)

    @property
    def blank(self) -> bool:
        """Whether nothing is left to read."""
        return not self.text.strip()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the source of `text[start:end]`."""
        if self.offsets is None:
            return start, end
        last = self.offsets[end - 1]
        after = bisect_left(self.offsets, last + 1)
        if after < len(self.offsets):
            return self.offsets[start], self.offsets[after]
        return self.offsets[start], len(self.source) if self.stop is None else self.stop

    def quote(self, start: int, end: int) -> str:
        """What stands in the source at `text[start:end]`."""
        first, last = self.span(start, end)
        return self.source[first:last]

    def replace(self, text: str) -> "View":
        """Another text of the same length over the same source."""
        return View(self.source, text, self.offsets, self.stop)

    def cut(self, start: int, end: int) -> "View":
        """The part `text[start:end]`, which still knows its place in the source."""
        places = self.offsets or range(len(self.text))
        stop = places[end] if end < len(places) else self.stop
        return View(self.source, self.text[start:end], tuple(places[start:end]), stop)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether neither a word nor a number goes on to either side of a part; `text` is in lower case."""
    left, right = text[max(0, start - 7) : start], text[end : end + 12]
    if _SPACED.match(text[start]) and _LEFT_WORD.search(left) and not _ELIDED.search(left):
        return False
    if _SPACED.match(text[end - 1]) and _RIGHT_WORD.match(right):
        return False
    if text[start].isdigit() and _LEFT_NUMBER.search(left):
        return False
    return not (text[end - 1].isdigit() and _RIGHT_NUMBER.match(right))


def _blank(text: str, pattern: Pattern) -> str:
    return pattern.sub(lambda found: " " * len(found.group()), text)


def without_reasoning(view: View) -> View:
    """Blank what the model thought aloud."""
    return view.replace(blank_reasoning(view.text))


def blank_reasoning(text: str) -> str:
    """Blanks for blocks of reasoning and for all before a lone closing mark; for all, where a block never closes."""
    if not _REASONING_SIGN.search(text):
        return text
    start = None
    parts: list[tuple[int, int]] = []
    for tag in _REASONING.finditer(text):
        if tag["opening"]:
            start = tag.start() if start is None else start
        else:
            parts.append((0 if start is None else start, tag.end()))
            start = None
    if start is not None:
        parts = [(0, len(text))]
    return _blank_parts(text, parts) if parts else text


def _blank_parts(text: str, parts: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in parts:
        pieces += [text[at:start], " " * (end - max(at, start))]
        at = end
    return "".join((*pieces, text[at:]))


def visible(source: str) -> View:
    """The reply without reasoning, up to where its turn ends; what is long is read at its two ends only."""
    view = without_reasoning(View.of(source))
    ended = _TURN_END.search(view.text)
    if ended is not None and view.text[ended.end() :].strip() and view.text[: ended.start()].strip():
        view = view.cut(0, ended.start())
    return ends_of(view)


def ends_of(view: View) -> View:
    """What is long, at its two ends only."""
    if len(view.text) <= HEAD + TAIL:
        return view
    places = view.offsets or range(len(view.text))
    seam = places[HEAD]
    ends = (*places[:HEAD], seam, seam, *places[-TAIL:])
    return View(view.source, f"{view.text[:HEAD]}\n\n{view.text[-TAIL:]}", ends, view.stop)


def without_markup(view: View) -> View:
    """Blank Markdown, HTML and LaTeX that dresses words; a LaTeX box and `<answer>` stay, since they say something."""
    if not _MARKUP_SIGN.search(view.text):
        return view
    return view.replace(_blank(blank_fences(view.text), _MARKUP))


def blank_fences(text: str) -> str:
    """Blanks for the lines that fence code off, with what stands between them kept."""
    return _blank(text, _FENCE)
