"""Chance: each draw has its own source, decided by what the draw is for."""

import hashlib
import random
from typing import TypedDict, Unpack

import pytest
from prt.perturbations.canonical import canonical_json
from prt.perturbations.seeds import rng_for


class What(TypedDict, total=False):
    seed: int
    generator: str
    version: int
    parameters: str
    item_id: str
    number: int


def first_draw(**changed: Unpack[What]) -> float:
    what: What = {
        "seed": 1,
        "generator": "typo",
        "version": 1,
        "parameters": "{}",
        "item_id": "q7",
        "number": 1,
    }
    return rng_for(**(what | changed)).random()


def test_the_same_draw_is_the_same_chance() -> None:
    assert first_draw() == first_draw()


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 2},
        {"generator": "typo2"},
        {"version": 2},
        {"parameters": '{"rate":0.1}'},
        {"item_id": "q8"},
        {"number": 2},
    ],
)
def test_whatever_a_draw_depends_on_makes_it_another(changed: What) -> None:
    assert first_draw(**changed) != first_draw()


def test_the_seed_is_the_documented_hash() -> None:
    text = '["prt.draw",[1,"typo",1,"{}","q7",1]]'
    digest = hashlib.sha256(text.encode()).digest()
    seeded = random.Random(int.from_bytes(digest))  # noqa: S311 - the chance that is tested
    assert first_draw() == seeded.random()


@pytest.mark.parametrize("item_id", ["\ud800", "a\x00b", "\u2028", "ꙮ 🏳️‍🌈", ""])
def test_any_text_is_an_item_id(item_id: str) -> None:
    assert 0 <= first_draw(item_id=item_id) < 1


def test_canonical_json_is_one_encodable_line_with_sorted_keys() -> None:
    value = {"b": ["\ud800", "\u2028\u0085"], "a": "é"}
    assert canonical_json(value) == '{"a":"é","b":["\\ud800","\\u2028\\u0085"]}'


def test_canonical_json_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))
    with pytest.raises(TypeError, match="set can't be written as JSON"):
        canonical_json({1})
