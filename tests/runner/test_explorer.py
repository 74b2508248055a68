"""The map and the texts of a report: every cell is laid out, and of the texts the most telling ones, up to a bound."""

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.question import Layout, Question
from prt.perturbations.variant import Variant
from prt.runner.analysis import Results, read_results_of
from prt.runner.explorer import (
    FAIL,
    FLIPPED,
    MIXED,
    NO_RESULT,
    NOT_ASKED,
    PASS,
    UNREAD,
    CellMap,
    cell_map,
    map_of_results,
    map_of_table,
)
from prt.runner.explorer_texts import ShownItem, changes, compact, line_changes, texts_of
from prt.runner.records import AnswerKey, Grade, Reply, ReplyError, Request
from prt.runner.results.read import read_results
from prt.runner.store.read import StoredRun, load_run
from prt.stats import Outcomes

from .run_fakes import Bench, FakeGrader, FakeModel, World, equals_gold, make_item, make_variant, make_world


def laid_out(rows: list[list[int]], **roles: str) -> CellMap:
    outcomes = Outcomes.from_array(rows)
    shape = outcomes.cells.shape[:2]
    return cell_map(outcomes, roles, asked=np.ones(shape, dtype=bool), unread=np.zeros(shape, dtype=bool))  # type: ignore[arg-type]  # roles by name


def test_items_stand_in_the_order_of_the_map() -> None:
    found = laid_out([[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0], [-1, 1, 1]])
    assert found.items == ("4", "5", "2", "3", "1", "6")
    assert found.places.tolist() == [3, 4, 1, 2, 0, 5]
    assert found.cells[0].tolist() == [PASS, PASS, PASS]
    assert found.cells[1].tolist() == [PASS, PASS, FAIL | FLIPPED]
    assert found.cells[3].tolist() == [FAIL, PASS | FLIPPED, PASS | FLIPPED]
    assert found.cells[5].tolist() == [NO_RESULT, PASS, PASS]
    assert found.flips.tolist() == [0, 1, 2, 2, 0, 0]


def test_a_control_flips_nothing_and_a_rerun_counts_among_no_items_flips() -> None:
    found = laid_out([[1, 0, 0]], **{"variant.1": "control", "variant.2": "rerun"})
    assert found.cells[0].tolist() == [PASS, FAIL, FAIL | FLIPPED]
    assert found.flips.tolist() == [0]


def test_over_repeats_a_cell_is_what_most_of_its_runs_did() -> None:
    outcomes = Outcomes.from_array([[[1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 0, 1]]], conditions=["baseline", "a", "b"])
    shape = (1, 3)
    found = cell_map(outcomes, {}, asked=np.ones(shape, dtype=bool), unread=np.zeros(shape, dtype=bool))
    assert found.cells[0].tolist() == [PASS, FAIL | MIXED | FLIPPED, PASS | MIXED]


def test_a_table_of_results_is_laid_out_with_its_reruns() -> None:
    table = read_results(None, "item,original,typo,rerun\na,1,0,0\nb,1,,1\n").clustered("^.")
    found = map_of_table(table)
    assert found.items == ("a", "b")
    assert found.roles == ("perturbation", "perturbation", "rerun")
    assert found.clusters == ("a", "b")
    assert found.cells.tolist() == [[PASS, FAIL | FLIPPED, FAIL | FLIPPED], [PASS, NO_RESULT, PASS]]


@given(st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4), min_size=1, max_size=12))
def test_no_item_is_lost_or_told_twice_and_each_keeps_its_row(rows: list[list[int]]) -> None:
    found = laid_out(rows)
    assert sorted(found.places.tolist()) == list(range(len(rows)))
    known = {FAIL: 0, PASS: 1, NO_RESULT: -1}
    for place, cells in zip(found.places.tolist(), found.cells, strict=True):
        assert [known[int(cell) & 3] for cell in cells] == rows[place]
        flips = [row != rows[place][0] and -1 not in (row, rows[place][0]) for row in rows[place]]
        assert [bool(cell & FLIPPED) for cell in cells] == flips


def world_of_kinds() -> World:
    """Five items, whose variant is answered rightly, wrongly, not readably, not at all, and not asked."""
    items = [make_item(number) for number in range(5)]
    variants = {
        item.id: [
            make_variant(item, "baseline", item.question.text),
            make_variant(item, "typo.1", f"Wat iz {item.id}?"),
        ]
        for item in items
    }
    variants["q4"][1] = replace(variants["q4"][1], outcome="not_applicable", reason="no word to mistype")
    return World(items, variants)


async def answered(request: Request) -> Reply:
    await asyncio.sleep(0)
    if request.condition == "typo.1" and request.item_id == "q3":
        return Reply(error=ReplyError("timeout", "no answer in 60 s"))
    told = {"q1": "42", "q2": "no idea"} if request.condition == "typo.1" else {}
    return Reply(text=told.get(request.item_id, request.item_id[1:]))


def reading(reply: Reply, key: AnswerKey) -> Grade:
    if reply.text == "no idea":
        return Grade(passed=False, status="unparsed", reason="no number")
    if reply.error is None:
        return Grade(reply.text in key.item.gold.texts, "graded", reply.text, reply.text, span=(0, len(reply.text)))
    return equals_gold(reply, key)


def run_of_kinds(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "prt.db", world_of_kinds())
    bench.run(FakeModel(answered), grader=FakeGrader(reading))
    return bench


def test_each_kind_of_cell_of_a_run_is_told_apart(tmp_path: Path) -> None:
    with run_of_kinds(tmp_path).open() as store:
        found = map_of_results(read_results_of(load_run(store, "latest")))
    cells = dict(zip(found.items, found.cells[:, 1].tolist(), strict=True))
    assert cells == {
        "q0": PASS,
        "q1": FAIL | FLIPPED,
        "q2": FAIL | UNREAD | FLIPPED,
        "q3": NO_RESULT,
        "q4": NOT_ASKED,
    }
    assert set(found.clusters) == {"even", "odd"}


def read(bench: Bench) -> tuple[StoredRun, Results, CellMap]:
    store = bench.open()
    run = load_run(store, "latest")
    results = read_results_of(run)
    return run, results, map_of_results(results)


def test_the_texts_say_what_was_asked_answered_and_read(tmp_path: Path) -> None:
    run, results, cells = read(run_of_kinds(tmp_path))
    with run.store:
        shown = {item.item_id: item for item in texts_of(run, results, cells)}
    assert [*shown] == ["q2", "q1", "q0", "q3", "q4"]
    variant = shown["q1"].variants[1]
    assert restored(shown["q1"].prompt, variant.pieces).startswith("Question: Wat iz q1?\n")
    (answer,) = variant.answers
    assert (answer.before, answer.read, answer.after, answer.passed) == ("", "42", "", False)
    assert shown["q2"].variants[1].answers[0].reason == "no number"
    assert shown["q3"].variants[1].answers[0].reason == "no answer in 60 s"
    assert (shown["q4"].variants[1].outcome, shown["q4"].variants[1].reason) == ("not_applicable", "no word to mistype")
    assert shown["q4"].variants[1].pieces == ()


def restored(prompt: str, pieces: tuple[int | str, ...]) -> str:
    """A variant's prompt, put together from the original's and the pieces as a page does it."""
    place, text = 0, ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
        else:
            text += prompt[place : place + piece] if piece > 0 else ""
            place += abs(piece)
    assert place in (0, len(prompt))
    return text


def test_the_items_that_flip_come_first_then_those_that_were_not_read(tmp_path: Path) -> None:
    run, results, cells = read(run_of_kinds(tmp_path))
    with run.store:
        first = texts_of(run, results, cells, prompts=2 * 3)
        assert [item.item_id for item in first] == ["q2", "q1", "q0"]
        assert len(texts_of(run, results, cells, prompts=1)) == 1


def test_no_more_characters_than_allowed_are_taken_and_a_long_item_makes_room_for_others(tmp_path: Path) -> None:
    world = make_world(items=30)
    long = replace(world.items[3], question=Question("long " * 500))
    items = [*world.items[:3], long, *world.items[4:]]
    variants = {
        **world.variants,
        long.id: [make_variant(long, name, long.question.text) for name in ("baseline", "typo.1")],
    }
    bench = Bench(tmp_path / "prt.db", World(items, variants))
    bench.run(FakeModel())
    run, results, cells = read(bench)
    with run.store:
        every = texts_of(run, results, cells)
        assert len(every) == 30
        some = texts_of(run, results, cells, characters=1500)
        assert 0 < len(some) < 30
        assert sum(item.characters for item in some) <= 1500
        assert long.id not in {item.item_id for item in some}
        assert texts_of(run, results, cells, characters=0) == ()


def test_repeats_are_told_one_by_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=2, repeats=3))
    bench.run(FakeModel())
    run, results, cells = read(bench)
    with run.store:
        shown = texts_of(run, results, cells)
    assert [len(variant.answers) for item in shown for variant in item.variants] == [3, 3, 3, 3]


def test_text_that_steers_a_screen_is_made_visible(tmp_path: Path) -> None:
    world = make_world(items=1)
    hostile = "\x1b[31mred\u202e \x00 \ud800"
    items = [replace(world.items[0], question=Question(hostile))]
    variants = {"q0": [make_variant(items[0], name, hostile + name) for name in ("baseline", "typo.1")]}
    bench = Bench(tmp_path / "prt.db", World(items, variants))
    bench.run(FakeModel())
    run, results, cells = read(bench)
    with run.store:
        (shown,) = texts_of(run, results, cells)
    assert "\\x1b[31mred\\u202e \\x00 \\ud800" in shown.prompt
    assert all(text.isprintable() for text in strings(shown) for text in text.split("\n"))


def strings(item: ShownItem) -> list[str]:
    pieces = [piece for variant in item.variants for piece in variant.pieces if isinstance(piece, str)]
    return [
        item.prompt,
        item.gold,
        *pieces,
        *(answer.before for variant in item.variants for answer in variant.answers),
    ]


LINES = st.lists(st.sampled_from(["A. yes", "B. no", "Question: who?", "", "A. no", "B. yes"]), max_size=6).map(
    "\n".join
)


@given(LINES, LINES)
def test_lines_that_moved_are_marked_without_losing_a_character(before: str, after: str) -> None:
    marks = [*line_changes(before, after, ["yes", "no"])]
    assert "".join(text for kind, text in marks if kind != "insert") == before
    assert "".join(text for kind, text in marks if kind != "delete") == after
    assert restored(before, tuple(compact(marks))) == after


def test_options_that_changed_places_are_marked_as_whole_lines() -> None:
    original = replace(
        make_variant(make_item(1), "baseline", "Which?"),
        question=Question("Which?", options=("yes", "no")),
        permutation=(0, 1),
    )
    moved = replace(original, question=Question("Which?", options=("no", "yes")), permutation=(1, 0))
    marks = [*changes(original, moved, "A. yes\nB. no", "A. no\nB. yes")]
    assert marks == [
        ("delete", "A. yes"),
        ("insert", "A. no"),
        ("equal", "\n"),
        ("delete", "B. no"),
        ("insert", "B. yes"),
    ]


@pytest.mark.parametrize("layout", [Layout(), Layout(markup="markdown")])
def test_words_are_marked_where_nothing_moved(layout: Layout) -> None:
    original: Variant = replace(make_variant(make_item(1), "baseline", "a b c"), layout=layout)
    assert [*changes(original, original, "a b c", "a x c")] == [
        ("equal", "a "),
        ("delete", "b"),
        ("insert", "x"),
        ("equal", " c"),
    ]
