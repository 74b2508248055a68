"""What a reviewer said decides what is asked, and outlives a bundle that is written anew."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from prt.perturbations import Bundle, Frames, Generator, Reorder, Subject, Typo, baseline_variant, compose, perturb
from prt.perturbations.bundle import write_bundle
from prt.perturbations.question import Gold, Question
from prt.runner.config.loading import parse_config
from prt.runner.errors import BundleError, ConfigError
from prt.runner.prepare import Prepared, prepare
from prt.runner.reviewing import carried, judged, needing_review
from pydantic import JsonValue as Json

QUESTION = "A baker sells seventeen loaves before lunch and nine after it. How many loaves is that?"
MINE = (
    "Before lunch a baker sells seventeen loaves, after it nine. How many loaves is that?",
    "Seventeen loaves leave a bakery before lunch and nine after it. How many loaves is that?",
)


def config(folder: Path, *, review: str = "required", **changes: Json) -> Path:
    """A config of two paraphrases and a typo of each of two items, with a bundle."""
    items: list[dict[str, Json]] = [{"id": name, "question": QUESTION, "answer": "26"} for name in "st"]
    mine: list[dict[str, Json]] = [{"id": name, "text": text} for name in "st" for text in MINE]
    for name, rows in (("items.jsonl", items), ("mine.jsonl", mine)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    whole: dict[str, Json] = {
        "model": "local",
        "dataset": "items.jsonl",
        "perturbations": [
            {"paraphrase": {"file": "mine.jsonl", "variants": 2, "review": review}},
            {"typo": {"rate": 0.2}},
        ],
        "grade": "numeric",
        "bundle": "frozen.jsonl",
        **changes,
    }
    path = folder / "prt.yaml"
    path.write_text(yaml.safe_dump(whole, sort_keys=False))
    return path


def frozen(folder: Path, *, review: str = "required", **changes: Json) -> Path:
    """The same, its bundle written."""
    path = config(folder, review=review, **changes)
    write_bundle(folder / "frozen.jsonl", prepare(path, env={}, use_bundle=False).bundle)
    return path


def edited(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Edit the bundle's variants as a script would."""
    header, *lines = (folder / "frozen.jsonl").read_text().removesuffix("\n").split("\n")
    rows = [json.loads(line) for line in lines]
    for row in rows:
        change(row)
    (folder / "frozen.jsonl").write_text("\n".join([header, *map(json.dumps, rows)]) + "\n")


def said(folder: Path, reviews: Mapping[tuple[str, str], str]) -> None:
    edited(folder, lambda row: row.update(review=reviews.get((row["item_id"], row["condition"]), row["review"])))


def reasons(prepared: Prepared) -> dict[tuple[str, str], str]:
    return {(each.item_id, each.condition): each.reason for each in prepared.all_variants() if each.reason}


def test_what_a_reviewer_rejected_is_not_asked_and_says_so(tmp_path: Path) -> None:
    path = frozen(tmp_path, review="optional")
    assert reasons(prepare(path, env={})) == {}
    said(tmp_path, {("s", "paraphrase.2"): "reject", ("t", "typo.1"): "reject", ("t", "paraphrase.1"): "accept"})
    prepared = prepare(path, env={})
    assert reasons(prepared) == {
        ("s", "paraphrase.2"): "rejected by a reviewer",
        ("t", "typo.1"): "rejected by a reviewer",
    }
    assert {each.outcome for each in prepared.all_variants() if each.reason} == {"rejected"}


def test_where_a_review_is_required_only_what_was_accepted_is_asked(tmp_path: Path) -> None:
    path = frozen(tmp_path)
    said(tmp_path, {("s", "paraphrase.2"): "reject", ("t", "paraphrase.1"): "accept"})
    assert reasons(prepare(path, env={})) == {
        ("s", "paraphrase.1"): "not reviewed yet",
        ("s", "paraphrase.2"): "rejected by a reviewer",
        ("t", "paraphrase.2"): "not reviewed yet",
    }


def test_another_review_is_another_run(tmp_path: Path) -> None:
    path = frozen(tmp_path, review="optional")
    hashes = [prepare(path, env={}).bundle_hash]
    for review in ("accept", "reject"):
        said(tmp_path, {("s", "paraphrase.1"): review})
        hashes.append(prepare(path, env={}).bundle_hash)
    assert len(set(hashes)) == 3
    said(tmp_path, {("s", "paraphrase.1"): ""})
    assert prepare(path, env={}).bundle_hash == hashes[0]


def test_an_accept_of_a_rejected_variant_is_named_with_its_line(tmp_path: Path) -> None:
    path = config(tmp_path)
    rows = [{"id": name, "text": QUESTION.replace("seventeen", "eighteen")} for name in "st"]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_bundle(tmp_path / "frozen.jsonl", prepare(path, env={}, use_bundle=False).bundle)
    said(tmp_path, {("t", "paraphrase.1"): "accept"})
    with pytest.raises(BundleError) as caught:
        prepare(path, env={})
    assert str(caught.value).startswith("frozen.jsonl:7: the variant paraphrase.1 of the item 't' is rejected (text: ")


def test_a_required_review_without_a_bundle_is_a_mistake_of_the_config(tmp_path: Path) -> None:
    path = config(tmp_path, bundle=None)
    with pytest.raises(ConfigError, match=r"`review: required` needs `bundle`, the file that holds the reviews"):
        prepare(path, env={})


@pytest.mark.parametrize(
    ("protect", "changed", "had", "has"),
    [
        (["loaves", r"\d+"], [r"\d+"], r'`protect: ["loaves", "\d+"]`', r'`protect: ["\d+"]`'),
        ([], ["lunch"], "no `protect`", '`protect: ["lunch"]`'),
        (["lunch"], [], '`protect: ["lunch"]`', "no `protect`"),
    ],
)
def test_a_bundle_that_protects_other_text_than_the_config_is_refused(
    tmp_path: Path, protect: list[Json], changed: list[Json], had: str, has: str
) -> None:
    frozen(tmp_path, protect=protect)
    with pytest.raises(BundleError) as caught:
        prepare(config(tmp_path, protect=changed), env={})
    assert str(caught.value).startswith(f"frozen.jsonl: the bundle was made with {had}, and the config has {has}; ")


def test_the_order_of_protected_patterns_is_all_one(tmp_path: Path) -> None:
    frozen(tmp_path, protect=["loaves", "lunch"])
    prepare(config(tmp_path, protect=["lunch", "loaves"]), env={})


def test_a_pattern_from_the_environment_is_recorded_by_its_name(tmp_path: Path) -> None:
    path = config(tmp_path, protect=["${WORD}"])
    prepared = prepare(path, env={"WORD": "loaves"}, use_bundle=False)
    assert prepared.bundle.protect == ("${WORD}",)
    assert all("loaves" in each.question.text for each in prepared.all_variants())


ITEM = Subject("q", Question(QUESTION, options=("26", "25", "24"), answer_form="label"), gold=Gold(options=(0,)))


@pytest.mark.parametrize(
    ("entries", "generators", "expected"),
    [
        (["paraphrase", {"paraphrase": {"review": "required", "variants": 2}}], [Frames(), Frames(variants=2)], "23"),
        ([{"paraphrase": {"review": "required"}}, "paraphrase"], [Frames(), Frames()], "1"),
        (["typo", "paraphrase"], [Typo(), Frames()], ""),
    ],
)
def test_the_conditions_of_an_entry_are_those_that_need_a_review(
    entries: list[Json], generators: list[Generator], expected: str
) -> None:
    whole = {"model": "local", "dataset": "d", "perturbations": entries, "bundle": "b"}
    loaded = parse_config(yaml.safe_dump(whole), Path("c.yaml"), env={})
    assert needing_review(loaded.config, generators, ITEM) == {f"paraphrase.{number}" for number in expected}


def test_a_composition_needs_a_review_where_a_step_does_however_many_variants_it_has() -> None:
    entry: Json = [{"paraphrase": {"review": "required"}}, {"reorder": {"kind": "each_slot"}}]
    whole = {"model": "local", "dataset": "d", "perturbations": [entry], "bundle": "b"}
    loaded = parse_config(yaml.safe_dump(whole), Path("c.yaml"), env={})
    generators = [compose([Frames(), Reorder(kind="each_slot")])]
    assert needing_review(loaded.config, generators, ITEM) == {f"paraphrase+reorder.{at}" for at in (1, 2, 3)}


VARIANTS = (baseline_variant(ITEM), *perturb(ITEM, [Typo(rate=0.2, variants=3)], seed=1))
BUNDLE = Bundle(1, (), VARIANTS)


def test_reviews_are_carried_over_to_the_variants_that_are_the_same() -> None:
    earlier = [
        replace(VARIANTS[1], review="accept"),
        replace(VARIANTS[2], review="reject"),
        replace(VARIANTS[3], review="reject", question=replace(ITEM.question, text="Other?")),
        replace(VARIANTS[3], condition="typo.4", review="accept"),
    ]
    found = carried(earlier, BUNDLE)
    assert [each.review for each in found.bundle.variants] == ["", "accept", "reject", ""]
    assert [replace(each, review="") for each in found.bundle.variants] == list(VARIANTS)
    assert found.kept == 2
    assert [each.condition for each in found.dropped] == ["typo.3", "typo.4"]


def test_without_earlier_reviews_nothing_is_carried_and_nothing_dropped() -> None:
    assert carried(VARIANTS, BUNDLE) == carried((), BUNDLE)
    assert carried((), BUNDLE).dropped == ()


def test_a_review_says_nothing_of_what_is_not_asked_anyway() -> None:
    duplicate = replace(VARIANTS[1], outcome="rejected", reason="duplicate of typo.2", review="reject")
    assert judged(duplicate, frozenset({"typo.1"})) == duplicate
