"""Rules: which of two answers keeps to them, and why, whatever stands around the answer."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.config.duel import DimensionConfig
from prt.runner.duel.rules import Rule, make_rule
from prt.runner.errors import ConfigError

HERE = Path()


def rule(base: Path = HERE, **keys: Any) -> Rule:
    block = {"id": "x", "description": "d", "grader": "rule", "rule": keys}
    return make_rule(DimensionConfig.model_validate(block), base=base)


CASES = [
    ({"kind": "length", "max": 3}, "one two three", "one two three four", 1.0, "candidate: 3 words; baseline: 4 words"),
    ({"kind": "length", "max": 3}, "one two", "one", 0.5, "candidate: 2 words; baseline: 1 word"),
    ({"kind": "length", "min": 2}, "one", "one two", 0.0, "candidate: 1 word; baseline: 2 words"),
    ({"kind": "length", "min": 2, "max": 3}, "a b c d", "a", 0.5, "candidate: 4 words; baseline: 1 word"),
    ({"kind": "length", "unit": "characters", "max": 4}, "né!", "five5", 1.0, "3 characters; baseline: 5 characters"),
    ({"kind": "length", "wins": "shorter"}, "a", "a b", 1.0, "candidate: 1 word"),
    ({"kind": "length", "wins": "longer"}, "a", "a b", 0.0, "candidate: 1 word"),
    ({"kind": "length", "wins": "longer"}, " a  b ", "a b", 0.5, "candidate: 2 words"),
    ({"kind": "length", "wins": "shorter"}, "<think>a b c d</think>a", "a b", 1.0, "candidate: 1 word;"),
    ({"kind": "keyword", "present": ["sorry"]}, "**Sorry**, no.", "No.", 1.0, 'baseline: lacks "sorry"'),
    ({"kind": "keyword", "absent": ["sorry"]}, "Sorry!", "No.", 0.0, 'candidate: has "sorry"'),
    ({"kind": "keyword", "absent": ["art"]}, "Start.", "Art.", 1.0, 'baseline: has "art"'),
    ({"kind": "keyword", "present": ["a", "b"]}, "a b", "a", 1.0, 'baseline: lacks "b"'),
    ({"kind": "keyword", "present": ["US"], "ignore_case": False}, "for us", "the US", 0.0, 'candidate: lacks "US"'),
    ({"kind": "keyword", "present": ["対応"]}, "すぐに対応します", "いいえ", 1.0, "candidate: keeps to the words"),
    ({"kind": "json"}, '{"a": 1}', "a: 1", 1.0, "candidate: is JSON; baseline: the reply is not one JSON value"),
    ({"kind": "json"}, '```json\n{"a": 1}\n```', 'Here: {"a": 1}', 1.0, "candidate: is JSON"),
    ({"kind": "json", "around": True}, 'Here: {"a": 1}.', '{"a": 1,}', 1.0, "the JSON in the reply is not valid"),
    (
        {"kind": "json", "json_schema": {"required": ["a"]}}, '{"b": 1}', '{"a": 1}', 0.0,
        "candidate: 'a' is a required property; baseline: is JSON of the schema",
    ),
    ({"kind": "regex", "pattern": r"\[\d+\]"}, "So it is [1].", "So it is.", 1.0, 'candidate: has "[1]"'),
    ({"kind": "regex", "pattern": "as an ai", "found": False}, "As an AI I", "I", 0.0, 'candidate: has "As an AI"'),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "candidate", "baseline", "score", "reason"), CASES)
def test_the_answer_that_keeps_to_the_rule_wins(
    keys: dict[str, Any], candidate: str, baseline: str, score: float, reason: str
) -> None:
    found = rule(**keys)(candidate, baseline)
    assert found.score == score
    assert reason in found.reason


@given(st.sampled_from([case[0] for case in CASES]), st.text(max_size=40), st.text(max_size=40))
def test_no_place_is_favoured_and_no_text_breaks_a_rule(keys: dict[str, Any], one: str, other: str) -> None:
    held = rule(**keys)
    there, back = held(one, other).score, held(other, one).score
    assert there is not None
    assert back is not None
    assert there + back == 1


def test_a_schema_may_be_a_file_beside_the_config(tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text('{"type": "array"}', encoding="utf-8")
    assert rule(tmp_path, kind="json", json_schema="answer.json")("[]", "{}").score == 1.0


def test_a_pattern_that_takes_too_long_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.graders.timed.TIME_LIMIT_S", 0.05)
    found = rule(kind="regex", pattern=r"(a|a)+$")("a" * 60 + "!", "a")
    assert found.score is None
    assert "took longer" in found.reason


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"kind": "regex", "pattern": "a*"}, r"dimensions: x: rule\.pattern 'a\*' also matches the empty text"),
        ({"kind": "json", "json_schema": "none.json"}, r"dimensions: x: rule\.json_schema"),
        ({"kind": "json", "json_schema": {"type": "lst"}}, r"dimensions: x: rule\.json_schema is no JSON Schema"),
    ],
)
def test_what_no_rule_can_be_made_of_is_said_before_any_call(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rule(**keys)
    assert re.search(told, str(caught.value))
