"""What `prt perturb` shows of an item: what counts as right, and what each variant says otherwise."""

import io

import pytest
from prt.perturbations import Format, Generator, Reorder, Subject, Typo, baseline_variant, compose, perturb
from prt.perturbations.question import Example, Gold, Question
from prt.runner.records import Item
from prt.runner.reports.variants import differences, print_variants
from rich.console import Console

METALS = Item(
    "q1", Question("Which of these is a metal?", ("iron", "salt", "sea ice"), answer_form="label"), Gold(options=(0,))
)
RIVERS = Item("q2", Question("Which river flows through Cairo?"), Gold(texts=("Nile", "the Nile")))


def printed(item: Item, *generators: Generator) -> str:
    subject = Subject(item.id, item.question, gold=item.gold)
    console = Console(file=io.StringIO(), width=100)
    print_variants(item, (baseline_variant(subject), *perturb(subject, generators, seed=1)), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(("item", "words"), [(METALS, "iron"), (RIVERS, "Nile | the Nile")])
def test_what_counts_as_right_stands_under_the_id_and_the_baseline_has_a_heading(item: Item, words: str) -> None:
    lines = printed(item).split("\n")
    assert lines[1:4] == [item.id, f"  right: {words}", "  baseline · applied"]


@pytest.mark.parametrize("kind", ["separators", "labels", "json", "markdown"])
def test_another_layout_is_shown_as_it_is_sent_and_named(kind: str) -> None:
    shown = printed(METALS, Format(kind=(kind,)))  # type: ignore[arg-type] # the literals above
    assert "[-" not in shown
    assert "{+" not in shown
    assert "format.1 · applied · other " in shown


def test_options_in_another_order_are_marked_as_whole_lines() -> None:
    shown = printed(METALS, Reorder())
    marked = [line.strip() for line in shown.split("\n") if "[-" in line or "{+" in line]
    assert marked
    for line in marked:
        assert line[:2] + line[-2:] in {"[--]", "{++}"}
        assert line[2:-2] in {f"{label}. {option}" for label in "ABC" for option in METALS.question.options}


@pytest.mark.parametrize(("of", "name", "marked"), [("context", "passages", 2), ("examples", "examples", 4)])
def test_examples_and_passages_in_another_order_are_marked_as_whole_lines(of: str, name: str, marked: int) -> None:
    question = Question(
        "Which is a metal?", context=("Salt is white.", "Iron is grey."), examples=(Example("p?"), Example("q?"))
    )
    shown = printed(Item("q3", question, Gold(texts=("iron",))), Reorder(of=of))  # type: ignore[arg-type] # as above
    assert f"reorder.1 · applied · {name} in the order 2 1" in shown
    lines = [line.strip() for line in shown.split("\n") if "[-" in line or "{+" in line]
    assert len(lines) >= marked
    for line in lines:
        assert line.startswith(("[-", "{+"))


def test_words_are_marked_within_another_layout_and_order() -> None:
    subject = Subject(METALS.id, METALS.question, gold=METALS.gold)
    chain = compose((Reorder(), Format(), Typo()))
    variant = next(iter(perturb(subject, [chain], seed=1)))
    marks = [mark for mark in differences(baseline_variant(subject), variant) if mark[0] != "equal"]
    words = {text for _, text in marks if not any(option in text for option in METALS.question.options)}
    assert words
    assert all(" " not in word for word in words)
