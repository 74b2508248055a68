"""Before any call: items, variants and the proved grader, as the config says; what can't be graded is never asked."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest
import yaml
from prt.perturbations.variant import Variant
from prt.runner.config.schema import GraderKeys
from prt.runner.encoding import VariantSpool
from prt.runner.errors import ConfigError, DatasetError, UsageError
from prt.runner.prepare import Prepared, prepare
from prt.runner.spool import Spool
from pydantic import JsonValue as Json

Rows = Sequence[dict[str, Json]]


def prepared(folder: Path, rows: Rows, **config: Json) -> Prepared:
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    whole = {"model": "local", "dataset": "items.jsonl", "perturbations": ["typo"], **config}
    (folder / "prt.yaml").write_text(yaml.safe_dump(whole), encoding="utf-8")
    return prepare(folder / "prt.yaml", env={})


def variant(found: Prepared, item: str, condition: str) -> Variant:
    return next(each for each in found.variants[item] if each.condition == condition)


SUM = {"id": "s", "question": "A baker sells seventeen loaves before lunch and nine after it. How many loaves is that?"}


def test_paraphrases_of_the_users_own_are_taken_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [
        {"id": "s", "text": "Before lunch a baker sells seventeen loaves, after it nine. How many loaves is that?"},
        {"id": "s", "text": "Seventeen loaves leave a bakery before lunch and nine after it. How many loaves is that?"},
    ]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = prepared(
        tmp_path,
        [{**SUM, "answer": "26"}, {**SUM, "id": "t", "answer": "26"}],
        perturbations=[{"paraphrase": {"file": "mine.jsonl", "variants": 2}}],
        grade="numeric",
    )
    assert variant(found, "s", "paraphrase.1").question.text == rows[0]["text"]
    assert variant(found, "t", "paraphrase.1").reason == "no paraphrase for this item"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"id": "s"}', "there is no `text`"),
        ('{"id": "s", "text": 3}', "write a text"),
        ('{"id": ["s"], "text": "x"}', "write the item's id"),
    ],
)
def test_a_row_of_paraphrases_that_cannot_be_used_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    (tmp_path / "mine.jsonl").write_text(line + "\n")
    with pytest.raises(DatasetError, match=r"mine\.jsonl:1: ") as caught:
        prepared(
            tmp_path, [{**SUM, "answer": "26"}], perturbations=[{"paraphrase": {"file": "mine.jsonl"}}], grade="numeric"
        )
    assert sentence in str(caught.value)


def test_a_composition_is_one_condition_with_the_edits_of_all_its_steps(tmp_path: Path) -> None:
    found = prepared(tmp_path, [{**SUM, "answer": "26"}], perturbations=[["paraphrase", "typo"]], grade="numeric")
    assert [each.condition for each in found.variants["s"]] == ["baseline", "paraphrase+typo.1"]
    kinds = {edit.kind for edit in variant(found, "s", "paraphrase+typo.1").edits}
    assert len(kinds) >= 2


def test_text_that_the_user_protects_stays(tmp_path: Path) -> None:
    rows: Rows = [
        {"id": str(at), "question": f"Please describe gadget number {at} carefully.", "answer": "x"} for at in range(30)
    ]
    config: dict[str, Json] = {"perturbations": [{"typo": {"rate": 1.0}}], "grade": "contains"}
    free = prepared(tmp_path, rows, **config)
    kept = prepared(tmp_path, rows, protect=["gadget|carefully"], **config)
    assert not all("gadget" in each.question.text for each in free.all_variants())
    assert all("gadget" in each.question.text and "carefully" in each.question.text for each in kept.all_variants())


def test_a_variant_that_the_grader_would_misread_is_rejected_before_any_call(tmp_path: Path) -> None:
    numbers: list[Json] = ["3", "1", "2", "4"]
    rows: Rows = [
        {"id": str(at), "question": "Which number is it?", "options": numbers, "answer": "3"} for at in range(40)
    ]
    config: dict[str, Json] = {"dataset": {"path": "items.jsonl", "answer_as": "text"}}
    found = prepared(tmp_path, rows, perturbations=[{"format": {"kind": ["labels"]}}], **config)
    for each in found.all_variants():
        assert each.outcome != "applied" or each.layout.labels != "1"


def test_an_item_whose_baseline_cannot_be_graded_stops_or_is_skipped_as_the_config_says(tmp_path: Path) -> None:
    rows: Rows = [{**SUM, "answer": "26"}, {**SUM, "id": "words", "answer": "no number"}]
    with pytest.raises(DatasetError, match="row 2"):
        prepared(tmp_path, rows, grade="numeric")
    kept = prepared(tmp_path, rows, grade="numeric", dataset={"path": "items.jsonl", "on_bad_item": "skip"})
    assert [item.id for item in kept.items] == ["s"]
    assert len(kept.skipped) == 1


def test_free_answers_need_a_grader(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="grade: numeric"):
        prepared(tmp_path, [{**SUM, "answer": "26"}])


@pytest.mark.parametrize(
    ("params", "repeats", "reruns"),
    [({"temperature": 0}, 1, 0), ({"temperature": 0.7}, 1, 1), ({"temperature": 0.7}, 3, 0)],
)
def test_the_noise_floor_is_added_where_replies_vary_unseen(
    tmp_path: Path, params: dict[str, Json], repeats: int, reruns: int
) -> None:
    model: Json = {"provider": "local", "params": params}
    found = prepared(tmp_path, [{**SUM, "answer": "26"}], model=model, repeats=repeats, grade="numeric")
    assert sum(each.generator == "rerun" for each in found.all_variants()) == reruns


def test_other_items_and_their_order_change_no_variant(tmp_path: Path) -> None:
    rows: Rows = [{**SUM, "id": str(at), "answer": "26"} for at in range(6)]
    whole = prepared(tmp_path, rows, grade="numeric")
    part = prepared(tmp_path, [rows[4], rows[1]], grade="numeric")
    assert part.variants["4"] == whole.variants["4"]
    assert part.variants["1"] == whole.variants["1"]


def test_generators_that_no_numbering_keeps_apart_are_a_mistake_of_the_config(tmp_path: Path) -> None:
    each_slot: Json = {"reorder": {"kind": "each_slot"}}
    rows: Rows = [{"question": "Which?", "options": ["x", "y"], "answer": "x"}]
    with pytest.raises(ConfigError, match=r"^perturbations: reorder is listed twice"):
        prepared(tmp_path, rows, perturbations=[each_slot, each_slot])


def test_items_and_variants_lie_on_the_disk_and_not_in_memory(tmp_path: Path) -> None:
    rows: Rows = [{**SUM, "id": f"s{number}", "answer": "26"} for number in range(4)]
    found = prepared(tmp_path, rows, grade="numeric", perturbations=["typo", "format"])
    assert isinstance(found.items, Spool)
    assert isinstance(found.all_variants(), VariantSpool)
    assert [each.item_id for each in found.all_variants()] == [item.id for item in found.items for _ in range(3)]
    assert found.cells == sum(each.outcome == "applied" for each in found.all_variants())


def test_an_item_that_is_left_out_leaves_nothing_behind(tmp_path: Path) -> None:
    golds = {"s1": "26", "s2": "none", "s3": "26"}
    rows: Rows = [{**SUM, "id": name, "answer": gold} for name, gold in golds.items()]
    data: Json = {"path": "items.jsonl", "on_bad_item": "skip"}
    found = prepared(tmp_path, rows, grade="numeric", dataset=data)
    assert [item.id for item in found.items] == list(found.variants) == ["s1", "s3"]
    assert {each.item_id for each in found.all_variants()} == {"s1", "s3"}
    assert [problem.row for problem in found.skipped] == [2]


def test_every_grader_is_named_where_none_is_chosen(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must say how to grade them") as caught:
        prepared(tmp_path, [{**SUM, "answer": "26"}])
    named = set(get_args(GraderKeys.model_fields["grader"].annotation)) - {"choice", "multi", "any_of"}
    assert named <= set(re.findall(r"`(?:grade: )?(\w+)`", str(caught.value)))
