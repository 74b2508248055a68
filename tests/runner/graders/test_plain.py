"""Plain replies are told as they would be if all that they say were weighed; what is doubtful is not told at once."""

from collections.abc import Iterator
from itertools import cycle, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.question import LabelStyle
from prt.perturbations.rendering.labels import option_labels
from prt.runner.graders import plain
from prt.runner.graders.choosing import weigh
from prt.runner.graders.options import Options, options_of
from prt.runner.graders.plain import Choice, plain_choice

from .keys import CITIES, LETTERS, data, grader, options_key, options_shown

STYLES: tuple[LabelStyle, ...] = ("A", "a", "1", "i", "I")
NASTY = (
    *(
        "A",
        "B",
        "a",
        "b.",
        "C)",
        "(D)",
        "I",
        "i",
        "II",
        "1",
        "2",
        "10",
        "4.5",
        "-3",
        "1,000",
        "50%",
        "$5",
        "3/4",
        "n/a",
    ),
    *(
        "None",
        "none of the above",
        "All of the above",
        "None of these",
        "no",
        "No.",
        "yes",
        "not",
        "is",
        "the",
        "answer",
    ),
    *("Answer: B", "The answer is B", "answer: b", "B. Paris", "A is correct", "Both A and B", "only the first option"),
    *("Paris", "paris", "Paris, France", "Paris.", "PARIS", "New York", "York", "New  York", "in York", "New York?"),
    *("I don't know", "I cannot answer", "I can't help with that", "as an AI, I", "not sure", "wait", "no doubt"),
    *(
        "What is it?",
        "Is it so?",
        "It is B.",
        "the second option",
        "second",
        "option 2",
        "first",
        "solution",
        "result B",
    ),
    *("because it rains", "so it goes", "but not B", "it is wrong", "rather than A", "if A, then B", "Therefore neon"),
    *("carbon dioxide", "dioxide", "a dog", "dog", "The dog", "dogs and cats", "cats", "e", "E = mc", "x = 2", "2 + 2"),
    *(
        "café",
        "cafe",
        "Ångström",
        "е",
        "答案",
        "是",
        "東京",
        "정답",
        "Ответ",
        "ответ Б",
        "✓",
        "❌",
        "…",
        ".",
        "?",
        "+",
        "=",
        "C++",
    ),
    *(
        "U.S.",
        "the U.S.",
        "Dr. No",
        "no. 2",
        "'tis",
        "l'eau",
        "it's B",
        "**bold**",
        "_x_",
        "`code`",
        "<b>",
        "x > y",
        "#1",
    ),
    *(
        "[sic]",
        "{x}",
        "a/b",
        "A/B",
        "A-B",
        "b's",
        "B's",
        "assistantfinal",
        "user: B",
        "Q: who",
        "final",
        "leaving B",
        "o",
    ),
)
FRAMES = (
    "{0}", "({0})", "{0}.", "**{0}**", "Answer: {0}", "The answer is {0}.", "The correct answer is ({0}).",
    "{0}. {1}", "{0}) {1}", "{0}: {1}", "({0}) {1}", "{1}", "{1}.", "{1}!", "{1} ", " {0}", "\n{0}\n",
    "\n {0}. {1}\n", "{1}\n", "{1}?", "{1}. {0}", "{0}. {1}.", "{0}. {2}", "{2}", "{0}. {1} {2}", "{0}.{1}",
    "\\boxed{{{0}}}", "$\\boxed{{\\text{{{0}}}}}$.", "Answer: {1}", "The answer is {1}.", "{1} ({0})", "{0}, {2}",
    "{0} or {2}", "A: {0}", "Option {0}", "{0}\n\n{1}", "{0}. {1}\nBut no.", "Not {0}.", "{0}?", "{0}. {1}?",
    "{1} {1}", "{0} {0}", "`{0}`", "#### {0}", "<answer>{0}</answer>", "\u00a0{0}", "{0}\u200b", "\t{0}. {1}",
    "{0}. {1}\t", "{0}.  {1}", "{0}. {1},", "{0}. {1} .", '{{"answer": "{0}"}}',
)  # fmt: skip
ODD_LABELS = (
    ("B", "A", "D", "C"),
    ("x", "y", "z", "w"),
    ("answer", "is", "B", "The"),
    ("1)", "2)", "3)", "4)"),
    tuple("\ue000\ue001\ue002\ue003"),
)

texts = st.one_of(
    st.sampled_from(NASTY),
    st.sampled_from(CITIES),
    st.text(max_size=8),
    st.lists(st.sampled_from(NASTY), min_size=1, max_size=3).map(" ".join),
)
labels = st.one_of(st.sampled_from(STYLES).map(lambda style: option_labels(style, 4)), st.sampled_from(ODD_LABELS))


def differs(reply: str, options: Options) -> bool:
    """Whether a reply is told at once, and otherwise than it is weighed."""
    told = plain_choice(reply, options)
    return told is not None and told != weigh(reply, options)


@settings(max_examples=500, deadline=None)
@given(labels, st.lists(texts, min_size=4, max_size=4, unique=True), st.integers(0, 3), st.data())
def test_a_reply_in_a_usual_form_is_told_as_it_is_weighed(
    shown: tuple[str, ...], written: list[str], chosen: int, drawn: st.DataObject
) -> None:
    options = options_shown(written, shown)
    frame = drawn.draw(st.sampled_from(FRAMES))
    reply = frame.format(shown[chosen], written[chosen], drawn.draw(st.one_of(st.sampled_from(written), texts)))
    assert not differs(reply, options), reply


@settings(max_examples=300, deadline=None)
@given(st.text("AB.)( :*\nIi12Parisno?", max_size=12), labels, st.lists(texts, min_size=4, max_size=4))
@example("B. New York", LETTERS[:4], ["York", "New York", "B. New", "no"])
@example("B. I cannot answer", LETTERS[:4], ["York", "I cannot answer", "x", "no"])
@example("New", LETTERS[:4], ["New", "New York", "x", "no"])
@example("New\n", LETTERS[:4], ["New", "New York", "x", "no"])
@example("New ", LETTERS[:4], ["New", "New York", "x", "no"])
@example("I. I", option_labels("I", 4), ["I", "II", "x", "no"])
@example("B. so .", LETTERS[:4], ["may", "so .", ".", "no"])
@example("B. May", LETTERS[:4], ["may", "May", "x", "no"])
@example("B. What is it?", LETTERS[:4], ["Who?", "What is it?", "x", "no"])
def test_any_short_reply_is_told_as_it_is_weighed(reply: str, shown: tuple[str, ...], written: list[str]) -> None:
    assert not differs(reply, options_shown(written, shown))


def framed() -> Iterator[tuple[str, str, str]]:
    """Every form around a label, with some labels of each style in turn."""
    forms = ((before, after) for before, afters in plain._frames().items() for after in sorted(afters))
    tried = cycle([(style, place) for place, style in product((0, 1, 4, 8, 24, 9), STYLES)])
    for before, after in forms:
        for _ in range(2):
            style, place = next(tried)
            yield before, option_labels(style, 26)[place], after


def test_a_label_in_each_of_the_usual_forms_is_told_at_once_and_as_it_is_weighed() -> None:
    known: dict[tuple[str, ...], list[Options]] = {}
    for style, aside in product(STYLES, ("city {}x", "only the first option numbered {}x")):
        shown = option_labels(style, 26)
        written = tuple(aside.format(letter.lower()) for letter in LETTERS)
        known[shown] = [*known.get(shown, []), options_of(shown, written, tuple(range(26)))]
    for number, (before, label, after) in enumerate(framed()):
        options = next(each[number % 2] for shown, each in known.items() if label in shown)
        reply = f"{before}{label}{after}"
        told = plain_choice(reply, options)
        assert told == weigh(reply, options), reply
        assert told == Choice(options.labels[label.lower()], (len(before), len(before) + len(label)), final=True)


@pytest.mark.parametrize("file", ["choice_answers.json"])
def test_what_people_reply_is_told_as_it_is_weighed(file: str) -> None:
    rows = [
        (reply, options_shown(group["options"], group["labels"]))
        for group in data(file)
        for reply, _ in group["replies"]
    ]
    assert [reply for reply, options in rows if differs(reply, options)] == []
    assert sum(plain_choice(reply, options) is not None for reply, options in rows) > 30


@pytest.mark.parametrize("style", STYLES)
def test_what_a_grader_is_proved_by_is_told_at_once(style: LabelStyle) -> None:
    written = (
        "The Moon moves around the Earth.",
        "carbon dioxide",
        "Rosa Parks (1913-2005)",
        "It is too cold to live.",
    )
    shown = option_labels(style, 4)
    options = options_shown(written, shown)
    for place, (label, text) in enumerate(zip(shown, written, strict=True)):
        for reply in (label, f"Answer: {label}", f"{label}. {text}"):
            told = plain_choice(reply, options)
            assert told is not None
            assert told.option == place


def test_what_the_groups_of_answers_are_proved_by_is_told_as_it_is_weighed() -> None:
    judge = grader("choice")
    for group in data("choice_answers.json"):
        key = options_key(group["options"], gold=(0,), labels=group["labels"])
        samples = judge.samples(key)
        options = options_shown(group["options"], group["labels"])
        assert [reply for reply in (*samples.right, *samples.wrong) if differs(reply, options)] == []


def test_a_reader_that_takes_any_label_before_a_text_is_found_out() -> None:
    def by_first_letter(reply: str, options: Options) -> int | None:
        return options.labels.get(reply[:1].lower())

    cases = [
        ("B. Lyon", CITIES), ("B. I cannot answer", ("Yes", "I cannot answer")), ("B. Who?", ("When?", "Who?")),
        ("A. B", ("B", "A")), ("B", ("B", "A")), ("Answer: B", ("is", "answer")),
    ]  # fmt: skip
    for reply, written in cases:
        options = options_shown(written, LETTERS[: len(written)])
        assert by_first_letter(reply, options) is not None
        assert plain_choice(reply, options) is None, reply
