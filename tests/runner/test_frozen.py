"""A bundle's variants by item, wherever they stand in the file."""

import json
from pathlib import Path

import pytest
from prt.perturbations import Format, Generator, Question, Reorder, Subject, baseline_variant, perturb, records
from prt.perturbations.bundle import Bundle, BundleFormatError, write_bundle
from prt.perturbations.variant import Variant
from prt.runner.frozen import read_frozen

GENERATORS: list[Generator] = [Reorder(), Format()]


def variants_of(name: str) -> list[Variant]:
    subject = Subject(name, Question(f"Which boat of harbour {name} is green?", ("the old one", "the new one")))
    return [baseline_variant(subject), *perturb(subject, GENERATORS, seed=1)]


A, B, C = map(variants_of, "abc")
ORDERS = [
    [*A, *B, *C],
    [*A[1:], A[0], *B, *C],
    [A[0], *B, *A[1:], *C],
    [C[2], A[1], B[1], C[0], B[0], A[0], A[2], B[2], C[1]],
]


@pytest.mark.parametrize("order", ORDERS)
def test_each_item_has_its_variants_the_baseline_first(order: list[Variant], tmp_path: Path) -> None:
    write_bundle(tmp_path / "b.jsonl", Bundle(1, records(GENERATORS), order))
    frozen = read_frozen(tmp_path / "b.jsonl")
    for name, own in {"a": A, "b": B, "c": C}.items():
        group = frozen.groups[name]
        assert group[0] == own[0]
        assert sorted(group, key=order.index) == sorted(own, key=order.index)
        first = frozen.groups.first(name)
        assert first is not None
        assert frozen.conditions(first[0]) == ("format.1", "reorder.1")
        assert first[1] == own[0]
    assert frozen.groups.first("d") is None
    assert len(frozen.whole.variants) == len(order)
    assert frozen.whole.seed == 1


def test_a_changed_file_is_refused_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    write_bundle(path, Bundle(1, records(GENERATORS), [*A, *B]))
    path.write_text(path.read_text(encoding="utf-8").replace("green", "brown"), encoding="utf-8")
    with pytest.raises(BundleFormatError, match="changed after it was written"):
        read_frozen(path)


def test_other_spacing_is_the_same_bundle(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    write_bundle(path, Bundle(1, records(GENERATORS), A))
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([head, *(json.dumps(json.loads(line)) for line in lines)]), encoding="utf-8")
    assert list(read_frozen(path).groups["a"]) == A
