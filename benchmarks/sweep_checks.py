"""What a variant must keep, looked for by patterns and readers of the sweep's own.

Nothing here uses the project's protection, its check or its label map: a fault that they share with a generator would
not be seen by them. Patterns find less than the project protects, and what they find leaves no doubt.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from xml.etree import ElementTree as ET

import yaml
from prt.perturbations.question import Layout, Question
from prt.perturbations.variant import Edit, Variant

WORDS_OF_COUNT = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million dozen"
)
NEGATIONS = (
    "not no never none nobody nothing nor neither cannot without except unless nicht kein keine non ningún ninguna"
)
QUANTIFIERS = "all every each any some both either most least fewer less more half exactly twice double always only"
DAYS = "monday tuesday wednesday thursday friday saturday sunday"


def any_word(words: str) -> re.Pattern[str]:
    """Compile a pattern for any of some words, whole and in any case."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(words.split())})(?!\w)", re.IGNORECASE)


TOKENS: Mapping[str, re.Pattern[str]] = {
    "number": re.compile(r"(?<![\w.])[-−+]?\d+(?:[.,:/]\d+)*%?"),
    "number in words": any_word(WORDS_OF_COUNT),
    "negation": re.compile(rf"{any_word(NEGATIONS).pattern}|(?<=\w)n['’]t(?!\w)", re.IGNORECASE),
    "quantifier": any_word(QUANTIFIERS),
    "weekday": any_word(DAYS),
    "url": re.compile(r"(?:https?://|www\.)[^\s<>\"]+"),
    "email": re.compile(r"[\w.+-]+@[\w-]+\.\w+"),
    "code": re.compile(
        r"(?<![\w`])`[^`\n]+`(?![\w`])|(?m:^(?:[ ]{4,}|\t)*(?:def|return|import|from \w+ import|>>>)[ ].*$)|\w+\(\)"
    ),
    "latex": re.compile(r"\$[^$\n]*[\\^_{}][^$\n]*\$|\\[A-Za-z]+"),
    "field": re.compile(r"\{\w*\}|_{2,}|\[[A-Z]+\]|<<[^<>\n]+>>|<br />"),
    "mixed": re.compile(r"(?<!\w)(?=\w*\d)(?=\w*[A-Za-z])\w+"),
}
CASED = re.compile(r"(?<=[a-z,;] )[A-ZÀ-Þ][a-zà-ÿ]+|(?<!\w)[A-Z]{2,}(?!\w)|(?<!\w)\w*[a-z][A-Z]\w*")
"""Names inside a sentence, words in capitals and of mixed case; a variant may have more of them."""
NOT = {"n't": "not", "cannot": "not"}
"""Ways to write a negation, as one."""
QUOTED = re.compile(r'(?<!\w)"([^"\n]+)"(?!\w)|“([^“”\n]+)”|«([^«»\n]+)»')
LABEL = r"[\[(]?([A-Za-z]{1,5}|\d{1,3})[\]).:]"
LABELLED = re.compile(rf"(?:^|(?<=[\s*:]))(?:\*\*)?{LABEL}(?:\*\*)?[ ]$")
UNSEPARATED = re.compile(r"([A-Z])\.[ ]$")
"""A label right behind the option before it."""
OPTION_END = rf"(?:\s|;|\|| \||$|{LABEL} |Answer)"
OPTIONS_KEYS = {"options", "o"}
REFERRING = frozenset(
    {"both", "only", "either", "neither", "all", "none", "of", "and", "or", "nor", "alone", "are", "is", "true", "the"}
    | {"answer", "answers", "option", "options", "choice", "choices", "correct"}
)
"""What may stand beside labels in an option that says nothing but which others are right."""


def tokens(text: str, kind: str) -> list[str]:
    """Give the tokens of a kind in order, in one spelling each."""
    found = (match[0].casefold().replace("’", "'") for match in TOKENS[kind].finditer(text))
    return [NOT.get(token, token) for token in found]


def whole(word: str, text: str) -> int:
    """Count how often a word stands in a text as a whole."""
    return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def text_parts(question: Question) -> dict[str, str]:
    """Give all texts that a generator of words may edit, by path."""
    parts = {"text": question.text, "instruction": question.instruction, "system": question.system}
    return parts | {f"context[{place}]": passage for place, passage in enumerate(question.context)}


def changed_parts(original: Question, shown: Question) -> Iterator[tuple[str, str, str]]:
    """Give each text that is another one, by path; passages that have only changed places are none."""
    if Counter(original.context) == Counter(shown.context):
        shown = replace(shown, context=original.context)
    after = text_parts(shown)
    for path, before in text_parts(original).items():
        if after.get(path) != before:
            yield path, before, after.get(path, "")


def broken_parts(original: Question, shown: Question) -> Iterator[str]:
    """Say where a variant holds half a character, or has not the parts of its original."""
    for path, before, after in changed_parts(original, shown):
        if surrogates(after) > surrogates(before):
            yield f"{path} is no valid Unicode"
    for part in ("examples", "context"):
        if len(getattr(original, part)) != len(getattr(shown, part)):
            yield f"there are other {part}"
    if Counter(original.examples) != Counter(shown.examples) or original.history != shown.history:
        yield "an example or an earlier turn is another one"


def surrogates(text: str) -> int:
    """Count the lone surrogates of a text."""
    return sum("\ud800" <= character <= "\udfff" for character in text)


def altered_tokens(original: Question, shown: Question, answers: Sequence[str]) -> Iterator[str]:
    """Say which tokens of the texts are others than before, or stand in another order."""
    for path, before, after in changed_parts(original, shown):
        for kind in TOKENS:
            if (old := tokens(before, kind)) != (new := tokens(after, kind)):
                yield f"{kind} in {path}: {first_difference(old, new)}"
        names = dict.fromkeys(CASED.findall(before))
        yield from (f"name in {path}: {name!r}" for name in names if whole(name, before) > whole(name, after))
        if (old := quoted(before)) != (new := quoted(after)):
            yield f"quoted text in {path}: {first_difference(old, new)}"
        yield from (
            f"answer in {path}: {answer!r}" for answer in answers if stands(answer, before) != stands(answer, after)
        )


def quoted(text: str) -> list[str]:
    """Give what stands between quotation marks."""
    return [next(filter(None, match.groups())) for match in QUOTED.finditer(text)]


def stands(answer: str, text: str) -> int:
    """Count how often an answer stands in a text as whole words, in any case."""
    words = answer.strip()
    if not any(map(str.isalnum, words)):
        return 0
    return len(re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))


def first_difference(old: Sequence[str], new: Sequence[str]) -> str:
    """Show where two lists part."""
    return next(f"{one!r} became {other!r}" for one, other in zip_longest(old, new) if one != other)


def replayed(text: str, edits: Sequence[Edit]) -> str:
    """Carry out edits of one text from its end to its beginning, so that offsets hold."""
    last_first = sorted(edits, key=lambda edit: edit.start)
    last_first.reverse()
    for edit in last_first:
        if text[edit.start : edit.start + len(edit.before)] != edit.before:
            return f"{edit.before!r} does not stand at {edit.start}"
        text = text[: edit.start] + edit.after + text[edit.start + len(edit.before) :]
    return text


def unfaithful_edits(original: Question, variant: Variant) -> Iterator[str]:
    """Say where a variant's edits don't lead from the original to it."""
    after = {path: text for path, _, text in changed_parts(original, variant.question)}
    for path, before in text_parts(original).items():
        edits = [edit for edit in variant.edits if edit.part == path]
        if replayed(before, edits) != after.get(path, before):
            yield f"the edits of {path} don't make the variant"


def shown_options(prompt: str, layout: Layout, question: Question) -> dict[str, str]:
    """Read a prompt as its reader would: label -> text of each option.

    Args:
        prompt: The user message.
        layout: Says whether it is JSON, XML, YAML, Markdown or plain text, and nothing else.
        question: Gives the texts to look for.
    """
    match layout.markup:
        case "json" | "json_line":
            return options_of(json.loads(prompt))
        case "yaml":
            return options_of(yaml.safe_load(prompt))
        case "xml":
            listed = next(node for node in ET.fromstring(prompt) if node.tag.lower() == "options")  # noqa: S314 - ours
            return {node.get("label", ""): node.text or "" for node in listed}
        case "markdown" | "plain":
            pattern = LABELLED if layout.option_separator else UNSEPARATED
            return labelled(prompt.rpartition(question.text)[2], question.options, pattern)


def options_of(read: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Give the options of a structure as it was read."""
    return next(
        {str(label): text for label, text in value.items()}
        for key, value in read.items()
        if key.lower() in OPTIONS_KEYS
    )


def labelled(prompt: str, options: Sequence[str], pattern: re.Pattern[str]) -> dict[str, str]:
    """Find each option's text behind a label, where no longer option stands; labels in the order shown."""
    found: dict[int, tuple[str, str]] = {}
    for text in sorted(set(options), key=len):
        for place in occurrences(text.replace("\n", "\n  ") if "- **" in prompt else text, prompt):
            label = pattern.search(prompt[max(0, place - 16) : place])
            if label:
                found[place] = label[1], text
    return dict(found[place] for place in sorted(found))


def occurrences(text: str, prompt: str) -> Iterator[int]:
    """Give the places where a text stands and ends as an option does."""
    return (match.start() for match in re.finditer(rf"(?={re.escape(text)}{OPTION_END})", prompt))


def content(text: str, shown: Mapping[str, str]) -> tuple[frozenset[str], str]:
    """Give what an option says: its text, or the texts of the options that it is a mere reference to."""
    folded = {label.casefold(): other for label, other in shown.items()}
    words = re.findall(r"\w+", text.casefold())
    rest = [word for word in words if word not in folded]
    if len(words) > len(rest) > 0 and set(rest) <= REFERRING:
        return frozenset(folded[word] for word in words if word in folded), " ".join(rest)
    return frozenset(), text


def closing_range(shown: Mapping[str, str]) -> str:
    """Give the words by which a closing line names the first label and the last."""
    first, *_, last = shown if len(shown) > 1 else (*shown, *shown)
    return f"{first} to {last}" if len(shown) > 2 else f"{first} or {last}"


def right_labels(shown: Mapping[str, str], canonical: Sequence[str], gold: Sequence[int]) -> set[str]:
    """Say under which labels a right answer stands, by what the options say."""
    before = {chr(ord("A") + place): text for place, text in enumerate(canonical)}
    right = {content(canonical[option], before) for option in gold}
    return {label for label, text in shown.items() if content(text, shown) in right}
