"""Paths into rows, and texts with paths in braces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.datasets.paths import PathError, resolve
from prt.runner.datasets.templates import Template
from pydantic import JsonValue as Json

ROW: dict[str, Json] = {
    "question": {"stem": "Why?", "choices": [{"text": "a", "label": "A"}, {"text": "b", "label": "B"}]},
    "choices": {"text": ["a", "b"]},
    "a.b": "dotted",
    "a": {"b": "nested", "c": "other"},
    "meta.data": {"x.y": 1},
    "cell": '{"name": "jim", "tags": ["t", "u"]}',
    "pages": [{"lines": ["1", "2"]}, {"lines": ["3"]}],
    "0": "first",
    "n": 3,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("question.stem", "Why?"),
        ("question.choices[].text", ["a", "b"]),
        ("question.choices[1].text", "b"),
        ("question.choices.1.text", "b"),
        ("choices.text[]", ["a", "b"]),
        ("choices.text", ["a", "b"]),
        ("a.b", "dotted"),
        ("a.c", "other"),
        ("meta.data.x.y", 1),
        ("cell.name", "jim"),
        ("cell.tags[]", ["t", "u"]),
        ("pages[].lines[]", ["1", "2", "3"]),
        ("0", "first"),
    ],
)
def test_a_path_leads_to_its_value(path: str, found: Json) -> None:
    assert resolve(ROW, path) == found


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("questoin", "no `questoin`; there are `question`"),
        ("questoin", "did you mean `question`?"),
        ("question.stm", "no `stm` in `question`; there are `stem`, `choices`; did you mean `stem`?"),
        (
            "question.choices.text",
            "`question.choices` is a list; use `[]` for each element (`question.choices[].text`)",
        ),
        ("question.choices[7]", "`question.choices` is a list of 2, without position 7"),
        ("question[]", "`question` is an object with the keys `stem`, `choices`, not a list"),
        ("question.stem.x", "`question.stem` is a text, with nothing in it"),
        ("n.x", "`n` is a number, with nothing in it"),
        ("question.choices[].note", "no `note` in `question.choices[]`"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_ends_and_what_is_there(path: str, words: str) -> None:
    with pytest.raises(PathError) as caught:
        resolve(ROW, path)
    assert words in str(caught.value)


def test_a_cell_with_broken_json_says_so() -> None:
    with pytest.raises(PathError, match="`cell` is a text that is no JSON"):
        resolve({"cell": "{'name': 'jim'}"}, "cell.name")


KEYS = st.dictionaries(st.text(max_size=4), st.text(max_size=4), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(KEYS)
def test_every_key_is_its_own_path_whatever_is_in_it(row: dict[str, Json]) -> None:
    assert all(resolve(row, key) == value for key, value in row.items())


def filled(template: str, **values: str) -> str:
    return Template.of(template).fill(values.__getitem__)


def test_a_template_is_filled_once_and_verbatim() -> None:
    assert filled("{a} and {b}", a="{b}", b="{{a}}") == "{b} and {{a}}"


def test_doubled_braces_stand_for_themselves() -> None:
    assert filled('Return {{"x": 1}}: {a}', a="y") == 'Return {"x": 1}: y'


def test_a_text_without_braces_is_a_path() -> None:
    template = Template.of("question.stem")
    assert template.is_path
    assert template.paths == ("question.stem",)
    assert not Template.of("{question.stem}?").is_path


@settings(max_examples=60, deadline=None)
@given(st.text(), st.text())
def test_what_is_filled_in_is_not_looked_at(first: str, second: str) -> None:
    assert filled("<{a}|{b}>", a=first, b=second) == f"<{first}|{second}>"
