"""Loading a config: short forms, defaults, `${VAR}`, secrets, files of other tools, and files that can't be read."""

import os
import pickle
from dataclasses import fields
from pathlib import Path
from textwrap import dedent

import pytest
from prt.runner.config.credentials import missing_keys
from prt.runner.config.loading import LoadedConfig, load_config, parse_config
from prt.runner.config.schema import (
    Config,
    DatasetConfig,
    FormatConfig,
    GradeConfig,
    HttpModel,
    LocalModel,
    OpenAIModel,
    ParaphraseConfig,
    PerturbationConfig,
    ReorderConfig,
    RerunConfig,
    TypoConfig,
)
from prt.runner.config.show import to_yaml
from prt.runner.errors import ConfigError

SHORTEST = "model: local\ndataset: items.jsonl\nperturbations: [typo]\n"
SHARED = Path(__file__).parents[3].parent / "shared"


def loaded(text: str, **env: str) -> LoadedConfig:
    return parse_config(dedent(text), Path("here/config.yaml"), env=env)


def told(text: str, **env: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(text, **env)
    return str(caught.value).replace("here/config.yaml:", "")


def with_perturbations(*lines: str) -> list[list[PerturbationConfig]]:
    text = "model: local\ndataset: items.jsonl\nperturbations:\n" + "\n".join(lines)
    return loaded(text).config.perturbations


def test_three_lines_are_a_whole_config() -> None:
    expected = Config(
        name="config",
        model=LocalModel(),
        dataset=DatasetConfig(path="items.jsonl"),
        perturbations=[[PerturbationConfig(name="typo", config=TypoConfig())]],
    )
    assert loaded(SHORTEST).config == expected


def test_a_generator_has_its_defaults_however_it_is_named() -> None:
    assert (
        with_perturbations("- typo", "- typo:", "- typo: {}", "- {typo: null}", "- [typo]")
        == [[PerturbationConfig(name="typo", config=TypoConfig())]] * 5
    )


def test_a_list_within_the_list_composes_generators() -> None:
    assert with_perturbations("- [paraphrase, typo: {severity: hard}]") == [
        [
            PerturbationConfig(name="paraphrase", config=ParaphraseConfig()),
            PerturbationConfig(name="typo", config=TypoConfig(severity="hard")),
        ]
    ]


def test_parameters_belong_to_the_generator_that_is_named_even_if_they_fit_others() -> None:
    assert [entry[0].config for entry in with_perturbations("- rerun: {variants: 2}", "- reorder: {variants: 2}")] == [
        RerunConfig(variants=2),
        ReorderConfig(variants=2),
    ]


def test_what_changes_places_decides_the_kind_where_none_is_given() -> None:
    assert [entry[0].config for entry in with_perturbations("- reorder", "- reorder: {of: context}")] == [
        ReorderConfig(of="options", kind="balanced"),
        ReorderConfig(of="context", kind="random"),
    ]
    assert ReorderConfig(of="examples", kind="reverse").kind == "reverse"


def test_a_format_may_name_its_kinds_instead_of_a_severity() -> None:
    loose, strict = with_perturbations("- format: {severity: hard}", "- format: {kind: [labels]}")
    assert loose[0].config == FormatConfig(severity="hard")
    assert strict[0].config == FormatConfig(kind=["labels"])


@pytest.mark.parametrize("preset", ["mild", "medium", "hard"])
def test_a_preset_is_the_list_that_it_stands_for(preset: str) -> None:
    strong = f"{{severity: {preset}}}"
    written = with_perturbations(
        "- reorder", f"- format: {strong}", "- paraphrase", "- style", f"- typo: {strong}", f"- noise: {strong}"
    )
    config = loaded(f"model: local\ndataset: items.jsonl\nperturbations: {preset}")
    assert config.config.perturbations == written
    again = loaded(to_yaml(config.public()))
    assert again.config.perturbations == written


def test_a_preset_may_come_from_the_environment() -> None:
    config = loaded("model: local\ndataset: d\nperturbations: ${LEVEL}", LEVEL="hard")
    assert config.config.perturbations == loaded("model: local\ndataset: d\nperturbations: hard").config.perturbations
    assert loaded(to_yaml(config.public())).config == config.config


def test_a_file_of_paraphrases_needs_no_kind() -> None:
    assert with_perturbations("- paraphrase: {file: mine.jsonl}") == with_perturbations(
        "- paraphrase: {kind: file, file: mine.jsonl}"
    )
    assert ParaphraseConfig(file="mine.jsonl").kind == "file"


def test_a_model_with_a_name_is_one_of_an_openai_compatible_endpoint() -> None:
    config = loaded("model: {name: m}\ndataset: d\nperturbations: [rerun]").config
    assert config.model == OpenAIModel(name="m")


def test_a_grader_may_be_named_alone() -> None:
    assert loaded(SHORTEST + "grade: exact").config.grade == GradeConfig(grader="exact")
    assert loaded(SHORTEST + "grade:").config.grade is None


def test_a_block_or_list_with_nothing_in_it_means_its_defaults() -> None:
    empty = "prompt:\nprotect:\nlimits:\nanalysis:\n"
    assert loaded(SHORTEST + empty).config == loaded(SHORTEST).config
    text = "model: {provider: local, params: , retry: }\ndataset: {path: d, fields: }\nperturbations: [rerun]"
    assert loaded(text).config.model == LocalModel()


def test_the_file_names_the_run_unless_the_config_does() -> None:
    assert loaded(SHORTEST).config.name == "config"
    assert loaded(SHORTEST + "name: other").config.name == "other"
    assert parse_config(SHORTEST, Path(os.fsdecode(b"caf\xe9.yaml")), env={}).config.name == "caf?"


def test_numbers_are_read_where_numbers_are_meant() -> None:
    config = loaded(SHORTEST + "seed: 1_000\nanalysis: {alpha: 1e-3, margin: .1}").config
    assert (config.seed, config.analysis.alpha, config.analysis.margin) == (1000, 1e-3, 0.1)
    params = loaded("model: {name: m, params: {a: 1e-5, b: 0x10, c: 1.10, d: y}}\ndataset: d\nperturbations: [rerun]")
    assert (
        params.public()["model"] == OpenAIModel(name="m", params={"a": 1e-5, "b": 16, "c": 1.1, "d": "y"}).model_dump()
    )


def test_quotes_make_a_text_of_anything() -> None:
    config = loaded(
        "model: {name: '1.10'}\ndataset: 'no'\nperturbations: [rerun]\nname: '012'\nprotect: ['on', '~']"
    ).config
    assert isinstance(config.model, OpenAIModel)
    assert (config.model.name, config.dataset.path, config.name, config.protect) == ("1.10", "no", "012", ["on", "~"])


def test_a_config_may_be_json() -> None:
    text = '{"model": "local", "dataset": "d", "perturbations": ["typo"], "prompt": {"system": "\\ud83d\\ude00"}}'
    assert loaded(text).config.prompt.system == "😀"


def test_anchors_repeat_a_block() -> None:
    text = "model: local\ndataset: d\nperturbations: [typo: &t {severity: hard}, [format, typo: *t]]"
    assert loaded(text).config.perturbations[1][1].config == TypoConfig(severity="hard")


HTTP = """
model:
  provider: http
  url: https://${HOST}/ask
  headers: {Authorization: 'Bearer ${TOKEN}', X-Plain: '$${TOKEN} costs $5'}
  body: {input: ['{prompt}', '${TOKEN}']}
dataset: '${DATA}'
perturbations: [paraphrase: {file: '${DATA}'}, [format, typo]]
prompt: {system: 'Cost: ${${TOKEN}'}
"""
SECRET = {"HOST": "inner.example", "TOKEN": "tok-4711-geheim", "DATA": "private/items.jsonl"}


def test_variables_are_filled_in_once_and_two_dollars_stand_for_one() -> None:
    config = loaded(HTTP.replace("${${", "$${${"), **SECRET).config
    assert isinstance(config.model, HttpModel)
    assert config.model.url == "https://inner.example/ask"
    assert config.model.headers == {"Authorization": "Bearer tok-4711-geheim", "X-Plain": "${TOKEN} costs $5"}
    assert config.model.body == {"input": ["{prompt}", "tok-4711-geheim"]}
    assert config.prompt.system == "Cost: ${tok-4711-geheim"
    assert config.perturbations[0][0].config == ParaphraseConfig(file="private/items.jsonl")


def test_a_value_is_never_filled_in_again() -> None:
    config = loaded(SHORTEST + "prompt: {system: '${A}'}", A="${B} $${C}", B="no").config
    assert config.prompt.system == "${B} $${C}"


def test_what_is_public_has_the_variables_and_not_their_values() -> None:
    config = loaded(HTTP.replace("${${", "$${${"), **SECRET)
    public = config.public()
    assert public["dataset"] == DatasetConfig(path="${DATA}").model_dump()
    assert public["perturbations"] == [
        {"paraphrase": ParaphraseConfig(file="${DATA}").model_dump()},
        [{"format": FormatConfig().model_dump()}, {"typo": TypoConfig().model_dump()}],
    ]
    for text in (to_yaml(public), repr(config), str(config), f"{config}", repr(config.config.model)):
        for value in ("inner.example", "tok-4711-geheim"):
            assert value not in text


def test_no_field_of_a_loaded_config_but_the_config_holds_a_secret() -> None:
    config = loaded(HTTP.replace("${${", "$${${"), **SECRET)
    others = {field.name: getattr(config, field.name) for field in fields(config) if field.name != "config"}
    assert b"geheim" not in pickle.dumps(others)


def test_what_is_public_loads_to_the_same_config() -> None:
    config = loaded(HTTP.replace("${${", "$${${"), **SECRET)
    again = loaded(to_yaml(config.public()), **SECRET)
    assert again.config == config.config
    assert again.public() == config.public()


def test_a_mistake_in_a_filled_value_never_shows_the_value() -> None:
    text = """
    model: {provider: http, url: '${URL}', headers: {A: '${LINES}'}}
    dataset: {path: d, sample: '${URL}', encoding: '${URL}', answer_pattern: '${URL}'}
    perturbations: ['${URL}']
    grade: '${URL}'
    """
    said = told(text, URL="ftp://geheim:(", LINES="geheim\ngeheim")
    assert "geheim" not in said
    assert said.count("found `${URL}`") == 5


def test_the_keys_that_a_model_needs_must_be_set() -> None:
    text = "model:\n  name: m\n  api_key_env: MY_KEY\ndataset: d\nperturbations: [rerun]"
    sentence = (
        "here/config.yaml:3: model.api_key_env: the environment variable `MY_KEY`, which holds the API key, is not "
        "set; set it, or say `api_key_env: null` for an endpoint without a key"
    )
    config = loaded(text)
    assert [str(problem) for problem in missing_keys(config, {})] == [sentence]
    assert [str(problem) for problem in missing_keys(config, {"MY_KEY": " "})] == [sentence]
    assert missing_keys(config, {"MY_KEY": "k"}) == []
    assert missing_keys(loaded(text.replace("MY_KEY", "null")), {}) == []
    assert missing_keys(loaded(SHORTEST), {}) == []


def test_paths_start_at_the_folder_of_the_file() -> None:
    assert loaded(SHORTEST).base == Path("here")


ADVICE = "a prt config has `model`, `dataset` and `perturbations`; `prt init` writes one to start from"
DATA = "name it in a config: `dataset: FILE`"
HARNESS = """
task: arithmetic
dataset_path: json
output_type: loglikelihood
process_docs: !function utils.process
doc_to_text: '{{context}}'
"""
HARNESS_GROUP = """
group: score
task: [one, two]
aggregate_metric_list: [{metric: acc}]
"""
EVALS = """
chess:
  id: chess.dev.v0
  metrics: [accuracy]
chess.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: chess/match.jsonl}
"""
LANGTEST = """
model_parameters: {max_tokens: 64}
tests:
  defaults: {min_pass_rate: 1.0}
  robustness: {lowercase: {min_pass_rate: 0.7}}
"""
PROMPTFOO = """
prompts: [a.txt]
providers: [openai:gpt-4.1]
tests: tests.csv
"""
FOREIGN = [
    (HARNESS, f"a task of lm-evaluation-harness (`doc_to_text`, `dataset_path` and `output_type`); {ADVICE}"),
    (HARNESS_GROUP, f"a task of lm-evaluation-harness (`aggregate_metric_list`); {ADVICE}"),
    (EVALS, f"a registry file of OpenAI Evals (`class: evals.…`), whose data is in `chess/match.jsonl`; {ADVICE}"),
    (LANGTEST, f"a config of LangTest (`tests:` with `robustness` and `defaults`); {ADVICE}"),
    (PROMPTFOO, f"a config of promptfoo (`prompts`, `providers` and `tests`); {ADVICE}"),
    (
        '\n{"question": "Is it?", "options": ["yes", "no"], "answer": "yes"}',
        f"data and not like a config (`question`, `answer` and `options`); {DATA}",
    ),
    ('\n[{"input": "Is it?", "target": "yes"}]', f"data and not like a config (`input` and `target`); {DATA}"),
]


@pytest.mark.parametrize(("text", "expected"), FOREIGN)
def test_a_file_of_another_tool_is_told_in_one_sentence(text: str, expected: str) -> None:
    assert told(text) == f"2:1: this looks like {expected}"


def test_the_users_files_of_other_tools_are_told_in_one_sentence() -> None:
    files = [*SHARED.glob("userfiles/*/*.yaml"), *SHARED.glob("userfiles/*/*.yml")]
    if not files:
        pytest.skip(f"{SHARED}/userfiles is not here")
    for file in files:
        with pytest.raises(ConfigError, match="this looks like") as caught:
            load_config(file, env={})
        assert len(caught.value.problems) == 1, file


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path, env={})
    return str(caught.value).replace(f"{path.parent}/", "")


def test_a_byte_order_mark_is_read_away(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_bytes(b"\xef\xbb\xbf" + SHORTEST.encode())
    assert load_config(tmp_path / "run.yaml", env={}).config.model == LocalModel()


def test_lines_may_end_as_windows_ends_them(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_bytes((SHORTEST + "seed: x\n").replace("\n", "\r\n").encode())
    assert refused(tmp_path / "run.yaml") == "run.yaml:4:7: seed: expected a whole number, found `x`"


def test_text_that_is_not_utf_8_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("model: local\nname: café".encode("latin-1"))
    assert refused(tmp_path / "latin.yaml") == "latin.yaml:2:10: the byte 0xE9 is not UTF-8; save the file as UTF-8"
    (tmp_path / "wide.yaml").write_bytes(SHORTEST.encode("utf-16"))
    assert refused(tmp_path / "wide.yaml") == "wide.yaml: is UTF-16 text; save it as UTF-8"


def test_a_file_that_is_not_there_is_told_with_its_neighbour(tmp_path: Path) -> None:
    assert refused(tmp_path / "run.yaml") == "run.yaml: there is no such file; `prt init` writes a config to start from"
    (tmp_path / "runs.yaml").write_text(SHORTEST)
    assert refused(tmp_path / "run.yaml") == "run.yaml: there is no such file; did you mean runs.yaml?"
    assert refused(tmp_path / "runs") == "runs: there is no such file; did you mean runs.yaml?"
    with pytest.raises(ConfigError, match=f"run.yaml: there is no folder {tmp_path}"):
        load_config(tmp_path / "no" / "run.yaml", env={})


def test_a_folder_is_no_config(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").touch()
    assert refused(tmp_path) == f"{tmp_path.name}: is a folder; name a config file in it, such as b.yaml"


def test_a_large_file_is_no_config(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_bytes(b"x" * ((1 << 20) + 1))
    assert refused(tmp_path / "items.jsonl") == (
        "items.jsonl: is larger than a megabyte; a config is a small YAML file that names the data and the model"
    )


def test_a_file_within_a_file_is_no_config(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").touch()
    with pytest.raises(ConfigError, match="can't be read: not a directory"):
        load_config(tmp_path / "run.yaml" / "b.yaml", env={})


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(ConfigError, match="a file's name can't hold a null character"):
        load_config(Path("a\0b"), env={})
    assert "can't be read: file name too long" in refused(Path("x" * 5000))
