"""`prt check`, `prt plan` and `prt schema` of duels and scores: nothing is called, and what is planned is asked."""

import json
from pathlib import Path

import pytest
import yaml
from prt.runner.commands.plan import FLIP_RATE
from prt.runner.duel.planning import items_for_tie
from prt.stats import win_rate
from pydantic import JsonValue as Json

from .command_line import CommandLine
from .fault_server import Behaviour, Call, FaultServer, answers

ITEMS = 12
DIMENSIONS: list[Json] = [
    {"id": "helpful", "description": "It helps."},
    {"id": "polite", "description": "It is friendly.", "grader": "judge"},
    {"id": "short", "description": "It is short.", "grader": "rule", "rule": {"kind": "length", "max": 9}},
]


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.delenv("PRT_STORE", raising=False)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    questions = [{"id": f"q{n}", "question": f"Say {n}, please."} for n in range(ITEMS)]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in questions))
    rows = [{"input_id": row["id"], "prompt": row["question"], "sut_response": ""} for row in questions]
    prt.write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return prt


def block(name: str, url: str = "http://127.0.0.1:9/v1", **rest: Json) -> dict[str, Json]:
    return {"name": name, "base_url": url, "timeout_s": 5, "retry": {"retries": 0}, **rest}


def duel(prt: CommandLine, model: Json = None, judge: Json = None, **rest: Json) -> str:
    whole: dict[str, Json] = {
        "model": model or block("m"),
        "judge": judge or block("j"),
        "dataset": "items.jsonl",
        "prompts": {"baseline": {"system": "Answer."}, "candidate": {"system": "Answer briefly."}},
        "dimensions": DIMENSIONS,
        **rest,
    }
    return prt.write("duel.yaml", yaml.safe_dump(whole, sort_keys=False))


def score(prt: CommandLine, sut: Json = None, judge: Json = None, **rest: Json) -> str:
    whole = {"sut": sut or block("m"), "judge": judge or block("j"), **rest}
    return prt.write("score.yaml", yaml.safe_dump(whole, sort_keys=False))


def by_rule(rule: dict[str, Json]) -> dict[str, Json]:
    """Other dimensions, the last with a rule."""
    return {"dimensions": [*DIMENSIONS[:2], {"id": "p", "description": "d", "grader": "rule", "rule": rule}]}


def test_a_duel_is_checked_without_a_call(prt: CommandLine) -> None:
    ended = prt("check", duel(prt))
    told = "12 items a side, 24 calls; judge j for `helpful` and `polite`; a rule for `short`."
    assert (ended.code, ended.out) == (0, f"duel.yaml: all well. {told}\n")
    assert not (prt.folder / "prt.db").exists()


def test_a_score_is_checked_without_a_call(prt: CommandLine) -> None:
    ended = prt("check", score(prt, n_sut_retries=1))
    told = "3 pairs a row, at most 8 calls of the system, 7 of the judge and 4 of the generator a row."
    assert (ended.code, ended.out) == (0, f"score.yaml: all well. sut m, judge j, generator j; {told}\n")
    settings = prt.write("settings.yaml", "num_pairs: 2\ninverted: true\n")
    assert "names no models, so it is for `prt score --run`" in prt("check", settings).out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"dataset": "missing.jsonl"}, "missing.jsonl"),
        ({"judge": block("m")}, "the judge is the model whose answers it judges"),
        (
            {"judge": block("j", api_key_env="NO_SUCH_KEY")},
            "judge: model.api_key_env: the environment variable NO_SUCH",
        ),
        pytest.param({"store": "missing/prt.db"}, "the folder missing does not exist", marks=pytest.mark.sqlite),
        ({"dimensions": [{"id": "a", "description": "d", "reference": True}]}, "no row has an answer"),
        (by_rule({"kind": "regex"}), "the rule `regex` needs `pattern`"),
        (by_rule({"kind": "json", "json_schema": "no.json"}), "no.json"),
    ],
)
def test_what_a_duel_names_and_lacks_is_told_by_check(prt: CommandLine, change: dict[str, Json], told: str) -> None:
    ended = prt("check", duel(prt, **change))
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"judge": block("m")}, "the judge is the system under test"),
        ({"generator": {"provider": "local", "path": "no.gguf"}}, "generator: model.path: no.gguf does not exist"),
        pytest.param({"store": "missing/prt.db"}, "the folder missing does not exist", marks=pytest.mark.sqlite),
        ({"num_pairs": 33}, "num_pairs"),
    ],
)
def test_what_a_score_names_and_lacks_is_told_by_check(prt: CommandLine, change: dict[str, Json], told: str) -> None:
    ended = prt("check", score(prt, **change))
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_every_value_is_shown_with_its_place(prt: CommandLine) -> None:
    lines = prt("check", duel(prt), "--show").out.split("\n")
    assert "margin: 0.05  # default" in lines
    assert any(line.startswith("dimensions[2].rule.max: 9  # duel.yaml:") for line in lines)
    lines = prt("check", score(prt, num_pairs=4), "--show").out.split("\n")
    assert "num_pairs: 4  # score.yaml:13" in lines


def answering(call: Call) -> Behaviour:
    """Other answers under other prompts, and a judge that likes all of them."""
    if "fenced" in call.prompt or "<answer" in call.prompt:
        return answers('{"reason": "r", "verdict": "tie"}' if "answer-A" in call.prompt else '{"score": 0.5}')
    return answers(f"{len(str(call.json))} {call.prompt}")


def test_a_duel_asks_what_was_planned(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=answering) as judge:
        name = duel(prt, block("m", model.base_url), block("j", judge.base_url))
        plan = prt("plan", name, "--json").json
        assert model.calls == []
        assert prt("duel", name, "-q").code == 2
        asked = len(model.calls), len(judge.calls)
    assert (sum(each["calls"] for each in plan["answers"]), plan["judging"]["calls_at_most"]) == asked == (24, 48)


def test_a_score_asks_no_more_than_was_planned(prt: CommandLine) -> None:
    with FaultServer(by=answering) as sut, FaultServer(by=answering) as judge:
        name = score(prt, block("m", sut.base_url), block("j", judge.base_url), perturbations=["typo", "noise"])
        plan = prt("plan", name, "--rows", "rows.jsonl", "--json").json
        assert sut.calls == []
        prt("score", "rows.jsonl", "--config", name, "-q")
        asked = len(sut.calls), len(judge.calls)
    by_role = {each["role"]: each["calls"] for each in plan["asked"]}
    assert plan["rows"] == ITEMS
    assert asked[0] == by_role["sut"] == 4 * ITEMS
    assert ITEMS < asked[1] <= by_role["judge"] + by_role["generator"]


def test_prices_and_limits_give_a_cost_at_the_most(prt: CommandLine) -> None:
    limit: Json = {"max_tokens": 100}
    prices: Json = {"input": 1, "output": 2}
    name = duel(prt, block("m", params=limit), block("j", params=limit, prices=prices), prices=prices)
    plan = prt("plan", name, "--json").json
    tokens_in = sum(each["prompt_tokens"] for each in plan["answers"]) + plan["judging"]["prompt_tokens"]
    # each pairwise question shows two answers, in two orders; each pointwise question shows one
    assert plan["judging"]["answer_tokens"] == ITEMS * 100 * (4 + 2)
    expected = (tokens_in + ITEMS * 600 + 2 * (ITEMS * 2 * 100 + ITEMS * 4 * 100)) / 1e6
    assert plan["cost"] == pytest.approx(expected)
    apart = {each["who"]: each["cost"] for each in plan["costs"]}
    assert list(apart) == ["the baseline", "the candidate", "the judge"]
    assert sum(apart.values()) == pytest.approx(expected)
    assert "cost of the baseline not known: no limit on tokens out" in prt("plan", duel(prt, prices=prices)).out
    unpriced = prt("plan", duel(prt, block("m", params=limit), block("j", params=limit), prices=prices)).out
    assert "cost of the judge not known: no prices" in unpriced
    name = score(prt, block("m", params=limit), block("j", params=limit, prices=prices), prices=prices)
    assert prt("plan", name, "--rows", "rows.jsonl", "--json").json["cost"] > 0


def test_a_plan_needs_no_key_and_says_what_the_items_can_show(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    out = prt("plan", duel(prt)).out
    assert "What 12 items can show if 30% are won or lost and the others tied, 3 dimensions judged together" in out
    assert "fewest decided items, all one way, that can be BETTER or WORSE: 7" in out
    assert "a win rate of 70.0% can't come from 30% decided items" in prt("plan", duel(prt), "--change", "0.2").out
    few = prt("plan", duel(prt, dataset={"path": "items.jsonl", "limit": 9})).out
    assert "nothing: a verdict needs 10 items" in few
    out = prt("plan", score(prt), "--rows", "rows.jsonl").out
    assert "What 12 rows can show: the pooled score, with an interval of about" in out
    assert "`--rows FILE` reads the rows" in prt("plan", score(prt)).out


def test_rows_are_for_scores_alone(prt: CommandLine) -> None:
    ended = prt("plan", duel(prt), "--rows", "rows.jsonl")
    assert (ended.code, ended.out) == (2, "")
    assert "--rows are for the config of `prt score`" in ended.err


@pytest.mark.parametrize(("decided", "margin"), [(0.3, 0.05), (1.0, 0.05), (0.5, 0.1), (0.1, 0.03)])
def test_so_many_items_show_a_tie_and_hardly_fewer_do(decided: float, margin: float) -> None:
    items = items_for_tie(decided, margin, alpha=0.05)

    def low(n: int) -> float:
        each = min(round(n * decided / 2), n // 2)
        return win_rate(each, each, n).low or 0.0

    assert low(items) > 0.5 - margin >= low(items - 1)
    assert items_for_tie(decided, margin, alpha=0.01) > items


def test_the_figures_of_the_docs_are_those_of_the_plan() -> None:
    assert (items_for_tie(0.3, 0.05, alpha=0.05), items_for_tie(1.0, 0.05, alpha=0.05)) == (120, 381)
    assert FLIP_RATE == 0.1


@pytest.mark.parametrize("kind", ["duel", "score"])
def test_the_schema_of_each_kind_is_printed(prt: CommandLine, kind: str) -> None:
    printed = prt("schema", kind)
    assert (printed.code, printed.json["title"]) == (0, f"prt {kind}")
