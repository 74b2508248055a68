"""What a paraphrase must pass: it may move words, so it is compared with its original by what it says, not by place.

Each validator takes the subject, the original text and the new one, and gives the reason to reject it as a clause, or
None. `first_rejection` asks them in a fixed order and stops at the first reason. They err on the side of rejecting: a
rejected paraphrase is counted and shown, a changed question would be taken for the model's fault.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..lexicon.language import language_of
from ..lexicon.scripts import main_script
from ..lexicon.terms import Found, TermKind, find_terms
from ..lexicon.words import WORD, is_stopword, stems, words_of
from ..protection.parts import text_parts
from ..protection.patterns import PATTERNS
from ..protection.protect import all_spans, meant, user_spans
from ..protection.spans import Kind, Mask, Span, merged
from ..protection.tokens import word_spans
from ..question import Subject
from .amounts import numbers_in, ones_in, units_in

Validator = Callable[[Subject, str, str], str | None]

VALIDATORS_VERSION = 6
"""Raised whenever the same paraphrase could get another verdict; generators that ask them name it as a parameter."""
SHORTEST_RATIO, LONGEST_RATIO = 0.5, 2.0
SHORTEST_CONTENT_WORD = 3
SEVERAL = 2
REFUSAL = re.compile(
    r"\b(?:i(?:['’]m|\sam)\s(?:sorry|unable|not\sable)|i\s(?:can(?:['’]t|not)|won['’]t|must\sdecline|apologi[sz]e)"
    r"|as\san?\s(?:ai|language\smodel|assistant)|sorry,\s(?:but\s)?i|against\smy\s(?:guidelines|policy|programming)"
    r"|je\sne\speux\spas\svous|no\spuedo\sayudar|non\sposso\saiutar|ich\skann\s(?:ihnen|dir|dabei)\snicht)\b",
    re.IGNORECASE,
)
VERBATIM: frozenset[Kind] = frozenset(
    {"code", "latex", "field", "url", "email", "formula", "id", "table", "label", "variable", "user"}
)
ORDINARY = re.compile(r"[a-z]+(?:/[a-z]+)+|e\.g|i\.e|[a-z]+\(e?s\)", re.IGNORECASE)
"""Tokens with symbols in them that are words all the same: and/or, e.g, item(s)."""
DIFFER = " differ: "
"""What stands between the name of what was compared and what is missing or new."""
REMEMBERED = 10_000
"""Verdicts that are kept: whoever asks a model, counts, judges and freezes wants the same ones several times."""
PUNCTUATION = re.compile(r"\s+|(?<!\d)[.,;:!?…¿¡。，、；：？！\"'“”‘’]|[.,;:!?…¿¡。，、；：？！\"'“”‘’](?!\d)")
"""Spaces and punctuation, but not the signs inside a number."""
QUESTION_MARK = re.compile("[?？؟\u037e]")
ASKING = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whether|calculate|choose|complete|compute|decide|describe"
    r"|determine|estimate|explain|find|give|identify|indicate|list|name|pick|prove|say|select|show|solve|specify|state"
    r"|tell|work\sout)\b",
    re.IGNORECASE,
)
LITTLE_WORDS = {"a", "i", "o", "e", "y", "à"}


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a paraphrase can't stand for its original.

    Attributes:
        validator: What rejected it, in words that can be counted: `same numbers`.
        reason: What was found, as a clause.
    """

    validator: str
    reason: str


@lru_cache(maxsize=REMEMBERED)
def first_rejection(subject: Subject, original: str, new: str) -> Rejection | None:
    """Ask the validators in their order; None where nothing speaks against the paraphrase.

    Args:
        subject: Gives options, gold answers and the user's protected patterns.
        original: The text part as it was.
        new: Its paraphrase.
    """
    for validator in VALIDATORS:
        if reason := validator(subject, original, new):
            return Rejection(name_of(validator), reason)
    return None


def name_of(validator: Validator) -> str:
    """Name a validator in words."""
    return validator.__name__.replace("_", " ")


def validate_paraphrase(subject: Subject, original: str, new: str) -> str | None:
    """Say why a text can't stand for the original, as a clause; None where nothing speaks against it.

    The arguments are those of `first_rejection`.
    """
    rejection = first_rejection(subject, original, new)
    return rejection.reason if rejection else None


def not_empty(_subject: Subject, original: str, new: str) -> str | None:
    """The paraphrase says something, and there is something to say again."""
    if not original.strip():
        return "there is no original to reword"
    return None if new.strip() else "it is empty"


def differs(_subject: Subject, original: str, new: str) -> str | None:
    """The paraphrase is more than the original in other spacing, case or punctuation."""
    if original.split() == new.split():
        return "it is the original"
    return "it is the original but for spacing, case or punctuation" if said_in(new) == said_in(original) else None


def said_in(text: str) -> str:
    """Give a text in small letters, without spaces and without the punctuation of sentences."""
    return PUNCTUATION.sub("", text.casefold())


def not_a_refusal(_subject: Subject, original: str, new: str) -> str | None:
    """The paraphraser did not refuse."""
    refused = REFUSAL.search(new) and not REFUSAL.search(original)
    return "it is a refusal" if refused else None


def same_language(_subject: Subject, original: str, new: str) -> str | None:
    """Script and language, where they can be told, are the same."""
    for name in (main_script, language_of):
        before, after = name(original), name(new)
        if before and after and before != after:
            return f"it is in another language: {after}, not {before}"
    return None


def similar_length(_subject: Subject, original: str, new: str) -> str | None:
    """The paraphrase is half to twice as long, white space not counted."""
    before, after = len("".join(original.split())), len("".join(new.split()))
    if not before or not SHORTEST_RATIO <= after / before <= LONGEST_RATIO:
        return f"its length is {after} characters to {before}; {SHORTEST_RATIO} to {LONGEST_RATIO:.0f} times is allowed"
    return None


def same_numbers(_subject: Subject, original: str, new: str) -> str | None:
    """Every number occurs as often, with the same units; the word "one" may stand for 1."""
    language = language_of(original)
    before, after = numbers_in(original, language), numbers_in(new, language)
    allow_ones(before, after, ones_in(original), ones_in(new))
    units = (Counter(units_in(original, language)), Counter(units_in(new, language)))
    return difference("numbers", before, after) or difference("units", *units)


def allow_ones(before: Counter[str], after: Counter[str], ones_before: int, ones_after: int) -> None:
    """Take each surplus 1 of one text away for which the other has the word "one"."""
    surplus = before["1"] - after["1"]
    if surplus > 0:
        before["1"] -= min(surplus, ones_after)
    else:
        after["1"] -= min(-surplus, ones_before)


def same_negations(_subject: Subject, original: str, new: str) -> str | None:
    """Negations of each class occur as often."""
    return same_terms("negations", "negation", original, new)


def same_quantifiers(_subject: Subject, original: str, new: str) -> str | None:
    """Quantifiers of each class occur as often."""
    return same_terms("quantifiers", "quantifier", original, new)


def same_terms(what: str, kind: TermKind, original: str, new: str) -> str | None:
    """Compare the terms of a kind by class, in the original's language, or in all where that is unclear."""
    language = language_of(original)
    return difference(what, meanings(kind, original, language), meanings(kind, new, language))


def meanings(kind: TermKind, text: str, language: str) -> Counter[str]:
    """Count the terms of a kind by class; "n't" is "not", and the "no" of "no fewer than" negates nothing."""
    counts = Counter(found.term.meaning for found in find_terms(text, kind, language))
    if kind == "negation":
        phrases = (found.term.text for found in find_terms(text, "quantifier", language))
        counts["not"] -= sum(phrase.startswith(("no ", "not ")) for phrase in phrases)
        counts["not"] += sum(match[0].lower().endswith("t") for match in PATTERNS["negation"][0].finditer(text))
    return counts


def same_names(_subject: Subject, original: str, new: str) -> str | None:
    """Names and words in capitals occur as often; not asked of German, where every noun has a capital.

    What is also written in small letters was capitalised by its place in the sentence and is no name; a known name that
    the original has in small letters must stand in any case.
    """
    if language_of(original) == "de":
        return None
    lower = {match[0] for text in (original, new) for match in WORD.finditer(text) if match[0].islower()}
    names = {name for name in names_in(original) | names_in(new) if name.isupper() or name.lower() not in lower}
    before, after = (Counter(match[0] for match in WORD.finditer(text)) for text in (original, new))
    small = Counter(name for name in names_in(original) if name.islower())
    lost = small - Counter({word.casefold(): 1 for word in after})
    return difference("names", kept(before, names) + lost, kept(after, names))


def names_in(text: str) -> set[str]:
    """Give the names and the words in capitals of a text."""
    return {text[span.start : span.end] for span in word_spans(text) if span.kind in {"name", "caps"}}


def kept(counts: Counter[str], members: Iterable[str]) -> Counter[str]:
    """Give the counts of some members alone."""
    return Counter({member: counts[member] for member in members})


def same_dates(subject: Subject, original: str, new: str) -> str | None:
    """Months and weekdays of the original's dates are named as often; "may" outside a date is no month."""
    language = language_of(original)
    dates = Mask(merged(span for span in all_spans(original, subject) if span.kind == "date"))
    before = [found for found in named_days(original, language) if dates.touches(found.start, found.end)]
    words = {(found.term.kind, found.term.meaning): found.term.text for found in before}
    lost = Counter((found.term.kind, found.term.meaning) for found in before)
    lost -= Counter((found.term.kind, found.term.meaning) for found in named_days(new, language))
    return difference("dates", Counter({words[day]: times for day, times in lost.items()}), Counter())


def named_days(text: str, language: str) -> Iterator[Found]:
    """Find the months and weekdays that a text may name."""
    kinds: tuple[TermKind, ...] = ("month", "weekday")
    return (found for kind in kinds for found in find_terms(text, kind, language))


def same_quotes(_subject: Subject, original: str, new: str) -> str | None:
    """What is quoted is the same, in whatever marks."""
    return difference("quotes", quotes_in(original), quotes_in(new))


def quotes_in(text: str) -> Counter[str]:
    """Count the quoted texts without their marks."""
    found = (meant(match) for pattern in PATTERNS["quote"] for match in pattern.finditer(text))
    return Counter(text[start:end].strip("\"“”„«»‹›「」『』‘’'`") for start, end in found)


def same_placeholders(subject: Subject, original: str, new: str) -> str | None:
    """Code, formulas, template fields, addresses, ids, labels, variables and what the user protects are the same."""
    found = difference("placeholders", placeholders_in(original, subject), placeholders_in(new, subject))
    return found and (protected_by_user(subject.protect, original, new) or found)


def protected_by_user(patterns: Iterable[str], original: str, new: str) -> str | None:
    """Say which of the user's own patterns finds other texts in the paraphrase; None where each finds the same."""
    for pattern in patterns:
        before, after = (
            Counter(text[span.start : span.end] for span in user_spans(text, (pattern,))) for text in (original, new)
        )
        if found := difference(f"texts protected by your pattern {pattern!r}", before, after):
            return found
    return None


def placeholders_in(text: str, subject: Subject) -> Counter[str]:
    """Count the texts that must be taken over as they are."""
    spans = list(all_spans(text, subject))
    amounts = Mask(merged(span for span in spans if span.kind in {"number", "date"}))
    found = (
        span
        for span in spans
        if span.kind in VERBATIM and not (span.kind == "id" and amounts.covers(span.start, span.end))
    )
    pieces = (text[span.start : span.end] for span in merged(found) if not is_little_word(text, span))
    return Counter(piece for piece in pieces if not ORDINARY.fullmatch(piece))


def is_little_word(text: str, span: Span) -> bool:
    """Say whether a single letter is a word, or the end of one behind an apostrophe."""
    if span.kind != "variable":
        return False
    return text[span.start : span.end].lower() in LITTLE_WORDS or text[max(0, span.start - 1) : span.start] in {
        "'",
        "’",
    }


def same_answers(subject: Subject, original: str, new: str) -> str | None:
    """Options and gold answers that the original names are named; those that are numbers are compared as such."""
    lost = answers_in(original, subject) - answers_in(new, subject)
    return f"it no longer names the answer {min(lost)!r}" if lost else None


def answers_in(text: str, subject: Subject) -> set[str]:
    """Give the options and gold answers that stand in a text, case-folded, which mean something by themselves."""
    pieces = {text[span.start : span.end] for span in all_spans(text, subject) if span.kind == "answer"}
    folded = {" ".join(piece.casefold().split()) for piece in pieces}
    return {piece for piece in folded if is_content(piece) and not numbers_in(piece, "")}


def still_asks(_subject: Subject, original: str, new: str) -> str | None:
    """What asks a question still asks: with a question mark, or in English by a question word or a request."""
    if not QUESTION_MARK.search(original) or QUESTION_MARK.search(new):
        return None
    return None if language_of(original) == "en" and ASKING.search(new) else "it asks nothing any more"


def no_leak(subject: Subject, original: str, new: str) -> str | None:
    """No content word was taken from the gold answer or an option; words of the item's other texts may be used."""
    known = roots([original, *text_parts(subject.question).values()])
    answers = roots([*subject.question.options, *subject.gold.texts])
    for word in dict.fromkeys(words_of(new)):
        forms = {word, *stems(word)}
        if is_content(word) and not forms & known and forms & answers:
            return f"the word {word!r} is new and stands in an answer"
    return None


def shares_words(_subject: Subject, original: str, new: str) -> str | None:
    """Of several content words one is kept, in whatever form; asked of Latin script, where spaces part words."""
    before = {word for word in words_of(original) if is_content(word)}
    if main_script(original) != "Latin" or len(before) < SEVERAL:
        return None
    after = {word for word in words_of(new) if is_content(word)}
    return None if roots(before) & roots(after) else "it has no word of the original"


def roots(texts: Iterable[str]) -> set[str]:
    """Give the words of some texts and what they may be inflections of."""
    return {form for text in texts for word in words_of(text) for form in (word, *stems(word))}


def is_content(word: str) -> bool:
    """Say whether a case-folded word means something by itself."""
    return len(word) >= SHORTEST_CONTENT_WORD and not is_stopword(word)


def difference(what: str, before: Counter[str], after: Counter[str]) -> str | None:
    """Say what is missing and what is new between two counts; None where they are equal."""
    missing = [f"{item!r} is missing" for item in sorted((before - after).elements())]
    new = [f"{item!r} is new" for item in sorted((after - before).elements())]
    return f"{what}{DIFFER}{', '.join(missing + new)}" if missing or new else None


VALIDATORS: tuple[Validator, ...] = (
    not_empty,
    differs,
    not_a_refusal,
    same_language,
    similar_length,
    same_numbers,
    same_negations,
    same_quantifiers,
    same_names,
    same_dates,
    same_quotes,
    same_placeholders,
    same_answers,
    still_asks,
    no_leak,
    shares_words,
)
"""All validators in the order in which they are asked."""
VALIDATOR_NAMES: frozenset[str] = frozenset(map(name_of, VALIDATORS))
