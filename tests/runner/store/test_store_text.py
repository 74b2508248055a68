"""Exactness: whatever text a model, a dataset or a grader produces comes back as it was."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.question import Example, Gold, Message, Question
from prt.runner.records import Grade, Item, Reply, ReplyError
from prt.runner.store.database import Store
from prt.runner.store.read import StoredRun, load_run
from prt.runner.store.results import NewReply, NewResult, add_results
from prt.runner.store.runs import RunRecord, RunSpec, open_run
from prt.runner.store.schema import restored, storable

from ..run_fakes import Bench, World, make_item, make_variant

PIECES = [
    "\0",
    "\ud800",
    "\udfff",
    "\ud83d\ude00",
    "😀",
    "escaped:",
    "\\",
    "\\u0000",
    "\\ud800",
    "\r\n",
    "\u2028",
    "é",
    "'",
    '"',
]
texts = st.one_of(st.text(st.characters(), max_size=30), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
maybe_texts = st.none() | texts
counts = st.none() | st.integers(0, 2**31 - 1)
floats = st.floats(0, 1e6)

replies = st.builds(
    Reply,
    text=texts,
    finish_reason=texts,
    refusal=texts,
    reasoning=texts,
    model=texts,
    prompt_tokens=counts,
    completion_tokens=counts,
    latency_s=floats,
    attempts=st.integers(1, 100),
    fingerprint=texts,
    error=st.none() | st.builds(ReplyError, kind=st.sampled_from(["timeout", "server", "callable"]), message=texts),
)
grades = st.builds(
    Grade,
    passed=st.none() | st.booleans(),
    status=st.sampled_from(["graded", "unparsed", "truncated", "refused", "error", "judge_error"]),
    extracted=maybe_texts,
    answer=maybe_texts,
    reason=texts,
    span=st.none() | st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
questions = st.builds(
    Question,
    text=texts,
    options=st.lists(texts, max_size=3).map(tuple),
    system=texts,
    context=st.lists(texts, max_size=2).map(tuple),
    examples=st.lists(st.builds(Example, text=texts, answer=st.integers(0, 3) | texts), max_size=2).map(tuple),
    history=st.lists(st.builds(Message, role=st.sampled_from(["user", "assistant"]), content=texts), max_size=2).map(
        tuple
    ),
    answer_instruction=maybe_texts,
    template=maybe_texts,
)
items = st.builds(
    Item,
    id=texts,
    question=questions,
    gold=st.builds(Gold, options=st.just((1, 0)), texts=st.lists(texts, max_size=2).map(tuple)),
    cluster=texts,
    row=st.dictionaries(texts, json_values, max_size=3),
    # Not part of a suite's identity, so the first place of an otherwise equal item is the one that is kept.
    number=st.just(1),
)
KEY = "5d" * 32


tokens = (f"{number:04x}" for number in count())


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    bench = Bench(tmp_path_factory.mktemp("store") / "prt.db")
    with bench.open() as store:
        yield store, bench.begin(store)


def round_trip(store: Store, run: RunRecord, reply: Reply, grade: Grade) -> tuple[Reply, Grade | None]:
    """Store a reply and its grade for the cell q1 under the baseline, and read them back."""
    (number,) = add_results(store, run, [NewReply(KEY, reply)], [])
    add_results(store, run, [], [NewResult(2, 0, number, grade)])
    (row,) = StoredRun(store, run).results("q1")
    return row.reply, row.grade


@settings(deadline=None, derandomize=True)
@given(texts)
def test_escaping_loses_nothing_and_leaves_only_what_both_databases_hold(text: str) -> None:
    stored = storable(text)
    assert restored(stored) == text
    assert "\0" not in stored
    stored.encode()


@pytest.mark.parametrize("text", ["", "plain", "back\\slash", "\\u0000", "emoji 😀", "not escaped: here"])
def test_ordinary_text_is_stored_as_it_stands(text: str) -> None:
    assert storable(text) == text


@settings(deadline=None, derandomize=True)
@given(texts, texts)
def test_different_texts_are_stored_differently(one: str, other: str) -> None:
    assert (storable(one) == storable(other)) == (one == other)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(replies, grades)
def test_any_reply_and_grade_come_back_exactly(opened: tuple[Store, RunRecord], reply: Reply, grade: Grade) -> None:
    assert round_trip(*opened, reply, grade) == (reply, grade)


@pytest.mark.parametrize(
    "piece", ["x", "😀\n", "x" * 999 + "\0", "x" * 999 + "\ud800"], ids=["plain", "emoji", "NUL", "surrogate"]
)
def test_a_megabyte_comes_back_exactly(opened: tuple[Store, RunRecord], piece: str) -> None:
    reply = Reply(text=piece * (1_000_000 // len(piece)))
    assert round_trip(*opened, reply, Grade(None, "unparsed"))[0] == reply


@settings(max_examples=40, deadline=None, derandomize=True)
@given(items, texts)
def test_any_item_and_variant_come_back_exactly(opened: tuple[Store, RunRecord], item: Item, condition: str) -> None:
    made = replace(make_variant(item, condition, item.question.text), question=item.question, severity=0.1)
    store, _ = opened
    spec = RunSpec(name="any", model={}, grader={})
    run = StoredRun(store, open_run(store, spec, items=[item], variants=[made], token=next(tokens)))
    assert list(run.items()) == [item]
    assert list(run.variants()) == list(run.variants(item.id)) == [made]


def test_the_order_of_a_rows_keys_is_kept(tmp_path: Path) -> None:
    item = replace(make_item(1), row={"z": 1, "a": {"y": 2, "b": 3}})
    bench = Bench(tmp_path / "prt.db", world=World([item], {item.id: [make_variant(item, "baseline", "?")]}))
    with bench.open() as store:
        bench.begin(store)
        (read,) = load_run(store, "latest").items()
    assert str(read.row) == str(item.row)


@pytest.mark.sqlite
def test_a_person_can_read_the_texts_with_any_sqlite_tool(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    with bench.open() as store:
        run = bench.begin(store)
        add_results(store, run, [NewReply(KEY, Reply(text="Größe: 3 😀")), NewReply(KEY, Reply(text="a\0b\\"))], [])
    connection = sqlite3.connect(bench.path)
    read = [text for (text,) in connection.execute("SELECT text FROM replies ORDER BY id")]
    connection.close()
    assert read == ["Größe: 3 😀", r"escaped:a\u0000b\u005c"]
