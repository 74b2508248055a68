"""Planning: which cells a run has, and what makes two of them the same work."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import islice, repeat

import pytest
from prt.perturbations.question import Gold, Layout, Message, Question
from prt.perturbations.variant import Outcome, Variant
from prt.runner.plan import answer_key, cell_key, count_cells, plan_cells
from prt.runner.records import Cell, Item
from pydantic import JsonValue as Json

IDENTITY: dict[str, Json] = {"provider": "fake", "name": "m", "params": {"temperature": 0}}


def item(name: str = "q1", text: str = "Which is red?") -> Item:
    return Item(id=name, question=Question(text, options=("sky", "blood", "grass")), gold=Gold(options=(1,)))


def variant(
    of: Item,
    condition: str = "baseline",
    *,
    outcome: Outcome = "applied",
    text: str | None = None,
    permutation: tuple[int, ...] = (),
    layout: Layout | None = None,
) -> Variant:
    shown = permutation or range(len(of.question.options))
    return Variant(
        item_id=of.id,
        condition=condition,
        generator=condition.partition(".")[0],
        version=1,
        parameters="{}",
        tier="guaranteed",
        outcome=outcome,
        reason="",
        question=replace(
            of.question, text=text or of.question.text, options=tuple(of.question.options[index] for index in shown)
        ),
        layout=layout or Layout(),
        permutation=permutation,
    )


def cells_of(*variants: Variant, of: Item | None = None, repeats: int = 1) -> list[Cell]:
    one = of or item()
    return list(plan_cells([one], {one.id: variants}, identity=IDENTITY, repeats=repeats))


def test_only_the_baseline_and_applied_variants_are_asked_the_baseline_first() -> None:
    one = item()
    made = cells_of(
        variant(one, "typo.1", text="Whcih is red?"),
        variant(one, "reorder.1", outcome="not_applicable"),
        variant(one, "format.1", outcome="unchanged"),
        variant(one, "paraphrase.1", outcome="rejected"),
        variant(one),
    )
    assert [cell.condition for cell in made] == ["baseline", "typo.1"]


def test_a_baseline_is_asked_whatever_its_outcome_is_called() -> None:
    assert [cell.condition for cell in cells_of(variant(item(), outcome="unchanged"))] == ["baseline"]


def test_an_item_without_variants_has_no_cells() -> None:
    assert cells_of() == []
    assert list(plan_cells([item("other")], {}, identity=IDENTITY)) == []


def test_cells_come_item_by_item_so_that_a_run_cut_short_has_whole_pairs() -> None:
    one, two = item("q1"), item("q2", "Which is green?")
    variants = {each.id: [variant(each), variant(each, "typo.1", text="?")] for each in (one, two)}
    order = [
        (cell.item_id, cell.condition, cell.repeat) for cell in plan_cells([two, one], variants, identity={}, repeats=2)
    ]
    assert order == [
        (name, condition, repeat) for name in ("q2", "q1") for condition in ("baseline", "typo.1") for repeat in (0, 1)
    ]


def test_cells_are_made_as_needed_even_without_end() -> None:
    one = item()
    cells = plan_cells(repeat(one), {one.id: [variant(one)]}, identity=IDENTITY)
    assert [cell.condition for cell in islice(cells, 5)] == ["baseline"] * 5


@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_the_count_is_the_number_of_cells_made(repeats: int) -> None:
    items = [item(f"q{number}") for number in range(4)]
    variants = {
        each.id: [variant(each), variant(each, "typo.1", outcome="unchanged"), variant(each, "typo.2")]
        for each in items[1:]
    }
    made = list(plan_cells(items, variants, identity=IDENTITY, repeats=repeats))
    assert count_cells(items, variants, repeats=repeats) == len(made) == 3 * 2 * repeats


def test_a_cell_names_its_variant_by_the_place_among_all_variants_asked_or_not() -> None:
    one, two = item("q1"), item("q2")
    variants = {
        "q1": [variant(one, "typo.1", outcome="unchanged"), variant(one), variant(one, "typo.2")],
        "q2": [variant(two), variant(two, "typo.1")],
    }
    cells = plan_cells([one, item("none"), two], variants, identity=IDENTITY, repeats=2)
    every = [(each.item_id, each.condition) for name in ("q1", "q2") for each in variants[name]]
    made = [(cell.variant, cell.repeat) for cell in cells]
    assert made == [(place, repeat) for place in (1, 2, 3, 4) for repeat in (0, 1)]
    assert [every[place] for place in (1, 2, 3, 4)] == [
        ("q1", "baseline"),
        ("q1", "typo.2"),
        ("q2", "baseline"),
        ("q2", "typo.1"),
    ]


def test_equal_messages_have_an_equal_key_under_whatever_condition() -> None:
    one = item()
    baseline, same = cells_of(variant(one), variant(one, "format.1"))
    assert baseline.key == same.key


def test_each_thing_that_decides_a_reply_changes_the_key() -> None:
    one = item()
    messages = cells_of(variant(one))[0].messages
    keys = [
        cell_key(IDENTITY, messages, 0),
        cell_key(IDENTITY, messages, 1),
        cell_key({**IDENTITY, "name": "n"}, messages, 0),
        cell_key({**IDENTITY, "params": {"temperature": 1}}, messages, 0),
        cell_key(IDENTITY, (*messages, messages[0]), 0),
        cell_key(IDENTITY, messages, 0, ["q1", "baseline", 0]),
    ]
    assert len(set(keys)) == len(keys)


def test_the_order_of_the_identitys_keys_does_not_change_the_key() -> None:
    messages = cells_of(variant(item()))[0].messages
    assert cell_key(dict(reversed(list(IDENTITY.items()))), messages, 0) == cell_key(IDENTITY, messages, 0)


def test_a_key_is_the_hash_of_the_canonical_json_of_what_decides_the_reply() -> None:
    spelt_out = (
        '["prt.cell",{"messages":[["user","Is 2 > 1?"]],"model":{"name":"m","params":{"a":1}},"place":[],"sample":3}]'
    )
    key = cell_key({"params": {"a": 1}, "name": "m"}, [Message("user", "Is 2 > 1?")], 3)
    assert key == sha256(spelt_out.encode()).hexdigest()


@pytest.mark.parametrize("repeats", [1, 3])
def test_a_rerun_takes_samples_of_its_own_so_that_the_original_is_asked_again(repeats: int) -> None:
    one = item()
    made = cells_of(variant(one), variant(one, "rerun.1"), variant(one, "rerun.2"), repeats=repeats)
    assert [cell.sample for cell in made] == list(range(3 * repeats))
    assert max(Counter(cell.key for cell in made).values()) == 1


def test_recorded_answers_are_keyed_by_their_place_even_under_equal_prompts() -> None:
    one, twin = item("q1"), item("q2")
    variants = {each.id: [variant(each)] for each in (one, twin)}
    by_prompt = list(plan_cells([one, twin], variants, identity=IDENTITY))
    by_place = list(plan_cells([one, twin], variants, identity=IDENTITY, by_place=True))
    assert by_prompt[0].key == by_prompt[1].key
    assert by_place[0].key != by_place[1].key


def test_the_answer_key_names_labels_and_options_as_they_are_shown() -> None:
    one = item()
    key = answer_key(one, variant(one, "reorder.1", permutation=(2, 0, 1), layout=Layout(labels="i")))
    assert key.labels == ("i", "ii", "iii")
    assert key.options == ("grass", "sky", "blood")
    assert key.permutation == (2, 0, 1)
    assert key.item is one


def test_without_a_permutation_options_stand_in_their_own_order() -> None:
    one = item()
    assert answer_key(one, variant(one)).permutation == (0, 1, 2)
    free = Item(id="free", question=Question("How many?"), gold=Gold(texts=("3",)))
    assert answer_key(free, variant(free)).permutation == ()
    assert answer_key(free, variant(free)).labels == ()


def test_lone_surrogates_in_a_prompt_have_a_key_like_any_text() -> None:
    one = item("q\ud800", "Which is \udfff?")
    made = cells_of(variant(one), of=one)
    assert len(made[0].key) == 64
