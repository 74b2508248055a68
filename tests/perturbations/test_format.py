"""Format: the same parts in another layout, byte-equal, under labels that can't be mistaken."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.kinds import FormatKind
from prt.perturbations.options.speaking import labels_bound
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Example, Layout, Question, Subject
from prt.perturbations.rendering.labels import answer_key_labels, wrapped
from prt.perturbations.rendering.render import misread, render
from prt.perturbations.variant import Variant

FOUR = ("north", "east", "south", "west")
QUESTION = Question("Which?", FOUR, answer_form="label")


def variants(question: Question, *kind: FormatKind, count: int = 1, seed: int = 0) -> list[Variant]:
    generator = Format(kind=kind, variants=count) if kind else Format(variants=count)
    return perturb(Subject("1", question), [generator], seed=seed)


def layouts(question: Question, *kind: FormatKind, seeds: int = 40) -> list[Layout]:
    return [variants(question, *kind, seed=seed)[0].layout for seed in range(seeds)]


def styles(question: Question) -> set[str]:
    return {layout.labels for layout in layouts(question, "labels", seeds=60)}


def content(variant: Variant) -> str:
    return render(variant.question, variant.layout)[-1].content


def test_a_variant_looks_different_and_asks_the_same() -> None:
    for seed in range(30):
        (variant,) = variants(QUESTION, seed=seed)
        assert variant.outcome == "applied"
        assert variant.question == QUESTION
        assert content(variant) != render(QUESTION, Layout())[-1].content
        assert variant.permutation == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("question", "dashed"),
    [
        (replace(QUESTION, text="Is 5 odd?"), True),
        (replace(QUESTION, text="5 + 3 is"), False),
        (replace(QUESTION, context=("-7 degrees were measured.",)), False),
        (replace(QUESTION, examples=(Example("How many are 2 and 3?", (), "5"),)), False),
    ],
)
def test_no_dash_comes_before_a_number(question: Question, dashed: bool) -> None:  # noqa: FBT001 - a table's column
    separators = {layout.descriptor_separator for layout in layouts(question, "separators")}
    assert (" - " in separators) is dashed


def test_variants_of_one_item_look_different_from_one_another() -> None:
    drawn = variants(QUESTION, count=30)
    assert {variant.outcome for variant in drawn} == {"applied"}
    assert len({content(variant) for variant in drawn}) == 30


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("separators", {"descriptor_separator", "field_separator"}),
        ("case", {"descriptor_case"}),
        ("labels", {"labels", "wrapper"}),
        ("option_separator", {"option_separator"}),
        ("markdown", {"markup"}),
        ("xml", {"markup"}),
        ("json", {"markup"}),
        ("yaml", {"markup"}),
    ],
)
def test_a_kind_changes_its_own_part_of_the_layout_alone(kind: FormatKind, fields: set[str]) -> None:
    changed = set()
    for seed in range(40):
        (variant,) = variants(QUESTION, kind, seed=seed)
        assert variant.edits
        for edit in variant.edits:
            assert edit.kind == kind
            changed.add(edit.part.removeprefix("layout."))
    assert changed == fields


def test_the_edits_are_the_difference_of_the_layouts() -> None:
    for seed in range(30):
        (variant,) = variants(QUESTION, "labels", "case", "json", "markdown", seed=seed)
        turned = {edit.part.removeprefix("layout."): edit.after for edit in variant.edits}
        assert variant.layout == replace(Layout(), **turned)  # type: ignore[arg-type]  # fields by name


def test_a_dial_that_can_not_be_seen_is_not_turned() -> None:
    lone = Question("Which?", FOUR, template="{question}\n{options}")
    for layout in layouts(lone):
        assert (layout.descriptor_case, layout.descriptor_separator, layout.field_separator) == ("title", ": ", "\n\n")
    for layout in layouts(QUESTION, "json", "separators", "option_separator"):
        assert layout.markup == "plain" or layout == Layout(markup="json")


def test_given_markups_alone_are_always_used() -> None:
    assert Counter(layout.markup for layout in layouts(QUESTION, "json", "yaml")).keys() == {"json", "yaml"}


def test_a_dial_beside_a_markup_leaves_the_present_markup_possible() -> None:
    assert {layout.markup for layout in layouts(QUESTION, "json", "labels")} == {"plain", "json"}


def test_the_closing_line_names_the_labels_in_use() -> None:
    for seed in range(30):
        (variant,) = variants(QUESTION, "labels", seed=seed)
        labels = answer_key_labels(variant.question, variant.layout)
        assert content(variant).endswith(f"option, {labels[0]} to {labels[-1]}.")


def test_all_label_styles_and_wrappers_are_drawn() -> None:
    drawn = layouts(QUESTION, "labels", seeds=120)
    assert {layout.labels for layout in drawn} == {"A", "a", "1", "i", "I"}
    assert {layout.wrapper for layout in drawn} == {"A.", "A)", "(A)", "[A]", "A:"}


@pytest.mark.parametrize("count", [9, 10, 26, 27, 60])
def test_labels_of_many_options_are_unique(count: int) -> None:
    question = Question("Which?", tuple(f"text {number}" for number in range(count)), answer_form="label")
    for layout in layouts(question, "labels"):
        assert len(set(answer_key_labels(question, layout))) == count


@pytest.mark.parametrize(
    ("options", "kept_out"),
    [
        (("1", "2", "3"), {"1"}),
        (("10", "-4.5", "1,000"), {"1"}),
        (("p", "q", "r"), {"a"}),
        (("I only", "II only", "I and II"), {"i", "I"}),
        (("XL", "IV", "VI"), {"i", "I"}),
        (("1 and 2 only", "2 only", "all"), {"1"}),
    ],
)
def test_labels_that_look_like_options_are_not_used(options: Sequence[str], kept_out: set[str]) -> None:
    assert styles(Question("Which?", tuple(options), answer_form="label")) == {"A", "a", "1", "i", "I"} - kept_out


@pytest.mark.parametrize(
    ("text", "kept_out"),
    [
        ("Given are (1) p and (2) q. Which?", {"1"}),
        ("1. p\n2. q\nWhich?", {"1"}),
        ("(i) p, (ii) q. Which?", {"i", "I"}),
        ("Statement II holds. Which?", {"i", "I"}),
        ("In part (a), which?", {"A", "a"} - {"A"}),
    ],
)
def test_labels_that_the_question_uses_for_something_else_are_not_used(text: str, kept_out: set[str]) -> None:
    assert styles(Question(text, FOUR[1:], answer_form="label")) == {"A", "a", "1", "i", "I"} - kept_out


@pytest.mark.parametrize(
    ("instruction", "allowed"),
    [
        ("Choose the right letter.", {"A", "a"}),
        ("Give the number of the right option.", {"A", "1"}),
        ("Give the numeral.", {"A", "i", "I"}),
        ("Choose one.", {"A", "a", "1", "i", "I"}),
    ],
)
def test_labels_are_what_the_instruction_calls_them(instruction: str, allowed: set[str]) -> None:
    assert styles(Question("Which?", FOUR, instruction=instruction, answer_form="label")) == allowed


@pytest.mark.parametrize(
    "question",
    [
        replace(QUESTION, answer_instruction="Answer A, B, C or D."),
        replace(QUESTION, instruction="Choose one of (A)-(D)."),
        replace(QUESTION, text="Why, unlike option B, are they true?"),
        replace(QUESTION, options=("north", "east", "Both A and R")),
        replace(QUESTION, options=("A", "B")),
        replace(QUESTION, examples=(Example("e", ("u", "v", "Both A and B"), 2),)),
        replace(QUESTION, examples=(Example("Why is option B wrong?", ("u", "v"), 0),)),
        replace(QUESTION, examples=(Example("Which is cold?\n(A) sun\n(B) ice", answer="(B)"),)),
        replace(QUESTION, examples=(Example("Which is cold?", answer="The answer is (B)."),)),
        replace(QUESTION, examples=(Example("Which is cold?", answer="B"),)),
        replace(QUESTION, instruction="Answer with a letter (A–D)."),
        replace(QUESTION, instruction="Answer with a, b, c, or d."),
        replace(QUESTION, instruction="Give a letter from A to J."),
        replace(QUESTION, instruction="LETTER is one of ABCD."),
        replace(QUESTION, instruction="Choose A B C D."),
        replace(QUESTION, instruction="Reply A|B|C|D."),
        replace(QUESTION, instruction="Give one label, e.g. C."),
        replace(QUESTION, answer_instruction="Write \\boxed{B}."),
        replace(QUESTION, system='Respond as {"answer": "A"}.'),
    ],
)
def test_a_question_that_names_labels_keeps_them_but_not_their_wrapper(question: Question) -> None:
    drawn = layouts(question, "labels")
    assert {layout.labels for layout in drawn} == {"A"}
    assert len({layout.wrapper for layout in drawn}) == 4


@pytest.mark.parametrize(
    "instruction",
    [
        "A train leaves. Choose where to.",
        "Choose a place.",
        "I ask you to choose.",
        "Answer in 1 word.",
        "Q and A: choose.",
        "The A's are many.",
    ],
)
def test_articles_and_amounts_in_an_instruction_are_no_labels(instruction: str) -> None:
    question = replace(QUESTION, instruction=instruction)
    assert labels_bound(question, Layout()) == ""
    assert styles(question) == {"A", "a", "1", "i", "I"}


@pytest.mark.parametrize("instruction", ["I'm sure you can.", "I’ll wait.", "I am asking you.", "Help me, I say."])
def test_a_pronoun_is_no_label_of_ten_options(instruction: str) -> None:
    question = Question("Which?", tuple(f"text {number}" for number in range(10)), instruction=instruction)
    assert labels_bound(question, Layout()) == ""
    assert labels_bound(replace(question, instruction="Give a letter, e.g. I."), Layout())


def test_a_template_that_writes_a_for_the_answer_names_no_label() -> None:
    question = replace(QUESTION, template="Q: {question}\n{options}\nA:")
    assert labels_bound(question, Layout()) == ""


def test_examples_are_shown_in_the_new_labels_of_the_question() -> None:
    question = replace(QUESTION, examples=(Example("How warm?", ("hot", "cold"), 1),))
    for layout in layouts(question, "labels"):
        shown = render(question, layout)[-1].content
        second = answer_key_labels(question, layout)[1]
        assert f"Answer: {second}\n" in shown
        assert f"\n{wrapped(second, layout.wrapper)} cold\n" in shown


def test_the_users_line_with_the_field_for_labels_is_filled_with_the_new_ones() -> None:
    question = replace(QUESTION, answer_instruction="One of {labels}, please.")
    drawn = [variants(question, "labels", seed=seed)[0] for seed in range(40)]
    assert any(content(variant).endswith("One of 1, 2, 3 or 4, please.") for variant in drawn)


def test_an_option_that_names_others_is_rewritten_for_the_new_labels() -> None:
    question = replace(QUESTION, options=("north", "east", "south", "Both A and B"))
    shown = {variants(question, "labels", seed=seed)[0].question.options[3] for seed in range(60)}
    assert shown == {"Both A and B", "Both a and b", "Both 1 and 2", "Both i and ii", "Both I and II"}


@pytest.mark.parametrize(
    ("options", "separators"),
    [
        (FOUR, {"\n\n", "; ", " | "}),
        (("a; b", "c"), {"\n\n", " | "}),
        (("f(x) = |x|", "c"), {"\n\n", "; "}),
        (("two\nlines", "c"), {"\n\n"}),
        (("two\n\nparts", "c"), set()),
    ],
)
def test_options_stand_in_one_line_only_where_none_holds_the_separator(
    options: Sequence[str], separators: set[str]
) -> None:
    drawn = layouts(Question("Which?", tuple(options), answer_form="label"), "option_separator")
    assert {layout.option_separator for layout in drawn} - {"\n"} == separators


def test_an_option_of_an_example_counts_too() -> None:
    question = replace(QUESTION, examples=(Example("e", ("u; v", "t | s\n"), 1),))
    assert {layout.option_separator for layout in layouts(question, "option_separator")} == {"\n\n"}


def test_parts_with_blank_lines_are_not_set_apart_by_a_line_break() -> None:
    question = replace(QUESTION, text="One.\n\nTwo?")
    assert "\n" not in {layout.field_separator for layout in layouts(question, "separators")}


@pytest.mark.parametrize("part", [{"context": ("p",)}, {"examples": (Example("e", ("u", "v"), 0),)}])
def test_names_are_left_out_only_where_parts_tell_themselves_apart(part: dict[str, tuple[object, ...]]) -> None:
    assert "none" in {layout.descriptor_case for layout in layouts(QUESTION, "case")}
    question = replace(QUESTION, **part)  # type: ignore[arg-type]  # a field by name
    assert "none" not in {layout.descriptor_case for layout in layouts(question, "case")}


@pytest.mark.parametrize("kind", ["markdown", "xml", "json", "yaml"])
def test_markup_reads_back_as_it_was_meant(kind: FormatKind) -> None:
    text = 'def f(x):\n\treturn {"<a>": x & 1}  # no heading\n"""```"""\r\n'
    (variant,) = variants(Question(text, ("a: b", "- c", "</x>", "")), kind)
    assert variant.outcome == "applied"
    assert misread(variant.question, variant.layout) == ""


@pytest.mark.parametrize(("kind", "text"), [("markdown", "# Title\nWhich?"), ("xml", "bell \x07")])
def test_a_text_that_a_markup_can_not_hold_is_not_shown_in_it(kind: FormatKind, text: str) -> None:
    (variant,) = variants(replace(QUESTION, text=text), kind)
    assert variant.outcome == "not_applicable"
    assert variant.reason == f"a text of the question can't stand in {kind} and be read back unchanged"
    assert {layout.markup for layout in layouts(replace(QUESTION, text=text), kind, "json")} == {"json"}


def test_a_template_leaves_labels_and_option_separator_to_change() -> None:
    question = replace(QUESTION, template="Q: {question}\n{options}\nA:")
    for layout in layouts(question):
        assert layout == replace(
            Layout(), labels=layout.labels, wrapper=layout.wrapper, option_separator=layout.option_separator
        )
    (variant,) = variants(question, "separators", "json")
    assert (variant.outcome, variant.reason) == ("not_applicable", "the user's own template has a layout of its own")


def test_a_template_that_names_labels_keeps_them() -> None:
    question = replace(QUESTION, template="{question}\n{options}\nAnswer A, B, C or D.")
    assert {layout.labels for layout in layouts(question, "labels")} == {"A"}


def test_a_template_without_options_has_nothing_to_change() -> None:
    (variant,) = variants(replace(QUESTION, template="{question}"), "labels", "option_separator")
    assert variant.outcome == "not_applicable"
    assert variant.reason == "no further layout of the kinds labels, option_separator looks different"


@pytest.mark.parametrize(
    ("kinds", "reason"),
    [
        (["labels"], "no options, which labels would change"),
        (["option_separator"], "no options, which option_separator would change"),
        (
            ["case", "labels"],
            "no options, which labels would change; no further layout of the kinds case looks different",
        ),
    ],
)
def test_a_question_without_options_names_the_kinds_that_need_some(kinds: list[FormatKind], reason: str) -> None:
    last = variants(Question("What is 2 + 2?", answer_form="none"), *kinds)[-1]
    assert (last.outcome, last.reason) == ("not_applicable", reason)


def test_when_all_layouts_are_drawn_there_is_no_further_one() -> None:
    drawn = variants(QUESTION, "option_separator", count=4)
    assert [variant.outcome for variant in drawn] == ["applied"] * 3 + ["not_applicable"]


def test_a_baseline_in_markup_may_become_another() -> None:
    item = Subject("1", QUESTION, Layout(markup="json"))
    drawn = [perturb(item, [Format(kind=("yaml", "labels"))], seed=seed)[0].layout for seed in range(30)]
    assert {layout.markup for layout in drawn} == {"yaml", "json"}
    assert Layout(markup="json") not in drawn


def test_the_order_in_which_kinds_are_given_means_nothing() -> None:
    assert Format(kind=("json", "case")) == Format(kind=("case", "json", "json"))


def test_unknown_kinds_and_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"kind is one or more of separators, case.*found none"):
        Format(kind=())
    with pytest.raises(ValueError, match="found toml"):
        Format(kind=("toml",))  # type: ignore[arg-type]  # what a caller without types may do
