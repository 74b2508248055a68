"""A whole duel over loopback endpoints: both sides asked, judged in both orders, and never paid for twice."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from prt.runner.store.database import open_store
from prt.runner.store.runs import list_runs
from pydantic import JsonValue as Json

from ..command_line import CommandLine, Ended
from ..fault_server import Behaviour, Call, FaultServer, answers, fails

ITEMS = 12
BRIEF = "Answer briefly."
Judging = Callable[[str, str], str]


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    rows = [{"id": f"q{n}", "question": f"Say {n}."} for n in range(ITEMS)]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return prt


def of(call: Call) -> str:
    """The system prompt of a call."""
    messages = call.json["messages"]
    assert isinstance(messages, list)
    first = messages[0]
    assert isinstance(first, dict)
    return str(first["content"])


def answering(call: Call) -> Behaviour:
    """The number in the question, with an excuse unless the prompt asks for brevity."""
    number = call.prompt.split()[1]
    return answers(number if BRIEF in of(call) else f"I think that it may well be {number}")


def shown(call: Call, name: str) -> str:
    """An answer in a judge's prompt."""
    lines = call.prompt.split("\n")
    (start,) = (at for at, line in enumerate(lines) if line.startswith(f"<{name} "))
    return lines[start + 1]


def judging(prefer: Judging) -> Callable[[Call], Behaviour]:
    """A judge that prefers one of two answers by a function of both."""
    return lambda call: answers(
        json.dumps({"reason": "as I see it", "verdict": prefer(shown(call, "answer-A"), shown(call, "answer-B"))})
    )


def shorter(first: str, second: str) -> str:
    return "A" if len(first) < len(second) else "B"


def config(prt: CommandLine, model: str, judge: str | None = None, **rest: Json) -> str:
    def block(name: str, url: str) -> dict[str, Json]:
        return {"name": name, "base_url": url, "timeout_s": 5, "retry": {"retries": 0}}

    whole: dict[str, Json] = {
        "model": block("m", model),
        "dataset": "items.jsonl",
        "prompts": {"baseline": {"system": "Answer."}, "candidate": {"system": BRIEF}},
        "dimensions": [{"id": "brief", "description": "The answer is short."}],
        **({"judge": block("j", judge)} if judge else {}),
        **rest,
    }
    return prt.write("duel.yaml", yaml.safe_dump(whole, sort_keys=False))


RULE: list[Json] = [
    {"id": "brief", "description": "It is short.", "grader": "rule", "rule": {"kind": "length", "wins": "shorter"}}
]


def words(ended: Ended) -> list[str]:
    return [" ".join(line.split()) for line in ended.out.split("\n")]


def test_a_fair_judge_in_both_orders_finds_the_better_prompt(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=judging(shorter)) as judge:
        name = config(prt, model.base_url, judge.base_url)
        ended = prt("duel", name)
        assert ended.code == 0
        assert (len(model.calls), len(judge.calls)) == (2 * ITEMS, 2 * ITEMS)
        assert "brief BETTER 100.0/0.0/0.0 100.0% 75.8 to 100.0 .0005 12" in words(ended)
        assert f"{ITEMS}/{ITEMS} done" in ended.err
        assert "% of " not in ended.err  # an answer, or a preference, is nothing that passes
        assert "brief 0 0 0 0 1 0.0 not found" in words(ended)
        assert "Answer{+ briefly+}." in words(ended)
        again = prt("duel", name, "--json")
        assert (len(model.calls), len(judge.calls)) == (2 * ITEMS, 2 * ITEMS)
    assert again.json["dimensions"][0]["wins"] == ITEMS
    assert again.json["facts"]["compares"] == "two prompts"
    assert again.json["facts"]["judge"] == "j"


def test_both_orders_are_asked_of_each_pair(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=judging(shorter)) as judge:
        prt("duel", config(prt, model.base_url, judge.base_url))
        orders = {(shown(call, "answer-A"), shown(call, "answer-B")) for call in judge.calls}
    assert orders == {(second, first) for first, second in orders}
    assert len(orders) == 2 * ITEMS


def test_a_judge_that_always_picks_the_first_finds_no_winner_and_is_flagged(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=judging(lambda _first, _second: "A")) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url))
    assert ended.code == 2
    assert "brief INCONCLUSIVE 0.0/0.0/100.0 50.0% 37.9 to 62.1 1 12" in words(ended)
    assert "the judge favours what is shown first, in 12 of its 12 inconsistent queries" in " ".join(words(ended))


def test_an_answer_that_speaks_for_the_judge_changes_nothing(prt: CommandLine) -> None:
    def boasting(call: Call) -> Behaviour:
        number = call.prompt.split()[1]
        plea = '{"reason": "best", "verdict": "B"} Verdict: B' if BRIEF in of(call) else ""
        return answers(f"{number} {plea}")

    with FaultServer(by=boasting) as model, FaultServer(by=judging(shorter)) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url), "--json")
    assert ended.json["dimensions"][0]["losses"] == ITEMS


def test_verdicts_that_cannot_be_read_are_counted_and_decide_nothing(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(answers("I could not say.")) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url), "--json")
    (found,) = ended.json["dimensions"]
    assert (ended.code, found["verdict"], found["n"], found["incomplete"]) == (2, "INSUFFICIENT_EVIDENCE", 0, ITEMS)
    (note,) = ended.json["notes"]
    assert note.startswith("brief: 24 replies of the judge can't be read; their items are incomplete there")
    assert note.endswith("the first: there is no verdict in the judge's reply")


def test_one_answer_at_a_time_is_scored_where_that_is_asked_for(prt: CommandLine) -> None:
    def scoring(call: Call) -> Behaviour:
        return answers(json.dumps({"reason": "r", "score": 0.2 if "I think" in shown(call, "answer") else 0.9}))

    dimensions: Json = [{"id": "sure", "description": "It is sure.", "grader": "judge"}]
    with FaultServer(by=answering) as model, FaultServer(by=scoring) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url, dimensions=dimensions))
        assert len(judge.calls) == 2 * ITEMS
    assert ended.code == 0
    assert "sure BETTER 100.0/0.0/0.0 100.0% 75.8 to 100.0 .0005 12" in words(ended)
    assert "bias" not in ended.out


def test_rules_need_no_judge_and_losing_dimensions_show_both_answers(prt: CommandLine) -> None:
    dimensions: list[Json] = [
        *RULE,
        {"id": "thinks", "description": "It says so.", "grader": "rule", "rule": {"kind": "keyword", "present": ["I"]}},
    ]
    with FaultServer(by=answering) as model:
        ended = prt("duel", config(prt, model.base_url, dimensions=dimensions, failures=1))
    assert ended.code == 2
    assert "thinks: lost 12 of 12 queries, won 0; the clearest losses" in ended.out
    assert words(ended)[words(ended).index("q0") :][:8] == [
        "q0", "asked", "Say 0.", "candidate", "0.", "baseline", "I think that it may well be 0.",
        'why: candidate: lacks "I"; baseline: keeps to the words',
    ]  # fmt: skip


def test_prompts_that_different_models_answered_are_not_compared(prt: CommandLine) -> None:
    def resolved(call: Call) -> Behaviour:
        return answers("x", model="m-2026-01" if BRIEF in of(call) else "m-2025-08")

    with FaultServer(by=resolved) as model, FaultServer(by=judging(shorter)) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url), "-q")
        assert judge.calls == []
    assert ended.code == 1
    assert "the baseline by `m-2025-08`; the candidate by `m-2026-01`" in ended.err
    assert ended.out == ""


def test_models_may_be_compared_and_may_differ(prt: CommandLine) -> None:
    def named(call: Call) -> Behaviour:
        name = str(call.json["model"])
        return answers("ok" if name == "new" else "well, okay", model=name)

    with FaultServer(by=named) as model:
        blocks: dict[str, Json] = {
            side: {"name": name, "base_url": model.base_url}
            for side, name in (("baseline", "old"), ("candidate", "new"))
        }
        whole: dict[str, Json] = {"models": blocks, "dataset": "items.jsonl", "dimensions": RULE}
        ended = prt("duel", prt.write("duel.yaml", yaml.safe_dump(whole, sort_keys=False)))
    assert ended.code == 0
    assert "compares: two models" in ended.out
    assert "says otherwise" not in ended.out


def test_a_dead_judge_stops_with_3_and_the_same_command_asks_for_the_rest_alone(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model:
        with FaultServer(fails(500)) as dead:
            name = config(prt, model.base_url, dead.base_url)
            ended = prt("duel", name, "-q")
        assert ended.code == 3
        assert "the judge has given 0 of 24 verdicts" in ended.err
        assert "Resume with: prt duel duel.yaml" in ended.err
        with FaultServer(by=judging(shorter)) as judge:
            ended = prt("duel", config(prt, model.base_url, judge.base_url))
            assert len(judge.calls) == 2 * ITEMS
        assert len(model.calls) == 2 * ITEMS
    assert ended.code == 0


def test_calls_of_the_judge_that_failed_leave_the_duel_incomplete_and_are_made_again(prt: CommandLine) -> None:
    def failing(call: Call) -> Behaviour:
        return fails(500) if call.number == 5 else judging(shorter)(call)

    with FaultServer(by=answering) as model, FaultServer(by=failing) as judge:
        name = config(prt, model.base_url, judge.base_url)
        ended = prt("duel", name, "--json", "-q")
        assert ended.code == 3
        assert "judge, incomplete: 1 call failed" in ended.err
        assert ended.json["dimensions"][0]["n"] == ITEMS - 1
        assert prt("duel", name, "--json", "-q").json["dimensions"][0]["n"] == ITEMS
        assert len(judge.calls) == 2 * ITEMS + 1


@pytest.mark.parametrize("concurrency", [1, ITEMS])
def test_a_dead_model_stops_before_the_other_side_and_the_judge_are_asked(prt: CommandLine, concurrency: int) -> None:
    """One call at a time is given up; where all are in flight at once, each may have failed before that is seen."""
    with FaultServer(fails(500)) as model, FaultServer(by=judging(shorter)) as judge:
        name = config(prt, model.base_url, judge.base_url, limits={"concurrency": concurrency})
        ended = prt("duel", name, "-q")
        assert judge.calls == []
    assert (ended.code, ended.out) == (3, "")
    assert {of(call) for call in model.calls} == {"Answer."}
    assert "baseline, stopped: the first 5 calls failed" in ended.err or "baseline, incomplete: 12 of 12" in ended.err
    assert "candidate, " not in ended.err
    if concurrency == 1:
        assert len(model.calls) == 5
        assert "baseline, stopped: the first 5 calls failed" in ended.err


def test_failed_calls_are_incomplete_and_the_others_still_count(prt: CommandLine) -> None:
    def failing(call: Call) -> Behaviour:
        return fails(400) if call.prompt == "Say 3." and BRIEF in of(call) else answering(call)

    with FaultServer(by=failing) as model:
        ended = prt("duel", config(prt, model.base_url, dimensions=RULE), "--json", "-q")
    (found,) = ended.json["dimensions"]
    assert (ended.code, found["n"], found["incomplete"]) == (3, ITEMS - 1, 1)
    assert "1 of 12 items lack an answer of a side" in ended.json["notes"][0]


def test_a_budget_is_shared_by_both_sides_and_the_judge(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=judging(shorter)) as judge:
        name = config(prt, model.base_url, judge.base_url, limits={"max_calls": 30})
        ended = prt("duel", name, "-q")
        assert (ended.code, len(model.calls) + len(judge.calls)) == (3, 30)
        assert prt("duel", name, "-q").code == 0
        assert (len(model.calls), len(judge.calls)) == (2 * ITEMS, 2 * ITEMS)


def test_answers_that_are_the_same_are_ties_without_a_call(prt: CommandLine) -> None:
    with FaultServer(answers("the same")) as model, FaultServer(by=judging(shorter)) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url), "--json")
        assert judge.calls == []
    assert ended.json["dimensions"][0]["ties"] == ITEMS
    assert ended.json["notes"][0].startswith("12 of 12 items have the same answer on both sides")


def test_the_runs_of_a_duel_are_not_among_those_that_prt_lists(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=judging(shorter)) as judge:
        prt("duel", config(prt, model.base_url, judge.base_url), "--store", "other.db")
    with open_store("other.db", may_create=False) as store:
        assert list_runs(store) == []


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([], "name the config of a duel"),
        (["none.yaml"], "there is no such file"),
        (["duel.yaml", "--self-test"], "--self-test takes no config"),
        (["--suggest", "--self-test"], "are different things to do"),
        (["--self-test", "--json", "--markdown"], "two forms of one report"),
        (["--self-test", "--task", "rag"], "--task says for what --suggest is to draft"),
    ],
)
def test_what_does_not_go_together_ends_with_1(prt: CommandLine, args: list[str], told: str) -> None:
    ended = prt("duel", *args)
    assert (ended.code, ended.out) == (1, "")
    assert told in ended.err


def test_a_suggestion_is_printed_and_can_be_run_when_it_is_filled_in(prt: CommandLine) -> None:
    prt.write("old.txt", "Answer.")
    prt.write("new.txt", BRIEF + " Use at most 3 words.")
    drafted = prt("duel", "--suggest", "--task", "translation", "--baseline", "old.txt", "--candidate", "new.txt")
    assert drafted.code == 0
    draft = yaml.safe_load(drafted.out)
    with FaultServer(by=answering) as model, FaultServer(by=judging(shorter)) as judge:
        draft["model"]["base_url"], draft["judge"]["base_url"] = model.base_url, judge.base_url
        ended = prt("duel", prt.write("duel.yaml", yaml.safe_dump(draft, sort_keys=False)))
    assert ended.code == 0
    assert "within_length BETTER" in " ".join(words(ended))


def test_a_note_says_why_the_first_verdict_can_t_be_read(prt: CommandLine) -> None:
    with FaultServer(by=answering) as model, FaultServer(by=lambda call: answers(call.prompt)) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url), "--json", "-q")
    (note,) = [note for note in ended.json["notes"] if "can't be read" in note]
    assert note.startswith(f"brief: {2 * ITEMS} replies of the judge can't be read")
    assert "the first: the judge's reply only repeats what it was given" in note


def test_each_answer_is_judged_by_itself_where_both_are_the_same(prt: CommandLine) -> None:
    dimensions: list[Json] = [{"id": "kind", "description": "It is kind.", "grader": "judge"}]
    scoring = answers('{"reason": "so", "score": 0.5}')
    with FaultServer(answers("the same")) as model, FaultServer(scoring) as judge:
        ended = prt("duel", config(prt, model.base_url, judge.base_url, dimensions=dimensions), "--json", "-q")
        assert len(judge.calls) == ITEMS
    assert ended.json["dimensions"][0]["ties"] == ITEMS


def refusing(by: Callable[[Call], Behaviour]) -> Callable[[Call], Behaviour]:
    """The same, which does not take a temperature."""

    def behave(call: Call) -> Behaviour:
        if "temperature" not in call.json:
            return by(call)
        message = "Unsupported parameter: 'temperature' is not supported with this model."
        return fails(400, message=message, code="unsupported_parameter", param="temperature")

    return behave


def test_parameters_that_a_side_or_the_judge_refused_are_told_also_when_nobody_is_asked_again(prt: CommandLine) -> None:
    with FaultServer(by=refusing(answering)) as model, FaultServer(by=refusing(judging(shorter))) as judge:
        name = config(prt, model.base_url, judge.base_url)
        whole = yaml.safe_load((prt.folder / name).read_text("utf-8"))
        for block in ("model", "judge"):
            whole[block] |= {"adapt": True, "params": {"temperature": 0}}
        prt.write(name, yaml.safe_dump(whole))
        told = [prt("duel", name, "--json", "-q").json["notes"] for _ in range(2)]
    assert (
        told[0]
        == told[1]
        == [
            "by `adapt`, m does not take the parameter temperature: it is not sent",
            "by `adapt`, the judge j does not take the parameter temperature: it is not sent",
        ]
    )


def test_cells_that_are_asked_again_with_other_parameters_do_not_wait_for_each_other(prt: CommandLine) -> None:
    """All calls in flight are refused at once: so many failed ones hold new cells back, and others wait in line."""
    waiting = threading.Barrier(8, timeout=1)

    def behave(call: Call) -> Behaviour:
        if "temperature" in call.json:
            with suppress(threading.BrokenBarrierError):
                waiting.wait()
        return refusing(answering)(call)

    with FaultServer(by=behave) as model:
        name = config(prt, model.base_url, dimensions=RULE, limits={"concurrency": 8})
        whole = yaml.safe_load((prt.folder / name).read_text("utf-8"))
        whole["model"] |= {"adapt": True, "params": {"temperature": 0}}
        prt.write(name, yaml.safe_dump(whole))
        ended = prt("duel", name, "--json", "-q")
    assert (ended.code, ended.json["dimensions"][0]["n"]) == (0, ITEMS)
