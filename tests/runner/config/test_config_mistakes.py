"""What the user is told: for each kind of mistake the exact sentence, with line, column and key."""

import re
from pathlib import Path

import pytest
from prt.runner.config.loading import parse_config
from prt.runner.config.schema import EXAMPLES, NEEDS
from prt.runner.errors import ConfigError

ENV = {"TOKEN": "hunter2-hunter2", "EMPTY": ""}
BLOCKS = {"model": "model: local", "dataset": "dataset: items.jsonl", "perturbations": "perturbations: [typo]"}


def entries() -> list[tuple[str, str]]:
    """The entries of `config_mistakes.txt`: a piece of a config, and what is said of it."""
    text = Path(__file__).with_name("config_mistakes.txt").read_text(encoding="utf-8")
    pieces = [entry.strip("\n") for entry in text.split("----\n")[1:]]
    return [(re.sub(r"(?m)^=> .*\n?", "", piece), "\n".join(re.findall(r"(?m)^=> (.*)$", piece))) for piece in pieces]


def told(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, Path("config.yaml"), env=ENV)
    return str(caught.value).replace("config.yaml:", "")


@pytest.mark.parametrize(("piece", "expected"), entries())
def test_each_mistake_is_told_in_its_place_with_what_is_allowed(piece: str, expected: str) -> None:
    missing = [block for key, block in BLOCKS.items() if not re.search(rf"(?m)^{key}:", piece)]
    assert told("\n".join([piece, *missing])) == expected


def test_all_mistakes_of_a_file_are_told_at_once_by_line() -> None:
    text = "seed: one\nmodel: {name: no}\nperturbations: [tpyo, typo: {rate: 2}]\nlimit: 3\n"
    assert told(text).splitlines() == [
        "1:1: dataset: this key is missing: The dataset: a path, or a block",
        "1:7: seed: expected a whole number, found `one`",
        "2:15: model.name: expected text, found `no`, which YAML reads as the truth value false; write 'no' in quotes",
        "3:17: perturbations[0]: there is no generator `tpyo`; did you mean `typo`?",
        "3:36: perturbations[1].typo.rate: expected a number from 0 to 1, found `2`; 2 percent, or points, are `0.02`",
        "4:1: limit: this key belongs under `dataset:`",
    ]


def test_a_key_is_told_only_once() -> None:
    assert told("model: local\ndataset: x\nperturbations: [rerun]\nseed: a\nseed: b").splitlines() == [
        "5:1: seed: this key is given twice, first at line 4, column 1; keep one"
    ]


def test_what_was_found_is_cut_and_on_one_line() -> None:
    found = told("model: local\ndataset: x\nperturbations: [rerun]\nseed: " + "é" * 100)
    assert found == f"4:7: seed: expected a whole number, found `{'é' * 59}…`"


def test_a_key_with_a_line_break_leaves_the_sentence_on_one_line() -> None:
    text = 'model: local\ndataset: x\nperturbations: [rerun]\nprompt: {"a\\nb": 1}'
    allowed = "`system`, `instruction`, `answer`, `template` and `examples`"
    assert told(text) == f"4:10: prompt.a b: unknown key; allowed here: {allowed}"


def test_a_key_that_stands_in_the_file_is_never_repeated() -> None:
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz"
    rest = "\ndataset: x\nperturbations: [rerun]"
    for line in (
        f"model: {key}",
        f"model: {{name: {key}, params: [{key}]}}",
        f"model: local\nseed: {key}",
        f"model: local\n{key}: 1",
    ):
        assert key not in told(line + rest).replace(f"{key}: unknown key", "")


@pytest.mark.parametrize(
    "model",
    [
        "{name: m, api_key_env: A_VERY_LONG_NAME_OF_A_VARIABLE}",
        "{name: m, params: {eos_token: '<|reserved_special_token|>', stop_tokens: [a_word_of_many_letters]}}",
        "{provider: http, url: 'http://a', headers: {Authorization: Bearer EMPTY, X-Token: '${TOKEN}'}}",
        "{provider: http, url: 'http://${TOKEN}:${TOKEN}@a'}",
        "{name: task-sk-1234567890abcdef1234}",
    ],
)
def test_what_is_no_secret_is_let_through(model: str) -> None:
    parse_config(f"model: {model}\ndataset: x\nperturbations: [rerun]", Path("config.yaml"), env=ENV)


@pytest.mark.parametrize(
    "model",
    [
        "{name: m, params: {api_key: abcdefghijklmnop1234}}",
        "{provider: http, url: 'http://a', headers: {X-Api-Key: abcdefghijklmnop1234}}",
        "{provider: http, url: 'http://a', headers: {X-Token: abcdefghijklmnop1234}}",
        "{provider: http, url: 'http://a?key=sk-abcdefghijklmnop1234'}",
        "{provider: http, url: 'http://a', body: {q: '{prompt}', password: abcdefghijklmnop1234}}",
        "{name: m, base_url: 'http://me:abcdefghijklmnop1234@a'}",
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(model: str) -> None:
    said = told(f"model: {model}\ndataset: x\nperturbations: [rerun]")
    assert "keep it in an environment variable" in said
    assert "abcdefghijklmnop1234" not in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("null", "expected `key: value` lines at the top level, found a text"),
        ("hello", "expected `key: value` lines at the top level, found a text"),
        ("- a", "expected `key: value` lines at the top level, found a list"),
        ("{}", "expected `key: value` lines at the top level, found an empty block"),
    ],
)
def test_a_file_that_is_no_config_by_its_outline_says_what_a_config_is(text: str, expected: str) -> None:
    advice = "a prt config has `model`, `dataset` and `perturbations`; `prt init` writes one to start from"
    assert told(text) == f"1:1: {expected}; {advice}"


@pytest.mark.parametrize("grader", NEEDS)
def test_the_example_of_what_a_grader_needs_is_a_grader(grader: str) -> None:
    text = f"model: local\ndataset: items.jsonl\nperturbations: [typo]\ngrade: {EXAMPLES[grader]}\n"
    loaded = parse_config(text, Path("config.yaml"), env=ENV)
    assert loaded.config.grade is not None
    assert loaded.config.grade.grader == grader
