"""Whatever a file holds, it is a config or a list of sentences; and what is public loads to the same config again."""

import json
from collections.abc import Iterator
from pathlib import Path

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prt.runner.config.json_schema import long_schema
from prt.runner.config.loading import LoadedConfig, parse_config
from prt.runner.config.schema import GENERATORS, PROVIDERS, Config
from prt.runner.config.show import to_yaml
from prt.runner.errors import ConfigError

SECRET = "geheim-4711"  # noqa: S105  no secret: it stands for one
FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def keys_of(schema: object) -> Iterator[str]:
    """Every key that a config may have somewhere."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from keys_of(part)


KEYS = st.sampled_from(sorted({*keys_of(long_schema()), *GENERATORS}))
HARD = st.sampled_from(
    [
        "no",
        "012",
        "12:30",
        "1e-5",
        "~",
        ".inf",
        "${X}",
        "$${",
        "${",
        "{prompt}",
        "http://a/b",
        "a:b",
        "[a",
        "<path>",
        "list",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | HARD
    | st.sampled_from([*PROVIDERS, *GENERATORS])
    | st.text(max_size=6)
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | HARD | st.text(max_size=3), inner, max_size=5),
    max_leaves=12,
)
OUTLINES = st.fixed_dictionaries({}, optional=dict.fromkeys(Config.model_fields, DATA))


def loaded(text: str) -> LoadedConfig | None:
    """The config, or None where it was refused in proper sentences."""
    try:
        return parse_config(text, Path("config.yaml"), env={"X": SECRET})
    except ConfigError as error:
        problems = error.problems
    assert problems
    for problem in problems:
        assert problem.message
        assert (problem.line or 0) >= 1
        assert (problem.column or 0) >= 1
        assert "\n" not in str(problem)
        assert SECRET not in str(problem)
    return None


@given(OUTLINES | DATA)
@FEW
def test_any_data_is_a_config_or_refused_in_sentences(data: object) -> None:
    loaded(yaml.safe_dump(data, allow_unicode=True))
    loaded(json.dumps(data, ensure_ascii=False).replace('"', ""))


@given(st.text(max_size=80))
@FEW
def test_any_text_is_a_config_or_refused_in_sentences(text: str) -> None:
    loaded(text)
    loaded(f"model: local\ndataset: {text}\nperturbations: [typo]")


TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=12) | HARD
NUMBERS = st.floats(0.001, 0.999)
GENERATED = st.one_of(
    st.sampled_from(["reorder", "format", "paraphrase", "typo", "rerun"]),
    st.fixed_dictionaries(
        {"typo": st.fixed_dictionaries({}, optional={"rate": NUMBERS, "variants": st.integers(1, 100)})}
    ),
    st.fixed_dictionaries({"paraphrase": st.fixed_dictionaries({"file": TEXTS})}),
)
MODELS = st.one_of(
    st.just("local"),
    st.fixed_dictionaries({"name": TEXTS, "params": st.dictionaries(TEXTS, DATA, max_size=3)}),
    st.fixed_dictionaries({"provider": st.just("replay"), "path": TEXTS}),
)
CONFIGS = st.fixed_dictionaries(
    {
        "model": MODELS,
        "dataset": TEXTS
        | st.fixed_dictionaries(
            {"path": TEXTS, "fields": st.fixed_dictionaries({"options": st.lists(TEXTS, min_size=1)})}
        ),
        "perturbations": st.lists(GENERATED | st.lists(GENERATED, min_size=1, max_size=3), min_size=1, max_size=4),
    },
    optional={
        "name": TEXTS,
        "prompt": st.fixed_dictionaries({}, optional={"system": TEXTS, "instruction": TEXTS}),
        "grade": st.sampled_from(["choice", "numeric", {"grader": "regex", "pattern": "a+"}]),
        "seed": st.integers(-(2**64) + 1, 2**64 - 1),
        "analysis": st.fixed_dictionaries({"alpha": NUMBERS}),
        "store": TEXTS,
    },
)


@given(CONFIGS)
@FEW
def test_what_is_public_loads_to_the_same_config(data: object) -> None:
    config = loaded(to_yaml(data))  # type: ignore[arg-type]  # the strategy makes JSON
    if config is None:  # a `${` that names no variable, or a parameter that is no finite number
        return
    public = config.public()
    assert SECRET not in to_yaml(public)
    again = loaded(to_yaml(public))
    assert again is not None
    assert again.config == config.config
    assert again.public() == public
