"""One JSON text per value, and back: as the standard library writes it, whatever is in it."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations import Format, Frames, Layout, Question, Reorder, Subject, Typo, perturb
from prt.perturbations.canonical import canonical_json, escaped
from prt.perturbations.decode import DecodeError, decode, decode_dataclass
from prt.perturbations.question import Example, Gold, Message
from prt.perturbations.variant import Edit, Variant

TEXTS = st.text(st.characters(), max_size=12)
LONE = st.text(st.sampled_from('a"\\\n\x00\x1f\x7f\x85\u2028\ud800\udfff\ufeff\uffffé😀'), max_size=6)
WORDS = TEXTS | LONE
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=12
)
QUESTIONS = st.builds(
    Question,
    text=WORDS,
    options=st.lists(WORDS, max_size=3).map(tuple),
    examples=st.lists(st.builds(Example, WORDS, answer=WORDS | st.integers(0, 3)), max_size=2).map(tuple),
    history=st.lists(st.builds(Message, st.sampled_from(["user", "assistant"]), WORDS), max_size=2).map(tuple),
    answer_instruction=st.none() | WORDS,
)
VARIANTS = st.builds(
    Variant,
    item_id=WORDS,
    condition=WORDS,
    generator=WORDS,
    version=st.integers(),
    parameters=WORDS,
    tier=st.just("checked"),
    outcome=st.just("applied"),
    reason=WORDS,
    question=QUESTIONS,
    layout=st.just(Layout()),
    permutation=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    edits=st.lists(st.builds(Edit, WORDS, st.integers(0, 99), WORDS, WORDS, WORDS), max_size=2).map(tuple),
    severity=st.none() | st.floats(0, 1) | st.integers(0, 1),
    gold=st.none() | st.builds(Gold, texts=st.lists(WORDS, max_size=2).map(tuple)),
)


def plainly(value: object) -> str:
    """The same by the standard library alone."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return escaped(text)


@given(VALUES)
def test_any_value_is_written_as_the_standard_library_does(value: object) -> None:
    assert canonical_json(value) == plainly(value)
    assert canonical_json((value, [value], {"a": (value,)})) == plainly([value, [value], {"a": [value]}])


@given(VARIANTS)
def test_variants_are_written_as_the_standard_library_does(variant: Variant) -> None:
    assert canonical_json(variant) == plainly(asdict(variant))
    assert canonical_json({"one": [variant]}) == plainly({"one": [asdict(variant)]})


@given(VARIANTS)
def test_variants_are_read_as_the_slow_way_reads_them(variant: Variant) -> None:
    value = json.loads(json.dumps(asdict(variant)))
    assert decode(Variant, value) == decode_dataclass(Variant, value, "")


@given(VARIANTS, st.sampled_from(Variant.__slots__), SCALARS | st.just([1.5]) | st.just({"text": 1}))
def test_what_is_no_variant_is_refused_as_the_slow_way_refuses_it(variant: Variant, name: str, wrong: object) -> None:
    value = {**json.loads(json.dumps(asdict(variant))), name: wrong}
    assert told(decode, value) == told(decode_dataclass, value)


def told(read: Callable[[type[Variant], object, str], Variant], value: object) -> object:
    """What a value is read as, or why it is none."""
    try:
        return read(Variant, value, "here")
    except DecodeError as error:
        return str(error)


def test_a_field_with_a_default_may_be_missing_and_no_other() -> None:
    subject = Subject("q", Question("How many of the old boats are green?", ("two", "three")))
    for variant in perturb(subject, [Reorder(), Format(), Typo(), Frames()], seed=3):
        value = json.loads(canonical_json(variant))
        for name in ("gold", "review"):
            del value[name]
        assert decode(Variant, value) == replace(variant, gold=None, review="")
        del value["tier"]
        with pytest.raises(DecodeError, match="tier: the field is missing"):
            decode(Variant, value)


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], Edit("text", 0, "", "", float("nan"))])  # type: ignore[arg-type]
def test_what_json_has_not_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json(value)


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(TypeError, match="SimpleNamespace can't be written as JSON"):
        canonical_json([SimpleNamespace()])
