"""The resolved config, row by row."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.config.loading import parse_config, resolved
from prt.runner.config.show import to_yaml, yaml_line
from prt.runner.config.strict_yaml import parse
from prt.runner.config.yaml_nodes import plain

TEXT = """\
model:
  provider: http
  url: https://${HOST}/ask
  headers:
    Authorization: "Bearer ${TOKEN}"
dataset: items.jsonl
perturbations:
  - typo: {rate: 0.2, parts: [text, context]}
  - [paraphrase: {file: mine.jsonl}, rerun]
grade: numeric
limits:
"""


def rows() -> dict[str, tuple[str, str]]:
    loaded = parse_config(TEXT, Path("runs/triage.yaml"), env={"HOST": "geheim", "TOKEN": "geheim"})
    return {key: (value, origin) for key, value, origin in resolved(loaded)}


@pytest.mark.parametrize(
    ("key", "value", "origin"),
    [
        ("name", "triage", "the file's name"),
        ("model.provider", "http", "triage.yaml:2"),
        ("model.url", "https://${HOST}/ask", "triage.yaml:3 from ${HOST}"),
        ("model.headers.Authorization", "Bearer ${TOKEN}", "triage.yaml:5 from ${TOKEN}"),
        ("model.body.prompt", "'{prompt}'", "default"),
        ("model.timeout_s", "120.0", "default"),
        ("dataset.path", "items.jsonl", "triage.yaml:6"),
        ("dataset.fields.options", "null", "default"),
        ("perturbations[0].typo.rate", "0.2", "triage.yaml:8"),
        ("perturbations[0].typo.parts", "[text, context]", "triage.yaml:8"),
        ("perturbations[0].typo.severity", "mild", "default"),
        ("perturbations[1][0].paraphrase.file", "mine.jsonl", "triage.yaml:9"),
        ("perturbations[1][0].paraphrase.kind", "file", "default"),
        ("perturbations[1][1].rerun.variants", "1", "default"),
        ("grade.grader", "numeric", "triage.yaml:10"),
        ("limits.concurrency", "auto", "default"),
        ("limits.max_calls", "null", "default"),
        ("protect", "[]", "default"),
    ],
)
def test_each_value_has_its_origin(key: str, value: str, origin: str) -> None:
    assert rows()[key] == (value, origin)


def test_no_value_from_the_environment_is_shown() -> None:
    assert "geheim" not in str(rows())


def test_a_preset_is_shown_as_the_list_that_it_stands_for() -> None:
    loaded = parse_config("model: local\ndataset: d\nperturbations: ${LEVEL}", Path("a.yaml"), env={"LEVEL": "hard"})
    shown = {key: (value, origin) for key, value, origin in resolved(loaded)}
    assert shown["perturbations[0].reorder.kind"] == ("balanced", "default")
    assert shown["perturbations[1].format.severity"] == ("hard", "a.yaml:3 from ${LEVEL}")
    assert shown["perturbations[2].paraphrase.kind"] == ("frames", "default")
    assert shown["perturbations[3].style.kind"] == ("[polite]", "default")
    assert shown["perturbations[4].typo.severity"] == ("hard", "a.yaml:3 from ${LEVEL}")
    assert shown["perturbations[5].noise.severity"] == ("hard", "a.yaml:3 from ${LEVEL}")


def test_a_provider_that_goes_without_saying_is_a_default() -> None:
    loaded = parse_config("model: {name: m}\ndataset: d\nperturbations: [rerun]", Path("a.yaml"), env={})
    shown = resolved(loaded)
    assert [tuple(row) for row in shown[1:3]] == [
        ("model.provider", "openai", "default"),
        ("model.name", "m", "a.yaml:1"),
    ]


def test_rows_are_yaml() -> None:
    for key, (value, _) in rows().items():
        assert "\n" not in value, key
        yaml.safe_load(value)


TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])) | st.sampled_from(
    [
        "no",
        "012",
        "1e-5",
        "09",
        "0o14",
        "-.5",
        "12:30",
        "~",
        "null",
        "2024-01-02",
        ".inf",
        "<<",
        "=",
        "",
        "a: b",
        "#",
        " x ",
    ]
)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(DATA)
@settings(max_examples=50, deadline=None)
def test_what_is_written_as_yaml_is_read_back_the_same(data: object) -> None:
    for text in (to_yaml({"data": data}), yaml_line({"data": data})):  # type: ignore[dict-item]  # the strategy makes JSON
        document = parse(text)
        assert document.root is not None
        assert document.faults == ()
        assert plain(document.root) == {"data": data}
