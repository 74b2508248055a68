"""Ways to give an answer, and ways not to decide, for oracles that know what is right."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from prt.runner.records import AnswerKey

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


@dataclass(frozen=True)
class Phrasing:
    """One way to reply.

    Attributes:
        template: The reply, with the fields of `choice_fields` or `number_fields`.
        decides: Whether it gives the answer that it names; otherwise it gives none.
        needs: The field without which it can't be said, such as the place of the eleventh option.
    """

    template: str
    decides: bool = True
    needs: str = ""

    def reply(self, fields: Mapping[str, str]) -> str | None:
        """The reply; None where it can't be said so."""
        return self.template.format_map(fields) if not self.needs or fields[self.needs] else None


CHOICES = (
    Phrasing("{label}"),
    Phrasing("({label})"),
    Phrasing("{label}. {text}"),
    Phrasing("{text}"),
    Phrasing("“{text}”"),
    Phrasing("Answer: {label}"),
    Phrasing("The answer is {label}."),
    Phrasing("The answer is: {text}"),
    Phrasing("The correct answer is ({label}) {text}"),
    Phrasing("**Answer:** **{label}**"),
    Phrasing("Let us go through this step by step.\n\n### Final answer\n\n**{label}. {text}**"),
    Phrasing("This follows from what is asked.\n\n$\\boxed{{\\text{{{label}}}}}$"),
    Phrasing('{{"answer": "{label}"}}'),
    Phrasing('```json\n{{"reasoning": "{other} does not fit", "answer": {json_text}}}\n```'),
    Phrasing("<answer>{label}</answer>"),
    Phrasing("The {ordinal} option is correct.", needs="ordinal"),
    Phrasing("I would say option {place}."),
    Phrasing("I'm not entirely sure, but I think it's {label}."),
    Phrasing("My best guess would be {label}, though {other} came close."),
    Phrasing("<think>Could it be {other}? The answer is {other}.</think>\n{label}"),
    Phrasing("Perhaps {other}. Let me see once more.\n</think>\n\nThe answer is {label}."),
    Phrasing("At first I thought the answer is {other}. But the answer is {label}."),
    Phrasing("The answer is {other}. Wait, that is wrong. The answer is {label}."),
    Phrasing("We can rule out {others}, leaving {label}.", needs="others"),
    Phrasing("The answer is not {other} but {label}."),
    Phrasing("{listing}\n\nAnswer: {label}"),
    Phrasing("Option {other} is wrong, since it misses the point. Option {label} is correct."),
    Phrasing("Die richtige Antwort ist {label}, nicht {other}."),
    Phrasing("La bonne réponse est la {label}."),
    Phrasing("La respuesta correcta es la opción {label}."),
    Phrasing("{other}是错误的，所以答案是{label}。"),
    Phrasing("正解は{label}です。"),
    Phrasing("It's {text}, not {other_text}."),
    Phrasing("{other_text} seems tempting, but the right one is {text}."),
    Phrasing("I think that the best fit would be {text}"),
    Phrasing("{verdicts}"),
    Phrasing("{analysis}\n\n{label}"),
    Phrasing("The only sensible choice is {label}; {other} makes no sense."),
    Phrasing("So it's {label} then."),
    Phrasing("Sure! Here it is:\n\n**{label}) {text}**\n\nLet me know if you need anything else!"),
    Phrasing("Not sure.\n\nIt could be {label} or {other}.", decides=False),
    Phrasing("{label} or {other}", decides=False),
    Phrasing("Both {label} and {other} are correct.", decides=False),
    Phrasing("The answer is not {label}.", decides=False),
    Phrasing("Is the answer {label}?", decides=False),
    Phrasing("If the answer were {label}, the question would say so.", decides=False),
    Phrasing("{label} is incorrect.", decides=False),
    Phrasing("The answer is {label}. Wait, that's wrong.", decides=False),
    Phrasing("<think>The answer is {label}.", decides=False),
    Phrasing("{listing}", decides=False, needs="others"),
    Phrasing("{text} or {other_text}", decides=False),
    Phrasing("{text} is wrong.", decides=False),
    Phrasing("The answer is {label}. Hmm, no.", decides=False),
    Phrasing("{label} and {other} are both wrong.", decides=False),
    Phrasing("A common mistake is to choose {label}.", decides=False),
    Phrasing("The {ordinal} option is wrong.", decides=False, needs="ordinal"),
    Phrasing("I don't know.", decides=False),
)
"""Ways to answer a question with options."""

NUMBERS = (
    Phrasing("{number}"),
    Phrasing("{number}."),
    Phrasing("**{number}**"),
    Phrasing("Answer: {number}"),
    Phrasing("The answer is {number}."),
    Phrasing("The answer is {grouped}."),
    Phrasing("The answer is {wide}."),
    Phrasing("The total is ${cents}."),
    Phrasing("The answer is {number}%."),
    Phrasing("She has {number} apples left."),
    Phrasing("First, {other} + 3 is something else. So the final answer is {number}."),
    Phrasing("Step 1: take {other}.\nStep 2: subtract.\nStep 3: get {number}."),
    Phrasing("1. There are {other} of them.\n2. We add.\n\n#### {grouped}"),
    Phrasing("We get $\\boxed{{{number}}}$."),
    Phrasing("Therefore \\[x = \\boxed{{{latex}\\text{{ apples}}}}\\]"),
    Phrasing("{part} + {rest} = {number}"),
    Phrasing("So the number of apples is {part} + {rest} = {number} apples."),
    Phrasing('{{"steps": "{other} is too much", "answer": {number}}}'),
    Phrasing('{{"answer": "{grouped} apples"}}'),
    Phrasing("<answer>{number}</answer>"),
    Phrasing("<think>The answer is {other}.</think>{number}"),
    Phrasing("Is it {other}? No.\n</think>\nThe answer is {number}."),
    Phrasing("The answer is {other}. Wait, that is wrong. The answer is {number}."),
    Phrasing("The answer is not {other} but {number}."),
    Phrasing("I'm not sure, but I think it is {number}."),
    Phrasing("The answer is {words}.", needs="words"),
    Phrasing("{words_capital} apples.", needs="words"),
    Phrasing("Die Antwort ist {european}."),
    Phrasing("La réponse est {french}."),
    Phrasing("答案是{number}。"),
    Phrasing("정답은 {number}입니다."),
    Phrasing("Ответ: {number}"),
    Phrasing("{number}\n\nThere were {other} at first, and some are gone."),
    Phrasing("The answer for the {other} boys is {number}."),
    Phrasing("{words} ({number})", needs="words"),
    Phrasing("It isn't {other}, it's {number}."),
    Phrasing("The answer is {number} or {other}.", decides=False),
    Phrasing("It is between {number} and {other}.", decides=False),
    Phrasing("The answer is more than {number}.", decides=False),
    Phrasing("The answer is not {number}.", decides=False),
    Phrasing("Is the answer {number}?", decides=False),
    Phrasing("The answer is {number}x.", decides=False),
    Phrasing("The answer is {number}. Wait, that's wrong.", decides=False),
    Phrasing("<think>The answer is {number}.", decides=False),
    Phrasing("The answer is {number}. Hmm, no.", decides=False),
    Phrasing("x = {number} and y = {other}", decides=False),
    Phrasing("maybe {number}, maybe {other}", decides=False),
    Phrasing("I doubt it is {number}.", decides=False),
    Phrasing("sqrt({number})", decides=False),
    Phrasing("{number} or more", decides=False),
    Phrasing("The answer is {words} or {other}.", decides=False, needs="words"),
    Phrasing("I don't know.", decides=False),
)
"""Ways to answer by a number."""


def choice_fields(key: AnswerKey, said: int, other: int) -> dict[str, str]:
    """What the templates say of one option: its label and text, those of another, and where it stands.

    Args:
        key: The question as shown.
        said: Place of the option that is answered.
        other: Place of the option that is spoken of besides.
    """
    labels = key.labels
    return {
        "label": labels[said],
        "text": key.options[said],
        "other_text": key.options[other],
        "verdicts": "\n".join(
            f"- **{label}. {text}**: {'Correct' if at == said else 'Incorrect'}."
            for at, (label, text) in enumerate(zip(labels, key.options, strict=True))
        ),
        "analysis": "\n".join(
            f"{label}: This option {'fits what is asked' if at == said else 'does not fit'}."
            for at, label in enumerate(labels)
        ),
        "json_text": json.dumps(key.options[said], ensure_ascii=False),
        "other": labels[other],
        "others": _enumerated([label for at, label in enumerate(labels) if at != said]) if len(labels) > 2 else "",
        "ordinal": ORDINALS[said] if said < len(ORDINALS) else "",
        "place": str(said + 1),
        "listing": "\n".join(f"{label}. {text}" for label, text in zip(labels, key.options, strict=True)),
    }


def number_fields(said: Fraction, other: Fraction) -> dict[str, str]:
    """What the templates say of one number: itself in several writings, and another.

    Args:
        said: The number that is answered; an integer or a finite decimal.
        other: Another.
    """
    number, whole = plain(said), said.denominator == 1
    grouped = _grouped(number, ",", ".")
    return {
        "number": number,
        "grouped": grouped,
        "wide": number.translate({ord("0") + digit: "０１２３４５６７８９"[digit] for digit in range(10)}),
        "cents": f"{grouped}.00" if whole else grouped,
        "latex": grouped.replace(",", "{,}"),
        "european": _grouped(number, ".", ","),
        "french": _grouped(number, "\u202f", ","),
        "words": in_words(int(said)) if whole and abs(said) < 10**9 else "",
        "words_capital": in_words(int(said)).capitalize() if whole and abs(said) < 10**9 else "",
        "part": plain(said - 2),
        "rest": "2",
        "other": plain(other),
    }


def plain(number: Fraction) -> str:
    """A number as it is written without separators."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.10f}".rstrip("0")


def _grouped(number: str, separator: str, mark: str) -> str:
    whole, _, decimals = number.partition(".")
    return re.sub(r"(?<=\d)(?=(?:\d{3})+\Z)", separator, whole) + (f"{mark}{decimals}" if decimals else "")


def _enumerated(labels: Sequence[str]) -> str:
    return f"{', '.join(labels[:-1])} and {labels[-1]}" if len(labels) > 1 else labels[0]


def in_words(number: int) -> str:
    """An integer of less than a billion in English words."""
    if number < 0:
        return f"minus {in_words(-number)}"
    if number < 20:
        return UNITS.split()[number]
    if number < 100:
        tens, unit = divmod(number, 10)
        return TENS.split()[tens - 2] + (f"-{in_words(unit)}" if unit else "")
    size, name = next(
        (size, name) for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")) if number >= size
    )
    count, rest = divmod(number, size)
    joint = " and " if rest and name == "hundred" else " "
    return f"{in_words(count)} {name}" + (f"{joint}{in_words(rest)}" if rest else "")
