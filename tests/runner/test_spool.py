"""Sequences in a temporary file: as lists are, in flat memory; and what is written there comes back exactly."""

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations import Format, Question, Reorder, Subject, Typo, baseline_variant, perturb
from prt.perturbations.canonical import canonical_hash
from prt.perturbations.question import Attachment, Example, Gold, Message
from prt.perturbations.variant import Variant
from prt.runner import spool
from prt.runner.encoding import VariantSpool, item_spool, item_text, read_item, suite_hash, variant_groups
from prt.runner.errors import UsageError
from prt.runner.records import Item
from prt.runner.spool import Groups, Late, LateMapping, Named, Places, Spool, pickled, unpickled
from pydantic import JsonValue as Json
from pydantic import TypeAdapter

pytestmark = pytest.mark.storeless

TEXTS = st.text(st.sampled_from('aé"\\\n\x00\x7f\u2028\ud83d\ude00😀'), max_size=5)
CELLS: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers() | st.floats(0, 1e9) | TEXTS | st.lists(TEXTS, max_size=2)
)
ROWS: st.SearchStrategy[dict[str, Json]] = st.dictionaries(TEXTS, CELLS, max_size=3)
QUESTIONS = st.builds(
    Question,
    TEXTS,
    st.lists(TEXTS, max_size=3).map(tuple),
    examples=st.lists(st.builds(Example, TEXTS, answer=TEXTS | st.integers(0, 2)), max_size=1).map(tuple),
    history=st.lists(st.builds(Message, st.just("user"), TEXTS), max_size=1).map(tuple),
)
ITEMS = st.builds(
    Item,
    TEXTS,
    QUESTIONS,
    st.builds(Gold, texts=st.lists(TEXTS, max_size=2).map(tuple)),
    TEXTS,
    ROWS,
    st.integers(0, 9),
    TEXTS,
    st.lists(st.builds(Attachment, TEXTS, st.booleans()), max_size=1).map(tuple),
)


def numbers(values: range) -> Spool[int]:
    return Spool(lambda value: b"x" * (value % 7) + str(value).encode(), lambda text: int(text.strip(b"x")), values)


def make(name: str) -> tuple[Item, tuple[Variant, ...]]:
    question = Question(f"How many boats of the old harbour are green, says {name}?", ("two of them", "three of them"))
    item = Item(name, question, Gold(options=(1,)), row={"b": name, "a": [1.5, None]}, number=3, file="x.csv")
    subject = Subject(name, question, gold=item.gold)
    return item, (baseline_variant(subject), *perturb(subject, [Reorder(), Format(), Typo()], seed=1))


def worlds(count: int) -> Iterator[tuple[Item, tuple[Variant, ...]]]:
    return (make(f"q{number}") for number in range(count))


def test_a_spool_is_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 64)
    monkeypatch.setattr(spool, "BLOCK", 40)
    wanted = range(100)
    found = numbers(wanted)
    assert len(found) == 100
    assert [*found] == [*wanted]
    assert [found[at] for at in (0, 99, -1, -100)] == [0, 99, 99, 0]
    assert found[3:9] == (*wanted[3:9],)
    assert found[::-30] == (*wanted[::-30],)
    assert found == [*wanted]
    assert found == numbers(wanted)
    assert found != numbers(range(99))
    with pytest.raises(IndexError):
        found[100]
    first, second = iter(found), iter(found)
    assert [(next(first), next(second)) for _ in wanted] == [(at, at) for at in wanted]
    found.append(100)
    assert found[100] == 100


def test_a_value_longer_than_a_block_is_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "BLOCK", 4)
    texts = ["a", "b" * 100, "", "c"]
    assert [*Spool(str.encode, bytes.decode, texts)] == texts


def test_a_full_disk_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full:
        monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda _size: full)
        with pytest.raises(UsageError, match=r"No space left on device.*TMPDIR"):
            numbers(range(9))


@given(st.lists(TEXTS, unique=True, max_size=80), TEXTS)
def test_places_are_found_again(texts: list[str], other: str) -> None:
    places = Places()
    for text in texts:
        places.append(text)
    assert [next(places.of(text)) for text in texts] == [*range(len(texts))]
    assert other in texts or not any(texts[place] == other for place in places.of(other))


def test_equal_hashes_are_told_apart_by_the_values() -> None:
    class Alike(str):
        __slots__ = ()

        def __hash__(self) -> int:
            return 7

    groups: Groups[str] = Groups(Spool(str.encode, bytes.decode), lambda value: Alike(value[0]))
    for name in "abc":
        groups.append(Alike(name), [f"{name}1", f"{name}2"])
    assert groups[Alike("b")] == ("b1", "b2")
    assert Alike("d") not in groups
    assert [*groups] == ["a", "b", "c"]
    assert len(groups) == 3


@given(ITEMS)
def test_an_item_comes_back_with_the_order_of_its_row(item: Item) -> None:
    (back,) = item_spool([item])
    assert back == item
    assert [*back.row] == [*item.row]
    whole = TypeAdapter(Item).dump_python(item)
    assert json.loads(item_text(item)) == json.loads(json.dumps(whole, ensure_ascii=False))


def test_an_item_of_an_older_store_has_what_it_lacks_by_default() -> None:
    item = replace(make("q")[0], file="", attachments=())
    whole = {name: value for name, value in json.loads(item_text(item)).items() if name not in {"file", "attachments"}}
    assert read_item(whole) == item


@given(st.lists(ITEMS, max_size=2))
def test_a_suite_keeps_the_hash_that_it_always_had(items: list[Item]) -> None:
    variants = [each for item in items for each in (baseline_variant(Subject(item.id, item.question)),)]
    as_ever = earlier_suite_hash(items, variants)
    assert suite_hash(items, variants) == as_ever
    assert suite_hash(item_spool(items), VariantSpool(variants)) == as_ever


def test_a_suite_of_edited_variants_keeps_its_hash() -> None:
    items, variants = zip(*worlds(3), strict=True)
    flat = [each for group in variants for each in group]
    assert suite_hash(items, VariantSpool(flat)) == earlier_suite_hash(items, flat)
    assert suite_hash(items, flat[1:]) != suite_hash(items, flat)


def earlier_suite_hash(items: object, variants: object) -> str:
    """The hash by its definition, all at once."""
    item_values = [replace(item, number=0, file="") for item in TypeAdapter(list[Item]).validate_python(items)]
    hashes = [canonical_hash("prt.item", TypeAdapter(Item).dump_python(item)).hex() for item in item_values]
    made = [canonical_hash("prt.variant", TypeAdapter(Variant).dump_python(each)).hex() for each in variants]  # type: ignore[attr-defined]
    return canonical_hash("prt.suite", [hashes, made]).hex()


def test_groups_hold_the_variants_of_each_item() -> None:
    wanted = {item.id: variants for item, variants in worlds(5)}
    groups = variant_groups()
    for name, variants in wanted.items():
        groups.append(name, variants)
    assert dict(groups) == wanted
    assert groups["q3"] == wanted["q3"]
    assert groups.get("q9") is None
    assert [*groups.in_order] == [each for variants in wanted.values() for each in variants]


def test_memory_stays_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 1)
    made = make("q")
    made = made[0], made[1][:3]

    def peak(count: int, held: list[object]) -> int:
        groups, items = variant_groups(), item_spool()
        tracemalloc.start()
        for number in range(count):
            item = replace(made[0], id=f"q{number}")
            items.append(item)
            groups.append(item.id, [replace(variant, item_id=item.id) for variant in made[1]])
        for item in items:
            held += [item, groups[item.id]][: held is not nothing and 2]
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    nothing: list[object] = []
    peak(10, nothing)
    assert peak(700, nothing) - peak(200, nothing) < 500 * 500
    assert peak(700, []) - peak(200, []) > 500 * 2_500


def test_what_comes_late_is_fetched_once_and_not_for_its_length() -> None:
    fetched: list[str] = []

    def fetch() -> tuple[str, ...]:
        fetched.append("once")
        return ("a", "b", "c")

    late = Late(3, fetch)
    assert len(late) == 3
    assert fetched == []
    assert [*late] == ["a", "b", "c"]
    assert (late[1], late[1:]) == ("b", ("b", "c"))
    mapping = LateMapping(lambda: {name: name * 2 for name in late})
    assert (mapping["a"], len(mapping), [*mapping]) == ("aa", 3, ["a", "b", "c"])
    assert fetched == ["once"]


def test_named_values_are_found_where_they_lie() -> None:
    words = Spool(str.encode, bytes.decode, ["boat", "harbour", "lamp"])
    named = Named(words, lambda word: word[0])
    assert (named["h"], len(named), [*named]) == ("harbour", 3, ["b", "h", "l"])
    assert "x" not in named


def test_values_of_any_dataclass_come_back_from_their_pickles() -> None:
    item = make("q")[0]
    assert unpickled(pickled([item, {"a": (item, None)}, Gold(texts=("é\ud800",))])) == [
        item,
        {"a": (item, None)},
        Gold(texts=("é\ud800",)),
    ]
