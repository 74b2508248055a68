"""Tokens and words that must keep their form: ids, paths, formulas, capitals, names, single letters."""

import re
from collections.abc import Container, Iterator

from ..lexicon.words import is_english_word, is_name, is_stopword, names, words_in
from .spans import Kind, Span

# Scripts that are written without spaces (Thai, Lao, Khmer, Burmese, Japanese, Chinese) and Korean end a token.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
TOKEN = re.compile(rf"[^\s{UNSPACED}]+")
SYMBOL = re.compile(r"[\d_\\/@#=<>^~|$%&*+{}⁰-₟²³¹]|\w[(.:\[]\w|\w\(\)")
HYPHENATED_NUMBER = re.compile(r"\d+(?:[-–](?:\d+|[A-Za-z]+))+")
OPENING = "\"'“‘«‹„[{,;:!?….*`–—"
CLOSING = "\"'”’»›]},;:!?….*~`–—"
BEFORE_SENTENCE = re.compile(r"""(?:^|[.!?:…؟。]["'”’»)\]]*|\n)\s*["'“‘«‹(\[*_#>•-]*\s*$""")
ABBREVIATION = re.compile(
    r"(?<!\w)(?:[A-Z]|Mr|Mrs|Ms|Dr|Drs|Prof|St|Sr|Jr|Mt|Fr|Gen|Gov|Sen|Rep|Lt|Col|Sgt|Capt|Rev|Hon|Fig|Eq|No|Vol|vs|e\.g|i\.e)\.\s*$"
)
ORDERED = re.compile(
    r"\s(?:the|an?|all|each|every|any|your|my|our|its|his|her|their|this|that|these|those|it|them)(?!\w)"
)
"""What stands behind a verb that gives an order."""
LOOK_BACK = 24
"""How many characters before a word decide whether it begins a sentence."""


def token_spans(text: str) -> Iterator[Span]:
    """Find tokens with digits or symbols inside: ids, paths, versions, addresses, formulas, code in passing."""
    for match in tokens_with_symbols(text):
        start, end = core(text, *match.span())
        if SYMBOL.search(text, start, end):
            hyphenated = HYPHENATED_NUMBER.fullmatch(text, start, end)
            yield Span(start, end, "number" if hyphenated else "id")


def tokens_with_symbols(text: str) -> Iterator[re.Match[str]]:
    """Find the tokens that a digit or symbol stands in or touches; most tokens of a text are words and have none."""
    position = 0
    while symbol := SYMBOL.search(text, position):
        start = symbol.start()
        while start > position and TOKEN.match(text, start - 1):
            start -= 1
        token = TOKEN.match(text, start)
        if token:
            yield token
        position = token.end() if token else start + 1


def core(text: str, start: int, end: int) -> tuple[int, int]:
    """Take quotes, punctuation and unpaired brackets off a token's ends."""
    token = text[start:end]
    if token.startswith("(") and token.endswith(")") and "(" not in token[1:]:
        return core(text, start + 1, end - 1)
    unpaired = token.count("(") - token.count(")")
    left = token.lstrip(OPENING + "(" * (unpaired > 0))
    right = left.rstrip(CLOSING)
    if unpaired < 0:
        bare = right.rstrip(")")
        right = right[: max(len(bare), len(right) + unpaired)].rstrip(CLOSING)
    return end - len(left), end - len(left) + len(right)


def word_spans(text: str) -> Iterator[Span]:
    """Find single letters, words in capitals, words of mixed case, and names.

    A name that a text shows with its capital is one in small letters too, unless it is a common word.
    """
    shown: set[str] = set()
    doubtful: list[re.Match[str]] = []
    for match in words_in(text):
        word = match[0]
        kind = None if word.islower() and len(word) > 1 else kind_by_case(word)
        initial = kind == "name" and begins_sentence(text, match.start())
        common = initial and (is_common(word) or orders(text, match))
        if kind == "name" and not common and (not initial or word.casefold() in names()):
            shown.add(word.casefold())
        if kind and not common:
            yield Span(*match.span(), kind)
        else:
            doubtful.append(match)
    yield from (Span(*match.span(), "name") for match in doubtful if is_shown_name(match[0], shown))


def is_shown_name(word: str, shown: Container[str]) -> bool:
    """Say whether a word that may be none is a name: by itself, or by those that its text shows."""
    folded = word.casefold()
    listed, said = folded in names(), folded in shown
    return (listed and is_name(folded)) or (said and (word[0].isupper() or not is_common(folded)))


def kind_by_case(word: str) -> Kind | None:
    """Tell what a word is by its length and capitals alone."""
    if len(word) == 1:
        return "variable" if word.lower() != word.upper() else None
    if any(letter.isupper() for letter in word[1:]):
        return "caps"
    return "name" if word[0].isupper() else None


def is_common(word: str) -> bool:
    """Say whether a capitalised word at the beginning of a sentence is surely no name."""
    folded = word.casefold()
    return folded not in names() and (is_english_word(folded) or is_stopword(folded))


def orders(text: str, first: re.Match[str]) -> bool:
    """Say whether the first word of a sentence is a verb rather than a name, as in "Mark the answer"."""
    return ORDERED.match(text, first.end()) is not None and is_english_word(first[0].casefold())


def begins_sentence(text: str, start: int) -> bool:
    """Say whether the word at this offset is the first of a sentence, a line, a quotation or a list entry."""
    before = text[max(0, start - LOOK_BACK) : start]
    return BEFORE_SENTENCE.search(before) is not None and ABBREVIATION.search(before) is None
