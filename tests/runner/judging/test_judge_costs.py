"""What a judge takes: priced by its own prices, told apart from the model under test, and bounded with it."""

import csv
import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from prt.runner.store.database import open_store, utc_now
from prt.runner.store.pruning import Pruning, prune
from pydantic import JsonValue as Json

from ..command_line import CommandLine, Ended
from ..fault_server import Behaviour, Call, FaultServer, answers, fails
from .court import Court, court, fair

REPLIES = {"Alpha": "It is Alpha-City.", "Beta": "No idea.", "Gamma": "Gamma-City", "Delta": "Epsilon-City"}
TOKENS = (7, 3)
"""What the loopback server says of each reply: tokens in and out."""
ASKED, JUDGED = 8, 4
"""Calls of the model under test, and of the judge: equal answers to one item are judged once."""
PRICES: dict[str, Json] = {"input": 1.0, "output": 2.0}
DEAR: dict[str, Json] = {"input": 100.0, "output": 200.0}
COST = ASKED * (TOKENS[0] * 1.0 + TOKENS[1] * 2.0) / 1e6
JUDGE_COST = JUDGED * (TOKENS[0] * 100.0 + TOKENS[1] * 200.0) / 1e6


class Priced:
    """A court whose model under test is an endpoint, so that its tokens are known.

    The judge's calls fail that are about one of the words in `failing`.
    """

    def __init__(self, prt: CommandLine, made: Court, model: FaultServer, failing: set[str]) -> None:
        self.prt, self.court, self.model, self.failing = prt, made, model, failing

    def config(
        self, *, judge: dict[str, Json] | None = None, grade: dict[str, Json] | None = None, **rest: Json
    ) -> str:
        block = self.court.grade(**(grade or {}))
        assert isinstance(block["model"], dict)
        block["model"] |= {"params": {"max_tokens": 3}, **(judge or {})}
        model: Json = {
            "name": "asked-1",
            "base_url": self.model.base_url,
            "api_key_env": None,
            "params": {"temperature": 0, "max_tokens": 3},
            "retry": {"retries": 0},
        }
        return self.court.config(grade=block, **{"model": model, **rest})


@pytest.fixture
def priced(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Priced]:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    failing: set[str] = set()

    def judge(call: Call) -> Behaviour:
        return fails(500) if any(word in call.prompt for word in failing) else fair(call)

    with (
        court(prt, REPLIES, judge) as made,
        FaultServer(by=lambda call: answers(next(r for word, r in REPLIES.items() if word in call.prompt))) as model,
    ):
        yield Priced(prt, made, model, failing)


def usage(ended: Ended) -> dict[str, Any]:
    found: dict[str, Any] = ended.json["usage"]
    return found


def test_a_run_says_what_model_and_judge_cost_apart_and_together(priced: Priced) -> None:
    ended = priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}))
    assert ended.code == 0, ended.err
    lines = ended.err.splitlines()
    model = next(line for line in lines if line.startswith("model under test, asked-1: 8 calls"))
    judge = next(line for line in lines if line.startswith("judge, judge-1: 4 calls"))
    together = next(line for line in lines if line.startswith("together: "))
    assert model.endswith(f"56 tokens in, 24 out, {COST:.4g} USD")
    assert judge.endswith(f"28 tokens in, 12 out, {JUDGE_COST:.4g} USD")
    assert together == f"together: 12 calls, 84 tokens in, 36 out, {COST + JUDGE_COST:.4g} USD"
    assert f"Judge, judge-1: 4 calls for 4 replies; 28 tokens in, 12 out; {JUDGE_COST:.4g} USD." in ended.out
    assert f"Together: 12 calls; 84 tokens in, 36 out; {COST + JUDGE_COST:.4g} USD." in ended.out


def test_every_form_of_the_report_has_the_judge_beside_the_model(priced: Priced) -> None:
    priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}))
    found = usage(priced.prt("report", "latest", "--json"))
    assert found["currency"] == "USD"
    assert (found["total"]["calls"], found["judge"]["calls"], found["together"]["calls"]) == (8, 4, 12)
    assert found["total"]["cost"] == pytest.approx(COST)
    assert (found["judge"]["model"], found["judge"]["cost"]) == ("judge-1", pytest.approx(JUDGE_COST))
    assert found["together"]["cost"] == pytest.approx(COST + JUDGE_COST)
    assert (found["judge"]["no_cost"], found["no_cost"]) == ("", "")
    markdown = priced.prt("report", "latest", "--markdown").out
    assert f"- Together: 12 calls; 84 tokens in, 36 out; {COST + JUDGE_COST:.4g} USD." in markdown
    page = priced.prt("report", "latest", "--html", "-").out
    assert "judge, judge-1" in page
    assert "with the judge" in page
    rows = [*csv.DictReader(StringIO(priced.prt("report", "latest", "--csv", "-").out))]
    (judge,) = (row for row in rows if row["role"] == "judge")
    assert (judge["condition"], judge["calls"], judge["prompt_tokens"]) == ("", "4", "28")
    assert float(judge["cost"]) == pytest.approx(JUDGE_COST)
    assert sum(row["role"] != "judge" for row in rows) == 2


@pytest.mark.parametrize("form", ["run", "report"])
def test_a_judge_without_prices_has_a_cost_that_is_not_known_and_never_none(priced: Priced, form: str) -> None:
    ended = priced.prt("run", priced.config(prices=PRICES))
    if form == "run":
        assert "28 tokens in, 12 out, cost not known: no prices" in ended.err
        assert f"{COST:.4g} USD without judge, judge-1" in ended.err
        return
    assert "28 tokens in, 12 out; cost of the judge not known: no prices." in ended.out
    assert "84 tokens in, 36 out; cost not known, since that of the judge is not." in ended.out
    found = usage(priced.prt("report", "latest", "--json"))
    assert (found["judge"]["cost"], found["together"]["cost"]) == (None, None)
    assert found["judge"]["no_cost"] == "no prices"


def test_a_judge_that_is_the_model_under_test_has_its_prices(priced: Priced) -> None:
    same: dict[str, Json] = {"name": "asked-1", "base_url": priced.model.base_url}
    config = priced.config(prices=PRICES, judge=same, grade={"same_model": True}, model=None)
    # The same endpoint answers and judges; what it says of an answer is no verdict, and its tokens count all the same.
    text = Path(config).read_text(encoding="utf-8").replace("model: null\n", "", 1)
    block = f"model: {json.dumps({**same, 'api_key_env': None, 'params': {'temperature': 0, 'max_tokens': 3}})}\n"
    Path(config).write_text(block + text, encoding="utf-8")
    found = usage(priced.prt("run", config, "--json"))
    assert found["judge"]["cost"] == pytest.approx(JUDGE_COST / 100)
    assert found["judge"]["no_cost"] == ""


def test_without_any_prices_nothing_is_said_of_cost(priced: Priced) -> None:
    ended = priced.prt("run", priced.config())
    assert "judge, judge-1: 4 calls" in ended.err
    assert "cost" not in ended.err
    assert "together: 12 calls, 84 tokens in, 36 out" in ended.err.splitlines()


def test_a_judge_with_prices_beside_a_model_without_has_a_cost_of_its_own(priced: Priced) -> None:
    ended = priced.prt("run", priced.config(judge={"prices": DEAR}))
    assert "cost of the model under test not known: no prices" in " ".join(ended.out.split())
    assert f"{JUDGE_COST:.4g} USD without model under test, asked-1" in ended.err


def test_verdicts_that_were_there_cost_nothing_this_time(priced: Priced) -> None:
    priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}))
    again = priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}))
    assert "calls in" not in again.err
    assert f"Judge, judge-1: 4 calls for 4 replies; 28 tokens in, 12 out; {JUDGE_COST:.4g} USD." in again.out
    other = priced.prt("run", priced.config(name="other", prices=PRICES, judge={"prices": DEAR}), "--json")
    assert usage(other)["judge"] | {"latency": None} == usage(priced.prt("report", "court", "--json"))["judge"] | {
        "latency": None,
        "reused": 4,
    }
    assert priced.court.judged == JUDGED


def test_calls_of_a_judge_that_failed_and_were_made_again_count_once(priced: Priced) -> None:
    config = priced.config(prices=PRICES, judge={"prices": DEAR}, limits={"max_calls": ASKED + 1})
    first = priced.prt("run", config)
    assert first.code == 3
    assert "the judge: limits.max_calls allows 9 calls" in first.err
    second = priced.prt("run", config, "--json")
    assert (second.code, priced.court.judged) == (0, JUDGED)
    assert (usage(second)["judge"]["calls"], usage(second)["judge"]["replies"]) == (JUDGED, JUDGED)


def test_what_the_judge_took_by_another_rubric_is_not_taken_for_that_by_this_one(priced: Priced) -> None:
    config = priced.config(prices=PRICES, judge={"prices": DEAR})
    before = usage(priced.prt("run", config, "--json"))["judge"]
    priced.failing.add("Beta")
    other = priced.config(prices=PRICES, judge={"prices": DEAR}, grade={"rubric": "It is short."})
    failed = priced.prt("run", other, "--json")
    assert (failed.code, usage(failed)["judge"]["failed"], usage(failed)["judge"]["with_tokens"]) == (3, 1, 3)
    again = priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}), "--json")
    assert (again.code, usage(again)["judge"]) == (0, before)
    assert priced.court.judged == 2 * JUDGED


def test_what_the_judge_took_stays_known_when_the_texts_of_replies_are_removed(priced: Priced) -> None:
    config = priced.config(prices=PRICES, judge={"prices": DEAR})
    before = usage(priced.prt("run", config, "--json"))
    with open_store("prt.db") as store:
        pruned = prune(store, Pruning(before=utc_now() + timedelta(days=1), all_runs=True, texts_only=True))
    assert pruned.replies == ASKED + JUDGED
    assert usage(priced.prt("report", "latest", "--json")) == before


def test_what_the_judge_said_is_pruned_with_the_run_and_named_beside_it(priced: Priced) -> None:
    priced.prt("run", priced.config())
    prune_all = "store", "prune", "--older-than", "0h", "--all-runs"
    said = priced.prt(*prune_all, "--dry-run").out
    # Three for each answer: that it is one, the judge's, and what was read in the judge's reply.
    assert f"1 run and what judges said of it with {ASKED + JUDGED} replies and {ASKED * 3} grades would be" in said
    assert "nothing is removed" not in said
    pruned = priced.prt(*prune_all, "--json").json
    assert (len(pruned["runs"]), len(pruned["judging"]), pruned["replies"]) == (1, 1, ASKED + JUDGED)
    assert "there is nothing to remove" in priced.prt(*prune_all).out


def test_the_bound_on_the_cost_covers_the_judge(priced: Priced) -> None:
    bound = COST + 1.5 * JUDGE_COST / JUDGED
    # A prompt is reckoned as a token a byte beforehand, so the room for a call is far more than what it uses.
    ended = priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}, limits={"max_cost": bound}))
    assert ended.code == 3
    assert "the judge: limits.max_cost allows" in ended.err
    assert priced.court.judged < JUDGED
    assert len(priced.model.calls) == ASKED


@pytest.mark.parametrize(
    ("prices", "judge", "told"),
    [
        (PRICES, {}, "`limits.max_cost` can't cover the judge, whose prices are not known; add what its tokens cost"),
        (None, {"prices": DEAR}, "`limits.max_cost` can't cover the model under test, whose prices are not known"),
        (PRICES, {"prices": {**DEAR, "currency": "EUR"}}, "prices are in USD and in EUR"),
        (PRICES, {"prices": {**DEAR, "batch": PRICES}}, "leave `batch` out of its prices"),
    ],
)
def test_a_bound_that_could_not_be_kept_is_refused_before_any_call(
    priced: Priced, prices: Json, judge: dict[str, Json], told: str
) -> None:
    rest: dict[str, Any] = {} if prices is None else {"prices": prices}
    ended = priced.prt("run", priced.config(judge=judge, limits={"max_cost": 1.0}, **rest))
    assert (ended.code, priced.model.calls, priced.court.judged) == (2, [], 0)
    assert told in ended.err


def test_a_gate_on_the_cost_of_a_run_counts_the_judge(priced: Priced) -> None:
    gates: Json = [
        {"figure": "cost", "fail_if_above": (COST + JUDGE_COST) / 2},
        {"figure": "calls", "fail_if_above": 11},
    ]
    ended = priced.prt("run", priced.config(prices=PRICES, judge={"prices": DEAR}, gates=gates), "--json")
    assert ended.code == 1
    assert [each["verdict"] for each in ended.json["gates"]] == ["failed", "failed"]
    assert ended.json["gates"][0]["estimate"] == pytest.approx(COST + JUDGE_COST)
    unpriced = priced.prt("run", priced.config(prices=PRICES, gates=gates))
    assert unpriced.code == 2
    assert "`cost` needs `prices`: what a million tokens cost, of the model and of its judge" in unpriced.err


def test_a_plan_reckons_the_judge_apart_and_both_together(priced: Priced) -> None:
    plan = priced.prt("plan", priced.config(prices=PRICES, judge={"prices": DEAR}), "--json").json
    judging = plan["judging"]
    assert (judging["calls_at_most"], judging["answer_tokens"], judging["completion_tokens"]) == (8, 24, 24)
    assert judging["prompt_tokens"] > plan["expense"]["prompt_tokens"]
    assert judging["cost"] == pytest.approx(((judging["prompt_tokens"] + 24) * 100 + 24 * 200) / 1e6)
    assert plan["cost"] == pytest.approx(plan["expense"]["cost"] + judging["cost"])
    said = priced.prt("plan", "prt.yaml").out
    assert "for the model under test, " in said
    assert "for the judge" in said
    assert "cost of the judge not known: no prices" in priced.prt("plan", priced.config(prices=PRICES)).out
    assert (priced.model.calls, priced.court.judged) == ([], 0)


@pytest.mark.parametrize("where", ["beside the model", "in its block"])
def test_a_judge_that_is_the_model_of_a_stored_run_has_its_prices_there_too(
    priced: Priced, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENDPOINT", priced.model.base_url)
    model: dict[str, Json] = {"name": "asked-1", "base_url": "${ENDPOINT}", "api_key_env": None}
    block: dict[str, Json] = {
        **model,
        "params": {"max_tokens": 3},
        **({"prices": PRICES} if where == "in its block" else {}),
    }
    beside = {"prices": PRICES} if where == "beside the model" else {}
    config = priced.court.config(model=block, grade="exact", limits={"max_cost": 1.0}, **beside)
    assert priced.prt("run", config).code == 0
    grader = {**priced.court.grade(same_model=True), "model": {**model, "params": {"max_tokens": 3}}}
    graded = priced.prt("grade", "latest", "--grader", json.dumps(grader))
    assert f"28 tokens in, 12 out, {JUDGE_COST / 100:.4g} USD" in graded.err
    other = priced.prt("grade", "latest", "--grader", json.dumps(priced.court.grade()))
    assert (other.code, priced.court.judged) == (2, 0)
    assert "`limits.max_cost` can't cover the judge, whose prices are not known" in other.err
    # What reads answers by itself needs nothing of the model, nor what its block takes from the environment.
    monkeypatch.delenv("ENDPOINT")
    assert priced.prt("grade", "latest", "--grader", "contains").code == 0


def test_the_judge_of_a_stored_run_is_told_with_its_cost(priced: Priced) -> None:
    priced.prt("run", priced.config(prices=PRICES, grade={"rubric": "Another one."}, judge={"prices": DEAR}))
    grader = priced.court.grade()
    assert isinstance(grader["model"], dict)
    grader["model"] |= {"prices": DEAR, "params": {"max_tokens": 3}}
    graded = priced.prt("grade", "latest", "--grader", json.dumps(grader), "--use")
    assert (graded.code, priced.court.judged) == (0, 2 * JUDGED)
    assert "judge, judge-1: 4 calls" in graded.err
    assert f"28 tokens in, 12 out, {JUDGE_COST:.4g} USD" in graded.err
    found = usage(priced.prt("report", "latest", "--json"))
    assert (found["judge"]["calls"], found["judge"]["cost"]) == (JUDGED, pytest.approx(JUDGE_COST))


def test_a_calibration_says_what_its_judge_took(priced: Priced) -> None:
    config = priced.config(prices=PRICES, judge={"prices": DEAR})
    rows = [f"{word},What?,{word}-City,{reply},pass\n" for word, reply in REPLIES.items()]
    priced.prt.write("labels.csv", "item,question,reference,reply,label\n" + "".join(rows))
    ended = priced.prt("judge", "calibrate", "labels.csv", "--config", config)
    assert ended.code == 0, ended.err
    assert f"28 tokens in, 12 out, {JUDGE_COST:.4g} USD" in ended.err
    again = priced.prt("judge", "calibrate", "labels.csv", "--config", config)
    assert "USD" not in again.err


def duel(priced: Priced, **rest: Json) -> str:
    block: dict[str, Json] = {"api_key_env": None, "params": {"temperature": 0, "max_tokens": 3}}
    config: dict[str, Json] = {
        "model": {"name": "asked-1", "base_url": priced.model.base_url, **block},
        "judge": {"name": "judge-1", "base_url": priced.court.server.base_url, "prices": DEAR, **block},
        "dataset": "items.jsonl",
        "prompts": {"baseline": {"system": "Answer."}, "candidate": {"system": "Answer briefly."}},
        "dimensions": [{"id": "right", "description": "It is right.", "grader": "judge", "reference": True}],
        "prices": PRICES,
        **rest,
    }
    return priced.prt.write("duel.yaml", json.dumps(config))


def test_a_duel_says_what_each_side_and_the_judge_took(priced: Priced) -> None:
    ended = priced.prt("duel", duel(priced))
    lines = ended.err.splitlines()
    for side in ("baseline", "candidate"):
        assert any(
            line.startswith(f"{side}, asked-1: 4 calls") and line.endswith(f"{COST / 2:.4g} USD") for line in lines
        )
    judge = next(line for line in lines if line.startswith("judge, judge-1: "))
    assert judge.endswith(f"28 tokens in, 12 out, {JUDGE_COST:.4g} USD")
    assert lines[lines.index(judge) + 1] == f"together: 12 calls, 84 tokens in, 36 out, {COST + JUDGE_COST:.4g} USD"
    refused = priced.prt("duel", duel(priced, limits={"max_cost": 1.0}, judge={"name": "other", "api_key_env": None}))
    assert "`limits.max_cost` can't cover the judge, whose prices are not known" in refused.err


def test_a_score_says_what_each_of_its_models_took(priced: Priced) -> None:
    block: dict[str, Json] = {"api_key_env": None, "params": {"max_tokens": 3}}
    row = {"input_id": "a", "prompt": "What is Alpha, please?", "reference_answer": "A"}
    priced.prt.write("rows.jsonl", json.dumps(row) + "\n")
    with FaultServer(by=lambda _: answers('{"reason": "so", "score": 1}')) as judge:
        config: dict[str, Json] = {
            "sut": {"name": "asked-1", "base_url": priced.model.base_url, **block},
            "judge": {"name": "judge-1", "base_url": judge.base_url, **block},
            "perturbations": ["typo"],
            "num_pairs": 1,
            "prices": PRICES,
        }
        name = priced.prt.write("score.yaml", json.dumps(config))
        took = priced.prt("score", "rows.jsonl", "--config", name, "--json").json["facts"]["took, this time"]
        again = priced.prt("score", "rows.jsonl", "--config", name, "--json").json["facts"]
    assert "sut asked-1: 2 calls, 14 tokens in, 6 out, 2.6e-05 USD" in took
    assert "judge judge-1: 1 call, 7 tokens in, 3 out, cost not known: no prices" in took
    assert took.endswith("together: 3 calls, 21 tokens in, 9 out, 2.6e-05 USD without judge judge-1")
    assert "took, this time" not in again


def test_the_digest_of_a_night_has_the_judge_beside_the_model(priced: Priced) -> None:
    ended = priced.prt("night", priced.config(prices=PRICES, judge={"prices": DEAR}))
    assert ended.code == 0, ended.err
    assert f"8 calls, 56 tokens in, 24 out, {COST:.4g} USD; judge: 4 calls, 28 tokens in, 12 out" in ended.out
    assert f"together {COST + JUDGE_COST:.4g} USD" in ended.out
    unpriced = priced.prt("night", priced.config(name="other", prices=PRICES))
    assert "28 tokens in, 12 out, cost of the judge not known: no prices" in unpriced.out
    assert "together" not in unpriced.out
