"""The grader `json`: strict JSON out of any reply, compared value by value; what is not valid is never repaired."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import GraderError
from prt.runner.graders import Grader, prove
from prt.runner.graders.json_compare import Tolerance, canonical_text, difference
from prt.runner.graders.json_text import Kind, find_json
from pydantic import JsonValue as Json

from .keys import graded, grader, grader_in, options_key, texts_key

BOTH: frozenset[Kind] = frozenset(("object", "array"))
OBJECT: frozenset[Kind] = frozenset(("object",))
ARRAY: frozenset[Kind] = frozenset(("array",))
RIGHT = '{"total": 7, "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "note": null}'
KEY = texts_key(RIGHT)
JUDGE = grader("json")
SCHEMA: dict[str, Json] = {
    "type": "object",
    "required": ["total"],
    "properties": {"total": {"type": "integer", "minimum": 0}, "code": {"type": "string", "pattern": "^[A-Z]+$"}},
}


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Here it is: {"a": 1}. I hope that helps!', {"a": 1}),
        ('```json\n{\n  "a": 1\n}\n```', {"a": 1}),
        ('~~~\n{"a": 1}\n~~~\nThat was JSON.', {"a": 1}),
        ('First I had {"a": 0}, and now {"a": 1}', {"a": 1}),
        ('{"a": 1}, as is told in [1] and [sic]', {"a": 1}),
        ('<think>{"a": 0}</think>\n{"a": 1}', {"a": 1}),
        ('{"a": 1, "b":\n\nSorry, once more: {"a": 1}', {"a": 1}),
        ('Of {x | x > 0}, [see above]: {"a": 1}', {"a": 1}),
        (r'$\boxed{{"a": 1}}$', {"a": 1}),
        ('{"a": "}{ \\" ]["}', {"a": '}{ " ]['}),
        ('{"text": "```json"}', {"text": "```json"}),
        ('[{"a": 1}]', [{"a": 1}]),
        ("{}", {}),
    ],
)
def test_the_last_complete_object_of_a_reply_is_its_json(reply: str, value: Json) -> None:
    found = find_json(reply, OBJECT)
    assert (found.value, found.reason) == (value, "")
    assert found.span is not None
    assert json.loads(reply[slice(*found.span)]) == value


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"a": 1, "a": 1}', 'the key "a" stands twice'),
        ('{"b": {"a": 1, "a": 2}}', 'the key "a" stands twice'),
        ("{'a': 1}", "expecting property name enclosed in double quotes at character 2"),
        ("{'a': {\"b\": 1}, 'c': [1, 2]}", "expecting property name"),
        ('{"a": 1,}', " at character "),
        ('{"a": 1, // one\n "b": {"c": 2}}', "expecting property name"),
        ('{a: {"b": 1}}', "expecting property name"),
        ('{"a": NaN}', "NaN is no JSON"),
        ('{"a": -Infinity}', "-Infinity is no JSON"),
        ('{"a": 1e999}', "out of range"),
        ('{"a": True}', "expecting value"),
        ('{"a": 1', "expecting ',' delimiter"),
        ('{"a": 1}\nNo, rather {"a": 2', "expecting ',' delimiter"),
        ('{"a": "two\nlines"}', "invalid control character at character"),
        ('{"a":' * 200_000, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "thousands of digits"),
        ("I can't say.", "there is no JSON object in the reply"),
        ("The result: [1, 2]", "there is no JSON object in the reply"),
        ("<think>{}</think>", "nothing follows the reasoning"),
    ],
)
def test_what_is_not_valid_is_unparsed_with_the_reason_and_never_repaired(reply: str, reason: str) -> None:
    assert reason in find_json(reply, OBJECT).reason
    grade = graded(JUDGE, reply, texts_key('{"a": 1}'))
    assert (grade.status, grade.passed) == ("unparsed", False)
    assert reason in grade.reason


def test_valid_json_of_any_depth_raises_nothing() -> None:
    deep = '{"a":' * 3000 + "1" + "}" * 3000
    grade = graded(JUDGE, deep, texts_key('{"a": 1}'))
    assert (grade.status, grade.passed) == ("unparsed", False)
    assert "nested too deeply" in grade.reason


def test_nothing_of_a_reply_is_evaluated() -> None:
    assert find_json("__import__('os').abort()", BOTH).reason
    assert find_json('{"a": __import__("os").abort()}', BOTH).reason


@pytest.mark.parametrize(
    ("reply", "passed"),
    [
        (RIGHT, True),
        (json.dumps(json.loads(RIGHT), indent=2), True),
        ('{"note": null, "items": [{"n": 1.0, "sku": "a"}, {"n": 2, "sku": "b"}], "total": 7.0}', True),
        ('{"total": 7, "items": [{"sku": "b", "n": 2}, {"sku": "a", "n": 1}], "note": null}', False),
        ('{"total": "7", "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "note": null}', False),
        ('{"total": 7, "items": [{"sku": "A", "n": 1}, {"sku": "b", "n": 2}], "note": null}', False),
        ('{"total": 7, "items": [{"sku": "a", "n": true}, {"sku": "b", "n": 2}], "note": null}', False),
        ('{"total": 7, "items": [], "note": null}', False),
        ('{"total": 7, "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}]}', False),
        ('{"total": 7, "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "note": null, "more": 1}', False),
        ("[]", False),
    ],
)
def test_whole_values_are_equal_but_for_the_order_of_keys_and_how_numbers_are_written(reply: str, passed: bool) -> None:  # noqa: FBT001 - a parameter of pytest's
    grade = graded(JUDGE, reply, KEY)
    assert (grade.status, grade.passed, bool(grade.reason)) == ("graded", passed, not passed)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            '{"total": 7, "items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 3}], "note": null}',
            "`items[1].n` is 3, where 2 is right",
        ),
        ('{"total": 7, "items": 5, "note": null}', "`items` is 5, where a list is right"),
        ('{"total": 7, "items": [{"sku": "a"}, {"sku": "b", "n": 2}], "note": null}', "`items[0].n` is missing"),
        ('{"total": 7, "items": [{"sku": "a", "n": 1}], "note": null}', "`items` has 1 elements, where 2 are right"),
        ("[]", "the value is a list, where an object with the keys `total`, `items`, `note` is right"),
    ],
)
def test_a_wrong_value_says_where_it_differs_first(reply: str, reason: str) -> None:
    assert graded(JUDGE, reply, KEY).reason == reason


def test_with_fields_only_those_are_compared() -> None:
    judge = grader("json", fields=["total", "items[].sku"])
    assert graded(judge, '{"total": 7, "items": [{"sku": "a"}, {"sku": "b", "n": 9}], "x": 1}', KEY).passed is True
    wrong = graded(judge, '{"total": 7, "items": [{"sku": "a"}, {"sku": "c"}]}', KEY)
    assert (wrong.passed, wrong.reason) == (False, '`items[].sku[1]` is "c", where "b" is right')
    missing = graded(judge, '{"totals": 7, "items": []}', KEY)
    assert missing.reason == "`total` is missing: no `total`; there are `totals`, `items`; did you mean `totals`?"
    assert wrong.answer == '{"items[].sku":["a","c"],"total":7}'


def test_numbers_are_compared_as_they_are_written_within_the_tolerance() -> None:
    key = texts_key('{"x": 1.1}')
    assert graded(grader("json", tolerance=0.1), '{"x": 1.2}', key).passed is True
    assert graded(grader("json", tolerance=0.1), '{"x": 1.21}', key).passed is False
    assert graded(grader("json", relative_tolerance=0.01), '{"x": 1.111}', key).passed is True
    assert graded(JUDGE, '{"x": 1.1000000000000001}', key).passed is True  # the same number in any JSON reader
    assert graded(JUDGE, '{"x": 1.2}', key).passed is False


def test_a_scalar_counts_only_where_it_is_the_whole_reply() -> None:
    key = texts_key("true")
    assert [graded(JUDGE, reply, key).passed for reply in ("true", "```\ntrue\n```", "false", "1", '"true"')] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert graded(JUDGE, "It is true", key).status == "unparsed"


def test_each_of_several_right_values_passes() -> None:
    key = texts_key('{"a": 1}', '{"a": 2}')
    assert [graded(JUDGE, f'{{"a": {n}}}', key).passed for n in (1, 2, 3)] == [True, True, False]


def test_a_value_must_fit_the_schema_besides() -> None:
    judge = grader("json", json_schema=SCHEMA, fields=["total"])
    key = texts_key('{"total": 7}')
    assert graded(judge, '{"total": 7, "code": "AB"}', key).passed is True
    unfit = graded(judge, '{"total": 7, "code": "ab"}', key)
    assert (unfit.status, unfit.passed) == ("graded", False)
    assert unfit.reason == "it does not fit the schema: `code`: \"ab\" does not match '^[A-Z]+$'"
    assert graded(judge, '{"total": 8}', key).reason == "`total` is 8, where 7 is right"


def test_with_no_fields_the_schema_alone_decides() -> None:
    judge = grader("json", json_schema=SCHEMA, fields=[])
    key = texts_key("no JSON at all")
    assert prove(judge, key) is None
    assert [graded(judge, reply, key).passed for reply in ('{"total": 1}', '{"total": -1}', "{}")] == [
        True,
        False,
        False,
    ]


def test_a_schema_may_be_a_file_beside_the_config_and_its_content_is_part_of_the_identity(tmp_path: Path) -> None:
    path = tmp_path / "order.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    judge = grader_in(tmp_path, "json", json_schema="order.json")
    assert judge.identity() == grader("json", json_schema=SCHEMA).identity()
    path.write_text(json.dumps({**SCHEMA, "required": []}), encoding="utf-8")
    assert judge.identity() != grader_in(tmp_path, "json", json_schema="order.json").identity()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "order.json can't be read: No such file"),
        ("{", "order.json is not valid JSON"),
        ("[]", "order.json holds no object"),
        ('{"type": "objekt"}', "grade.json_schema is no JSON Schema: `type`: 'objekt'"),
        ('{"$ref": "http://example.org/s.json"}', "refers to 'http://example.org/s.json', which is not in it"),
        ('{"properties": {"a": {"$ref": "#/$defs/none"}}}', "refers to '#/$defs/none', which is not in it"),
        ('{"properties": {"a": {"pattern": "(" }}}', "grade.json_schema is no JSON Schema"),
    ],
)
def test_a_schema_that_can_not_be_used_is_refused_before_anything_is_asked(
    tmp_path: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "order.json").write_text(text, encoding="utf-8")
    with pytest.raises(GraderError) as caught:
        grader_in(tmp_path, "json", json_schema="order.json")
    assert message in str(caught.value)


def test_a_schema_that_refers_to_its_own_parts_is_followed() -> None:
    schema: dict[str, Json] = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "required": ["a"]}}}
    judge = grader("json", json_schema=schema, fields=[])
    assert [graded(judge, reply, texts_key("-")).passed for reply in ('{"a": 1}', "{}")] == [True, False]


def test_without_its_library_a_schema_is_refused_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "prt.runner.graders.schema_check", raising=False)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(GraderError, match=r"pip install 'prompt-robustness\[schema\]'"):
        grader("json", json_schema=SCHEMA)


@pytest.mark.parametrize(
    ("parameters", "gold", "reason"),
    [
        ({}, "no JSON", "'no JSON' is not JSON"),
        ({}, '{"a": 1, "a": 1}', "stands twice"),
        ({"fields": ["b"]}, '{"a": 1}', "lacks a field of grade.fields: no `b`"),
        ({"json_schema": SCHEMA}, '{"total": "7"}', "does not fit grade.json_schema: `total`"),
    ],
)
def test_a_gold_that_can_not_be_right_is_refused(parameters: dict[str, object], gold: str, reason: str) -> None:
    found = prove(grader("json", **parameters), texts_key(gold))
    assert found is not None
    assert reason in found


def test_an_item_with_options_has_no_json_to_compare() -> None:
    assert "no right answer as a text" in str(prove(JUDGE, options_key()))


@pytest.mark.parametrize("gold", [RIGHT, "{}", "[]", "[1, [2]]", "true", "5", '"text"', '{"other": "answer"}'])
@pytest.mark.parametrize("parameters", [{}, {"tolerance": 100.0}, {"relative_tolerance": 0.5}])
def test_every_right_value_is_proved(gold: str, parameters: dict[str, object]) -> None:
    assert prove(grader("json", **parameters), texts_key(gold)) is None


@pytest.mark.parametrize(
    ("reply", "status"),
    [('{"a": 1}', "graded"), ('{"a": 1} since', "graded"), ('So: {"a": 1}', "truncated"), ('{"a": 1', "truncated")],
)
def test_a_cut_off_reply_counts_where_it_begins_with_a_closed_value(reply: str, status: str) -> None:
    assert graded(JUDGE, reply, texts_key('{"a": 1}'), "length").status == status


def test_a_cut_off_number_may_go_on() -> None:
    assert graded(JUDGE, "5", texts_key("5"), "length").status == "truncated"


def test_a_pattern_of_the_schema_that_never_ends_is_a_judge_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.graders.schema_check.TIME_LIMIT_S", 0.05)
    judge = grader("json", json_schema={"properties": {"a": {"pattern": "^(a|a)*$"}}}, fields=[])
    grade = graded(judge, json.dumps({"a": "a" * 40 + "b"}), texts_key("-"))
    assert (grade.status, grade.passed) == ("judge_error", None)
    assert "took longer than" in grade.reason


@pytest.mark.parametrize(
    "other", [{"fields": ["total"]}, {"fields": []}, {"tolerance": 0.5}, {"json_schema": {"type": "object"}}]
)
def test_a_parameter_that_changes_grades_changes_the_identity(other: dict[str, object]) -> None:
    extra = {"json_schema": SCHEMA} if other == {"fields": []} else {}
    assert grader("json", **extra, **other).identity() != grader("json", **extra).identity()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(st.text(max_size=5), VALUES, max_size=4)


@settings(max_examples=200, deadline=None)
@given(
    CONTAINERS,
    st.sampled_from(
        ["{}", "Here it is: {}", "```json\n{}\n```", "{} is my answer.", "I thought [sic]:\n{}\n(see [2])"]
    ),
    st.booleans(),
)
def test_any_value_is_read_back_from_any_reply(value: Json, frame: str, readable: bool) -> None:  # noqa: FBT001 - drawn
    text = json.dumps(value, ensure_ascii=readable, indent=1 if readable else None)
    kinds: frozenset[Kind] = frozenset(("object",) if isinstance(value, dict) else ("array",))
    if isinstance(value, list) and "[2]" in frame:
        return  # a number in brackets is an array too
    found = find_json(frame.replace("{}", text), kinds)
    assert found.reason == ""
    assert canonical_text(found.value) == canonical_text(value)
    assert difference(found.value, value, Tolerance()) == ""


@settings(max_examples=200, deadline=None)
@given(VALUES, VALUES)
def test_two_values_differ_exactly_where_their_canonical_texts_do(one: Json, other: Json) -> None:
    assert (difference(one, other, Tolerance()) == "") is (canonical_text(one) == canonical_text(other))


def unrepaired_twin(judge: Grader, reply: str) -> bool | None:
    """A lenient reader, as some graders are: quotes mended, trailing commas dropped."""
    return graded(judge, reply.replace("'", '"').replace(",}", "}"), texts_key('{"a": 1}')).passed


def test_a_reader_that_mends_would_pass_what_is_no_json() -> None:
    assert [unrepaired_twin(JUDGE, reply) for reply in ("{'a': 1}", '{"a": 1,}')] == [True, True]


@pytest.mark.parametrize("length", [10, 4_000, 4_090, 4_096, 4_100, 9_000])
def test_a_value_is_read_whole_however_long_it_is(length: int) -> None:
    value: Json = {"a": "x" * length, "b": [1, True, None]}
    right = f"Here it is: {json.dumps(value)} That is all."
    found = find_json(right, OBJECT)
    assert (found.value, found.reason) == (value, "")
    broken = right.replace("true", "yes")
    at = broken.index("yes") + 1
    assert find_json(broken, OBJECT).reason == (
        f"the JSON in the reply is not valid: expecting value at character {at}"
    )


def test_what_is_nested_too_deeply_is_said_so() -> None:
    assert "nested too deeply" in find_json("See: " + "[1, " * 100_000, ARRAY).reason


@pytest.mark.parametrize("padding", ["", " " * 300, "x " * 3_000])
@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ('{"a" 1}', 5, "expecting ':' delimiter"),
        ('{"a"', 4, "expecting ':' delimiter"),
        ('{"a" {"b": 1}}', 5, "expecting ':' delimiter"),
        ('{"a": [1, 2}', 11, "expecting ',' delimiter"),
        ('{"a": "b', 6, "unterminated string starting"),
        ('{"a\\q": 1}', 3, "invalid \\escape"),
    ],
)
def test_what_is_wrong_with_the_last_value_is_said_with_its_place(
    padding: str, text: str, place: int, reason: str
) -> None:
    found = find_json(f"{padding}{text}", OBJECT)
    assert found.reason == f"the JSON in the reply is not valid: {reason} at character {len(padding) + place + 1}"


@pytest.mark.parametrize("text", ["[1 x ", "[sic] ", "[-x, ", "[true false] ", "[12", "[1e5. "])
def test_an_array_that_is_no_json_is_prose_wherever_it_stands(text: str) -> None:
    assert find_json(text * 3, ARRAY).reason == "there is no JSON array in the reply"
    assert find_json(f"{text}[1] {text}", ARRAY).value == [1]


def test_a_number_of_thousands_of_digits_is_told_as_a_whole() -> None:
    digits = "9" * 4_000
    assert digits in find_json(f'x {{"a": 1e{digits}}}', OBJECT).reason
