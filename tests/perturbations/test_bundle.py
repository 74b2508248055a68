"""A bundle on disk: the same bytes for the same variants, and a clear word where it is not what was written."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from prt.perturbations.bundle import (
    Bundle,
    BundleFormatError,
    GeneratorRecord,
    bundle_hash,
    read_bundle,
    read_variants,
    records,
    write_bundle,
)
from prt.perturbations.canonical import canonical_json
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.perturb import baseline_variant, perturb
from prt.perturbations.question import Example, Gold, Message, Question, Subject
from prt.perturbations.variant import Outcome, Review

GENERATORS = (Reorder(), Format(kind=("json", "labels"), variants=2))
ITEM = Subject(
    "ü \ud800 \u2028",
    Question(
        "Which?\r\n",
        ("north", "east", "south"),
        system="s",
        context=("c",),
        examples=(Example("e", ("u", "v"), 1), Example("f", answer="g")),
        history=(Message("user", "h"),),
        answer_form="label",
        answer_instruction="{labels}",
    ),
    gold=Gold(options=(1,)),
)
VARIANTS = (baseline_variant(ITEM), *perturb(ITEM, GENERATORS, seed=7))
BUNDLE = Bundle(7, records(GENERATORS), VARIANTS, protect=(r"\bECU-\d+",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "variants.jsonl"
    write_bundle(place, BUNDLE)
    return place


def reviewed(bundle: Bundle, number: int, review: Review) -> Bundle:
    variants = list(bundle.variants)
    variants[number] = replace(variants[number], review=review)
    return replace(bundle, variants=tuple(variants))


def refusal(path: Path) -> str:
    with pytest.raises(BundleFormatError) as caught:
        read_bundle(path)
    assert caught.value.path == str(path)
    assert str(caught.value).startswith(f"{path}:{caught.value.line}: ")
    return f"{caught.value.line}: {caught.value.message}"


def changed_line(path: Path, number: int, change: Callable[[dict[str, object]], object]) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    row = json.loads(lines[number - 1])
    change(row)
    lines[number - 1] = json.dumps(row)
    path.write_text("\n".join(lines), encoding="utf-8")


def test_a_bundle_reads_back_as_it_was_written(path: Path) -> None:
    assert read_bundle(path) == BUNDLE


def test_the_first_line_tells_how_the_variants_were_made(path: Path) -> None:
    header = json.loads(path.read_text(encoding="utf-8").split("\n")[0])
    assert header == {
        "format": "prt-bundle",
        "version": 2,
        "seed": 7,
        "generators": [
            {"name": "reorder", "version": 2, "parameters": '{"kind":"balanced"}'},
            {"name": "format", "version": 2, "parameters": '{"kind":["labels","json"]}'},
        ],
        "variants": 4,
        "protect": [r"\bECU-\d+"],
        "hash": bundle_hash(BUNDLE),
    }


def test_each_further_line_is_one_variant_of_readable_text(path: Path) -> None:
    lines = path.read_bytes().decode().splitlines()
    assert len(lines) == 1 + len(BUNDLE.variants)
    assert '"item_id":"ü \\ud800 \\u2028"' in lines[1]


def test_the_hash_is_that_of_the_header_without_it_and_the_lines(path: Path) -> None:
    header, _, rest = path.read_bytes().removesuffix(b"\n").partition(b"\n")
    blank = header.replace(bundle_hash(BUNDLE).encode(), b"")
    assert hashlib.sha256(blank + b"\n" + rest).hexdigest() == bundle_hash(BUNDLE)


def test_another_variant_seed_or_generator_makes_another_hash() -> None:
    others = [
        Bundle(8, BUNDLE.generators, BUNDLE.variants),
        Bundle(7, (GeneratorRecord("reorder", 2, "{}"),), BUNDLE.variants),
        Bundle(7, BUNDLE.generators, BUNDLE.variants[:-1]),
        Bundle(7, BUNDLE.generators, BUNDLE.variants[::-1]),
        replace(BUNDLE, protect=()),
        replace(BUNDLE, protect=None),
        reviewed(BUNDLE, 1, "reject"),
        reviewed(BUNDLE, 1, "accept"),
    ]
    assert len({bundle_hash(bundle) for bundle in [BUNDLE, *others]}) == 9


def test_an_empty_bundle_is_a_bundle(tmp_path: Path) -> None:
    write_bundle(tmp_path / "empty.jsonl", Bundle(0, (), ()))
    assert read_bundle(tmp_path / "empty.jsonl") == Bundle(0, (), ())


def test_a_bundle_that_can_not_be_written_leaves_the_older_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_bundle(path, Bundle(0, (), ()))
    assert read_bundle(path) == BUNDLE
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_not_there_is_no_matter_of_format(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bundle(tmp_path / "none.jsonl")


@pytest.mark.parametrize("content", [b"", b"{}\n", b"[1]", b"not JSON\n", b'{"format": "other"}\n', b"\xef\xbb\xbf{}"])
def test_another_file_is_no_bundle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert refusal(tmp_path / "x") == '1: no bundle of variants: the first line has no "format": "prt-bundle"'


def test_a_newer_bundle_is_refused_with_what_to_do(path: Path) -> None:
    changed_line(path, 1, lambda header: header.update(version=3))
    assert refusal(path) == (
        "1: the bundle has format version 3, this prt reads 2 and older ones; write the bundle again, or use the prt "
        "that wrote it"
    )


def test_an_older_bundle_without_protected_patterns_reads_and_says_that_it_has_none(path: Path) -> None:
    old = replace(BUNDLE, protect=None)
    write_bundle(path, old)
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header["version"] == 1
    assert "protect" not in header
    assert read_bundle(path) == old


def test_lines_of_an_older_bundle_that_lack_the_newer_columns_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    header, *rows = (json.loads(line) for line in lines)
    for row in rows:
        del row["gold"], row["review"]
    del header["protect"]
    header |= {"version": 1, "hash": ""}
    older = [canonical_json(row) for row in rows]
    blank = canonical_json(header)
    header["hash"] = hashlib.sha256("\n".join([blank, *older]).encode()).hexdigest()
    path.write_text("".join(f"{line}\n" for line in [canonical_json(header), *older]), encoding="utf-8")
    assert read_bundle(path) == replace(BUNDLE, protect=None)


REVIEWED = next(at for at, variant in enumerate(VARIANTS) if at and variant.outcome == "applied")


@pytest.mark.parametrize("review", ["accept", "reject"])
def test_a_review_may_be_written_by_hand(path: Path, review: Review) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[REVIEWED + 1] = lines[REVIEWED + 1].replace(b'"review":""', b'"review": "%b"' % review.encode())
    path.write_bytes(b"\n".join(lines))
    assert read_bundle(path) == reviewed(BUNDLE, REVIEWED, review)
    changed_line(path, REVIEWED + 2, lambda row: row.update(review=""))
    assert read_bundle(path) == BUNDLE


def test_a_program_may_write_every_line_anew_when_it_sets_reviews(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]
    rows[REVIEWED + 1]["review"] = "reject"
    path.write_text("".join(json.dumps(row, indent=None) + "\r\n" for row in rows), encoding="utf-8", newline="")
    assert read_bundle(path) == reviewed(BUNDLE, REVIEWED, "reject")


def test_nothing_but_the_review_may_be_changed_beside_a_review(path: Path) -> None:
    changed_line(path, REVIEWED + 2, lambda row: row.update(review="accept", severity=0.5))
    assert "hash differs" in refusal(path)


def test_a_review_does_not_change_the_hash_in_the_header(tmp_path: Path) -> None:
    path = tmp_path / "reviewed.jsonl"
    assert write_bundle(path, reviewed(BUNDLE, REVIEWED, "accept")) == bundle_hash(BUNDLE)
    assert read_bundle(path).variants[REVIEWED].review == "accept"


@pytest.mark.parametrize("outcome", ["rejected", "unchanged", "not_applicable"])
def test_an_accept_overrules_no_check(path: Path, outcome: Outcome) -> None:
    why = replace(VARIANTS[REVIEWED], outcome=outcome, reason="numbers differ", review="accept")
    write_bundle(path, replace(BUNDLE, variants=(VARIANTS[0], why)))
    assert refusal(path) == (
        f"3: the variant {why.condition} of the item {why.item_id!r} is {outcome.replace('_', ' ')} (numbers differ), "
        "and an accept overrules no check; empty its `review`, or write `reject`"
    )
    write_bundle(path, replace(BUNDLE, variants=(VARIANTS[0], replace(why, review="reject"))))
    assert read_bundle(path).variants[1].review == "reject"


@pytest.mark.parametrize("review", ["accept", "reject"])
def test_the_original_is_not_reviewed(path: Path, review: Review) -> None:
    write_bundle(path, reviewed(BUNDLE, 0, review))
    assert refusal(path) == (
        f"2: the variant baseline of the item {ITEM.item_id!r} is the original, which is not reviewed; empty its "
        "`review`"
    )


def test_a_word_that_is_no_review_is_named_with_what_is_allowed(path: Path) -> None:
    changed_line(path, 3, lambda row: row.update(review="yes"))
    assert refusal(path) == "3: review: expected one of an empty text, accept, reject, found 'yes'"


def test_the_variants_of_a_changed_file_can_be_read_for_their_reviews(path: Path) -> None:
    changed_line(path, REVIEWED + 2, lambda row: row.update(review="accept", severity=0.5))
    assert [*read_variants(path)][REVIEWED] == replace(VARIANTS[REVIEWED], review="accept", severity=0.5)


def test_a_changed_text_is_found_out(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"south", b"SOUTH"))
    assert refusal(path) == "1: the file was changed after it was written (its hash differs); write it again"


def test_a_file_that_was_cut_off_is_found_out(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:3]) + b"\n")
    assert refusal(path) == (
        "3: the header promises 4 variants, the file has 2; it was cut off or put together, write it again"
    )
    path.write_bytes(b"\n".join(lines[:3])[:-40])
    assert refusal(path).startswith("3: no JSON: ")


def test_bytes_that_are_no_text_are_named_by_line(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace("ü".encode(), b"\xfc", 1))
    assert refusal(path).startswith("2: not UTF-8 text: ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.update(tier=3), "tier: expected one of guaranteed, checked, stress, control, found 3"),
        (lambda row: row.update(version=True), "version: expected a whole number, found True"),
        (lambda row: row.update(version="1"), "version: expected a whole number, found '1'"),
        (lambda row: row.update(severity="high"), "severity: expected a number or null, found 'high'"),
        (lambda row: row.update(severity=True), "severity: expected a number or null, found True"),
        (lambda row: row.update(edits={}), "edits: expected a list, found {}"),
        (lambda row: row.update(edits=[{"part": 1}]), "edits[0].start: the field is missing"),
        (lambda row: row.update(question="q"), "question: expected an object, found 'q'"),
        (lambda row: row["question"].update(options=["x", None]), "question.options[1]: expected a text, found None"),
        (
            lambda row: row["question"]["examples"][0].update(answer=1.5),
            "question.examples[0].answer: expected a whole number or a text",
        ),
        (
            lambda row: row["layout"].update(markup="toml"),
            "layout.markup: expected one of plain, markdown, xml, json, yaml",
        ),
        (lambda row: row.update(extra=1), "extra: unknown field; allowed are item_id, condition"),
        (lambda row: row.pop("item_id"), "item_id: the field is missing"),
        (lambda row: row.update(permutation=[0, 0, 2]), "permutation [0, 0, 2] does not fit 3 options"),
        (lambda row: row.update(item_id=["x" * 200]), "item_id: expected a text, found ['xxxxx"),
    ],
)
def test_a_field_that_is_not_right_is_named_with_line_and_path(
    path: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    changed_line(path, 3, change)
    found = refusal(path)
    assert found.startswith(f"3: {message}")
    assert len(found) < 250


def test_a_line_that_is_no_object_is_named(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], b"3", *lines[2:]]))
    assert refusal(path) == "2: the value: expected an object, found 3"


def test_a_whole_number_is_a_severity_too(path: Path) -> None:
    changed_line(path, 3, lambda row: row.update(severity=1))
    assert "hash differs" in refusal(path)
