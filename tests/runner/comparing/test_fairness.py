"""What makes a comparison unfair is named, refused where it has to be, and left out where that is enough."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prt.runner.comparing.findings import Caveat, Comparison
from prt.runner.comparing.versions import Settings, compare_pair
from prt.runner.errors import UsageError
from prt.runner.records import Grade
from prt.runner.store.database import Store, open_store
from prt.runner.store.merging import merge
from prt.runner.store.read import load_run
from prt.runner.store.results import NewResult, add_results
from prt.runner.store.runs import RunSpec, finish_run, open_run
from sqlalchemy import text

from .worlds import GRADER, MODEL, Made, put

BASE = Made("a", items=40)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "prt.db")) as opened:
        yield opened


def compared(store: Store, after: Made, *, allow: bool = False, before: Made = BASE) -> Comparison:
    return compare_pair(put(store, before), put(store, after, number=1), Settings(allow=allow))


def caveat(found: Comparison, kind: str) -> Caveat:
    (one,) = (each for each in found.caveats if each.kind == kind)
    return one


CAUTIONS: list[tuple[str, Made, str]] = [
    (
        "items",
        replace(BASE, name="b", first_item=30),
        "30 items only in the earlier run, 30 only in the later; 10 of 40",
    ),
    ("texts", replace(BASE, name="b", changed_items=20), "20 items have another text or right answer (`q0`, `q1`, "),
    ("variants", replace(BASE, name="b", reworded="typo.1"), "40 of 120 variants are worded otherwise and left out"),
    ("grader", replace(BASE, name="b", grader={**GRADER, "ignore_case": False}), "ignore_case true → false"),
    (
        "judge",
        replace(BASE, name="b", grader={"name": "judge", "model": {"name": "j-2"}}),
        'another judge decided what passes (j-1 → j-2: name "j-1" → "j-2")',
    ),
]


@pytest.mark.parametrize(("kind", "after", "told"), CAUTIONS, ids=[each[0] for each in CAUTIONS])
def test_what_is_unfair_is_refused_by_name_and_compared_only_where_that_is_allowed(
    store: Store, kind: str, after: Made, told: str
) -> None:
    before = replace(BASE, grader={"name": "judge", "model": {"name": "j-1"}}) if kind == "judge" else BASE
    with pytest.raises(UsageError, match="would not be fair") as refused:
        compared(store, after, before=before)
    assert told in str(refused.value)
    assert "--allow" in str(refused.value)
    assert refused.value.exit_code == 2


def test_what_is_allowed_compares_what_both_hold_alike(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", reworded="typo.1"), allow=True)
    assert {each.condition: each.figures.n for each in found.conditions} == {
        "baseline": 40,
        "typo.1": 0,
        "typo.2": 40,
        "style.1": 40,
    }
    assert caveat(found, "variants").weight == "caution"


def test_a_few_other_items_are_left_out_with_a_warning(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", changed_items=3, first_item=2))
    assert (found.items, caveat(found, "items").weight, caveat(found, "texts").weight) == (35, "warning", "warning")
    assert "2 items only in the earlier run, 2 only in the later; 35 of 40 are compared" in caveat(found, "items").text
    assert {each.figures.n for each in found.conditions} == {35}


def test_runs_without_a_common_item_are_refused_whatever_is_allowed(store: Store) -> None:
    with pytest.raises(UsageError, match="these runs can't be compared: of 40 and 40 items none is alike in both"):
        compared(store, replace(BASE, name="b", first_item=500), allow=True)


WARNINGS: list[tuple[str, Made, str]] = [
    (
        "parameters",
        replace(BASE, name="b", model={**MODEL, "params": {"temperature": 0.7, "top_p": 0.9}}),
        "the parameters differ: temperature 0 → 0.7, top_p nothing → 0.9",
    ),
    (
        "prompt",
        replace(BASE, name="b", system="Be brief.", config={"prompt": {"system": "Be brief."}}),
        'the prompt differs: system nothing → "Be brief."',
    ),
    ("repeats", replace(BASE, name="b", repeats=2), "prompts were asked 1 and 2 times"),
    ("conditions", replace(BASE, name="b", conditions=("typo.1", "noise.1")), "`noise.1`, `style.1`, `typo.2`"),
    (
        "drift",
        replace(BASE, name="b", answered_by=lambda number: ("m-1", "fp_1") if number < 10 else ("m-2", "fp_1")),
        "within the later run the endpoint answered as 2 models (`m-1` 40 times, `m-2` 120 times)",
    ),
    (
        "drift",
        replace(BASE, name="b", answered_by=lambda number: ("m-1", f"fp_{1 + number % 2}")),
        "answered as 2 fingerprints (`fp_1` 80 times, `fp_2` 80 times)",
    ),
    ("state", replace(BASE, name="b", state="stopped", missing=4), "the later run is stopped, 144 of 160 cells"),
]


@pytest.mark.parametrize(("kind", "after", "told"), WARNINGS)
def test_what_a_reader_must_know_is_a_warning_and_refuses_nothing(
    store: Store, kind: str, after: Made, told: str
) -> None:
    found = compared(store, after)
    assert caveat(found, kind).weight == "warning"
    assert told in caveat(found, kind).text


NOTES: list[tuple[Made, str]] = [
    (replace(BASE, name="b", model={**MODEL, "name": "m2"}), 'the model differs: name "m" → "m2"'),
    (replace(BASE, name="b", answered_by=lambda number: ("m-2", "fp_1")), "another model: `m-1` → `m-2`"),  # noqa: ARG005
    (replace(BASE, name="b", answered_by=lambda number: ("m-1", "fp_2")), "another fingerprint: `fp_1` → `fp_2`"),  # noqa: ARG005
]


@pytest.mark.parametrize(("after", "told"), NOTES)
def test_what_the_comparison_is_about_is_a_note(store: Store, after: Made, told: str) -> None:
    found = compared(store, after)
    assert (caveat(found, "model").weight, told in caveat(found, "model").text) == ("note", True)


def test_two_differences_at_once_can_not_be_told_apart(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", model={**MODEL, "name": "m2", "params": {}}))
    assert "the model and the parameters differ at once" in caveat(found, "several").text


def test_another_prompt_leaves_items_and_wordings_alike(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", system="Be brief.", config={"prompt": {"system": "Be brief."}}))
    assert {each.kind for each in found.caveats} == {"prompt"}
    assert (found.items, {each.figures.n for each in found.conditions}) == (40, {40})


def test_a_prompt_that_the_rows_bring_is_named_too(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", system="Be brief."))
    assert "what is said around the questions of 40 items" in caveat(found, "prompt").text


def test_replies_that_were_taken_over_can_not_differ_and_that_is_said(store: Store) -> None:
    before = put(store, BASE)
    first = before.run
    spec = RunSpec(name="b", model=MODEL, grader=GRADER, config={"name": "b"}, prt_version="1.0")
    after = open_run(store, spec, items=BASE.all_items(), variants=BASE.all_variants(), token="0001")  # noqa: S106 - digits of an id
    with store.reading() as connection:
        ids = connection.execute(text(f"SELECT variant, reply_id FROM cells WHERE run = {first.record.number}")).all()  # noqa: S608
    add_results(store, after, [], [NewResult(variant, 0, reply, Grade(True, "graded")) for variant, reply in ids])  # noqa: FBT003
    finish_run(store, after, "complete")
    found = compare_pair(before, replace(before, given="b", run=load_run(store, "b")))
    assert "160 of 160 replies of the later run are the earlier run's own" in caveat(found, "reused").text


def test_a_run_under_way_is_compared_only_where_that_is_allowed(store: Store) -> None:
    before = put(store, BASE)
    store.owner = "elsewhere:1"
    going = put(store, replace(BASE, name="b", state="running"), number=1)
    store.owner = "here:2"
    with pytest.raises(UsageError, match="the later run is running"):
        compare_pair(before, going)
    assert compare_pair(before, going, Settings(allow=True)).items == 40


def test_other_rows_matter_where_a_grader_reads_them(store: Store) -> None:
    grader = {"name": "python", "callable": "x:y"}
    before = put(store, replace(BASE, grader=grader))
    after = put(store, replace(BASE, name="b", grader=grader, row_note="other tests"), number=1)
    with pytest.raises(UsageError, match="40 items have other data in their rows, which the grader `python` may read"):
        compare_pair(before, after)
    exact = put(store, replace(BASE, name="c")), put(store, replace(BASE, name="d", row_note="other"), number=1)
    assert compare_pair(*exact).caveats == ()


def test_another_version_of_prt_is_noted(store: Store) -> None:
    found = compared(store, replace(BASE, name="b", prt_version="2.0"))
    assert caveat(found, "version").text == "prt 1.0 made the earlier run, prt 2.0 the later"


def test_runs_of_two_stores_are_matched_by_what_they_hold(store: Store, tmp_path: Path) -> None:
    before = put(store, BASE)
    with open_store(str(tmp_path / "other.db")) as other:
        after = put(other, replace(BASE, name="b"), number=1)
        found = compare_pair(before, after)
        assert (found.items, found.caveats, found.after.store) == (40, (), other.place)
        merge(store, other)
    again = compare_pair(before, replace(after, run=load_run(store, "b")))
    assert again.claims == found.claims
