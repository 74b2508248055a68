"""The audit: what a variant must keep, looked for anew in what will be asked.

It reads the original and the variant alone: neither edits nor what any check said before. So a fault of a generator, of
the check that follows it, or of whoever edited a bundle is counted instead of believed.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .generators.amounts import numbers_in, ones_in, units_in
from .lexicon.language import language_of
from .lexicon.terms import Found, TermKind, find_terms
from .lexicon.words import WORD
from .protection.protect import all_spans, protected_spans
from .protection.spans import Kind, Mask, merged
from .question import Question, Subject
from .rendering.closing import closing_line
from .rendering.labels import answer_key_labels
from .variant import Variant

TEXTS = frozenset({"text", "instruction", "system", "context", "answer_instruction", "options"})
"""Parts of a question that are looked at for themselves; all others must be as they were."""
VERBATIM: frozenset[Kind] = frozenset({"code", "latex", "field", "url", "email", "formula", "table", "label", "user"})
"""Kinds that stay as they are even where words move."""
AMOUNTS: frozenset[Kind] = frozenset({"number", "date"})
MARKS = {"'", "’"}
STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})
CONTRACTED = re.compile(r"(?<!\w)(can|wo|sha|\w+(?=n'))(?:n't|'t|not)(?!\w)", re.IGNORECASE)
FULL = {"wo": "will", "sha": "shall"}
PLAIN = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)+|[^\W\d_](?:\.[^\W\d_])+|[^\W\d_]+\(e?s\)")
"""Tokens with signs in them that are words all the same: and/or, e.g, item(s)."""
TERMS: tuple[TermKind, ...] = ("negation", "quantifier", "month", "weekday")
LITTLE = frozenset("aioeyà")
NAMING = frozenset(
    {"both", "only", "either", "neither", "all", "none", "of", "not", "and", "or", "nor", "alone", "are", "is", "the"}
    | {"answer", "answers", "option", "options", "choice", "choices", "true", "false", "correct", "incorrect", "wrong"}
)
"""Words that stand beside labels in an option that says nothing but which others are meant."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found in one variant.

    Attributes:
        tokens: How many protected tokens were looked for: protected texts, options, examples and earlier turns.
        altered: Those that do not stand in the variant, each as a clause.
        golds: How many right options were looked for.
        wrong_golds: Those whose label, as it will be graded, does not stand before their content.
    """

    tokens: int
    altered: tuple[str, ...]
    golds: int
    wrong_golds: tuple[str, ...]


def audit(subject: Subject, variant: Variant, *, words_move: bool) -> Audit:
    """Look for everything in a variant that must not change.

    Args:
        subject: The original, its right answers, and the user's protected patterns.
        variant: An applied variant of it; of a control, which changes the meaning on purpose, only its own right
            options are looked for.
        words_move: Whether the generator may reword. Then a protected text may stand anywhere, and as another word of
            its class ("three" and "3", `1,000` and `1000`); otherwise it stands letter for letter and in order, in
            whatever form of marks and of "n't".
    """
    moved = tuple(moved_options(subject, variant))
    gold = subject.gold if variant.gold is None else variant.gold
    golds = [option for option in gold.options if option < len(subject.question.options)]
    wrong = tuple(clause for option, clause in moved if option in golds)
    if variant.tier == "control":
        return Audit(0, (), len(golds), wrong)
    tokens = structure(subject.question).total() + len(subject.question.options)
    altered = [clause for _, clause in moved] + lost_structure(subject.question, variant.question)
    for name, before, after in texts(subject, variant.question):
        tokens += sum(len(token_extents(subject, text)) for text in before)
        altered += [f"{clause} in {name}" for clause in lost_tokens(subject, before, after, words_move=words_move)]
    return Audit(tokens, tuple(altered), len(golds), wrong)


def moved_options(subject: Subject, variant: Variant) -> Iterator[tuple[int, str]]:
    """Give each option of the original that does not stand where the variant's label map says, with what does."""
    before, after = subject.question.options, variant.question.options
    order = variant.permutation or tuple(range(len(before)))
    labels = answer_key_labels(subject.question, subject.layout), answer_key_labels(variant.question, variant.layout)
    for option, text in enumerate(before):
        slot = order.index(option) if option in order else len(after)
        found = after[slot] if slot < len(after) else ""
        named = referents(text, labels[0], range(len(before)))
        same = found == text if named is None else referents(found, labels[1], order) == named
        if not same:
            yield option, f"option {option + 1}: {text!r} became {found!r}"


def referents(
    option: str, labels: Sequence[str], order: Sequence[int]
) -> tuple[frozenset[int], tuple[str, ...]] | None:
    """Read an option that only names others, such as "Both A and B".

    Returns:
        The canonical options that it names, and its other words; None where it says something by itself.
    """
    places = dict(zip((label.casefold() for label in labels), order, strict=False))
    words = re.findall(r"\w+", option.casefold())
    others = tuple(word for word in words if word not in places)
    if not others or len(others) == len(words) or not NAMING.issuperset(others):
        return None
    return frozenset(places[word] for word in words if word in places), others


def structure(question: Question) -> Counter[object]:
    """Count the parts that no generator rewords, each member of a list by itself, since they may change places."""
    found: Counter[object] = Counter()
    for name in Question.__slots__:
        if name not in TEXTS:
            value = getattr(question, name)
            found.update(value if isinstance(value, tuple) else [(name, value)])
    return found


def lost_structure(before: Question, after: Question) -> list[str]:
    """Say which of these parts are not there any more."""
    return [f"no longer there: {part!r}" for part in (structure(before) - structure(after)).elements()]


def texts(subject: Subject, after: Question) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Give each text that a model is shown, before and after; passages together, since they may change places."""
    before = subject.question
    for name in ("text", "instruction", "system"):
        yield name, (getattr(before, name),), (getattr(after, name),)
    yield "context", before.context, after.context
    layout = subject.layout
    yield "answer instruction", (closing_line(before, layout),), (closing_line(after, layout),)


def lost_tokens(subject: Subject, before: Sequence[str], after: Sequence[str], *, words_move: bool) -> list[str]:
    """Say which protected texts of one part do not stand in the variant's."""
    if Counter(before) == Counter(after):
        return []
    if len(before) != len(after):
        return [f"{len(before)} texts became {len(after)}"]
    lost: list[str] = []
    for old, new in paired(subject, before, after):
        pieces = list(missing(subject, old, new))
        lost += (
            lost_meanings(subject, old, new) if pieces and words_move else [f"{each!r} is missing" for each in pieces]
        )
    return lost


def paired(subject: Subject, before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Put each text with the one that it became: one that has all its tokens, or else the next that is left."""
    left = list(after)
    for old in before:
        whole = (new for new in left if not any(missing(subject, old, new)))
        new = old if old in left else next(whole, left[0])
        left.remove(new)
        yield old, new


def missing(subject: Subject, before: str, after: str) -> Iterator[str]:
    """Give the protected texts that do not follow one another in the variant, in whatever form."""
    position, folded = 0, one_form(after)
    for start, end in token_extents(subject, before):
        found = re.compile(edged(before, start, end)).search(folded, position)
        if found:
            position = found.end()
        else:
            yield before[start:end]


def token_extents(subject: Subject, text: str) -> list[tuple[int, int]]:
    """Give where the protected texts stand; a letter behind an apostrophe belongs to the word before it."""
    extents = ((span.start, span.end) for span in protected_spans(text, subject))
    return [(start, end) for start, end in extents if end - start > 1 or text[max(0, start - 1) : start] not in MARKS]


def edged(text: str, start: int, end: int) -> str:
    """Write a stretch of text, in one form, as a pattern that begins and ends where words do, if the stretch does."""
    opens = text[start].isalnum() and not text[start - 1 : start].isalnum()
    closes = text[end - 1].isalnum() and not text[end : end + 1].isalnum()
    piece = re.escape(one_form(text[start:end]))
    return (r"(?<![^\W_])" if opens else "") + piece + (r"(?![^\W_])" if closes else "")


@lru_cache(maxsize=64)
def one_form(text: str) -> str:
    """Write marks straight, dashes as hyphens and "n't" as "not": forms of one thing."""
    plain = text.translate(STRAIGHT).replace("--", "-")
    return CONTRACTED.sub(lambda match: f"{FULL.get(match[1].lower(), match[1])} not", plain)


Reader = Callable[[Subject, str, str], Counter[str]]
"""What a text says of one kind, each in one form; of a text in a language."""


def lost_meanings(subject: Subject, before: str, after: str) -> Iterator[str]:
    """Say what the original says of each protected kind and its paraphrase does not."""
    language = language_of(before)
    for kind, reader in READERS.items():
        old, new = reader(subject, before, language), reader(subject, after, language)
        yield from (f"{kind} {form!r} is missing" for form in (old - new).elements() if not stands(kind, form, after))


def stands(kind: str, form: str, after: str) -> bool:
    """Say whether something is said in a way that its reader passes over."""
    if kind == "number" and form == "1":
        return ones_in(after) > 0
    if kind == "day":
        return form in (f"{day.term.kind} {day.term.meaning}" for day in named_days(after, language_of(after)))
    if kind == "name":
        return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", " ".join(after.casefold().split())) is not None
    return False


def term_reader(kind: TermKind) -> Reader:
    """A reader of the words of a kind, by class."""

    def read(_subject: Subject, text: str, language: str) -> Counter[str]:
        return Counter(found.term.meaning for found in find_terms(text, kind, language))

    return read


def days(subject: Subject, text: str, language: str) -> Counter[str]:
    """Read the months and weekdays in dates, by class; "may" elsewhere is no month."""
    dates = Mask(merged(span for span in all_spans(text, subject) if span.kind == "date"))
    found = (day for day in named_days(text, language) if dates.touches(day.start, day.end))
    return Counter(f"{day.term.kind} {day.term.meaning}" for day in found)


def named_days(text: str, language: str) -> Iterator[Found]:
    """Find the months and weekdays that a text may name."""
    kinds: tuple[TermKind, ...] = ("month", "weekday")
    return (found for kind in kinds for found in find_terms(text, kind, language))


def negations(_subject: Subject, text: str, language: str) -> Counter[str]:
    """Read negations, "n't" as "not"; those inside a quantifier such as "no fewer than" belong to it."""
    quantified = [(found.start, found.end) for found in find_terms(text, "quantifier", language)]
    free = (
        found.term.meaning
        for found in find_terms(text, "negation", language)
        if not any(start <= found.start < end for start, end in quantified)
    )
    return Counter([*free, *("not" for _ in re.finditer(r"\w+n['’]t(?!\w)", text, re.IGNORECASE))])


def span_texts(subject: Subject, text: str, kinds: Collection[Kind]) -> Iterator[str]:
    """Give the protected texts of some kinds, each place once."""
    extents = {(span.start, span.end) for span in all_spans(text, subject) if span.kind in kinds}
    return (text[start:end] for start, end in sorted(extents))


def quotations(subject: Subject, text: str, _language: str) -> Counter[str]:
    """Read what is quoted, in whatever marks."""
    return Counter(piece.strip("\"“”„«»‹›「」『』‘’'`") for piece in span_texts(subject, text, {"quote"}))


def verbatim(subject: Subject, text: str, _language: str) -> Counter[str]:
    """Read what stays as it is; ids without those that are amounts or words."""
    spans = all_spans(text, subject)
    amounts = Mask(merged(span for span in spans if span.kind in AMOUNTS))
    ids = {(span.start, span.end) for span in spans if span.kind == "id" and not amounts.covers(span.start, span.end)}
    pieces = (*span_texts(subject, text, VERBATIM), *(text[start:end] for start, end in sorted(ids)))
    return Counter(piece for piece in pieces if not PLAIN.fullmatch(piece))


def names(subject: Subject, text: str, language: str) -> Counter[str]:
    """Read names, in any case; not in German, where every noun looks like one."""
    if language == "de":
        return Counter()
    named = {name.casefold() for name in span_texts(subject, text, {"name", "caps"})}
    words = Counter(match[0].casefold() for match in WORD.finditer(text))
    return Counter({name: words[name] for name in named})


def answers(subject: Subject, text: str, _language: str) -> Counter[str]:
    """Read the options and right answers that are named at all; numbers and single letters are read as such."""
    found = {" ".join(piece.casefold().split()) for piece in span_texts(subject, text, {"answer"})}
    terms = {each.term.text for kind in TERMS for each in find_terms(text, kind)}
    return Counter(name for name in found if len(name) > 2 and name not in terms and not numbers_in(name, ""))


def variables(subject: Subject, text: str, _language: str) -> Counter[str]:
    """Read single letters that are no little words, and stand neither in another token nor behind an apostrophe."""
    spans = all_spans(text, subject)
    others = Mask(merged(span for span in spans if span.kind in {"id", *AMOUNTS}))
    free = {span.start for span in spans if span.kind == "variable" and not others.touches(span.start, span.end)}
    return Counter(
        text[start] for start in free if text[start].lower() not in LITTLE and text[start - 1 : start] not in MARKS
    )


READERS: Mapping[str, Reader] = {
    "number": lambda _subject, text, language: numbers_in(text, language),
    "unit": lambda _subject, text, language: Counter(units_in(text, language)),
    "day": days,
    "negation": negations,
    "quantifier": term_reader("quantifier"),
    "name": names,
    "quotation": quotations,
    "answer": answers,
    "variable": variables,
    "text": verbatim,
}
"""What must be the same where words move, kind by kind."""
