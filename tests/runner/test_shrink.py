"""`prt shrink`: the fewest changes that flip an item, found by asking a real endpoint again."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
import yaml
from prt.perturbations.changes import in_words
from prt.perturbations.delta_debugging import Search
from prt.perturbations.variant import Edit
from prt.runner.commands.interrupting import TOGETHER_S
from prt.runner.commands.shrink import Narrowing
from prt.runner.prepare import prepare
from prt.runner.shrinking.asking import Asking
from pydantic import JsonValue as Json
from rich.console import Console

from .command_line import KEY, CommandLine, Ended
from .fault_server import Behaviour, Call, FaultServer, answers, fails, stalls

QUESTION = (
    "Several travellers crossed the northern mountains during winter, because their leader wanted to reach the harbour "
    "before the merchant ships sailed; which animal carried their heavy luggage across the frozen passes?"
)
TYPOS: Json = [{"typo": {"rate": 0.5}}]
SHRINK = ("shrink", "latest", "q 1", "typo.1")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return CommandLine(tmp_path, capsys, monkeypatch)


def animals(prt: CommandLine) -> str:
    """A dataset of one item."""
    row = {"id": "q 1", "question": QUESTION, "options": ["camel", "mule", "llama", "horse"], "answer": "mule"}
    return prt.write("animals.jsonl", json.dumps(row) + "\n")


def one_item(
    prt: CommandLine, base_url: str, *, temperature: float = 0, perturbations: Json = TYPOS, **rest: Json
) -> str:
    """A config of that item, whose variant has several typos."""
    config = prt.config(base_url, model={"params": {"temperature": temperature}}, perturbations=perturbations)
    settings = yaml.safe_load((prt.folder / config).read_text(encoding="utf-8"))
    return prt.write(config, yaml.safe_dump({**settings, "dataset": animals(prt), **rest}, sort_keys=False))


def typos(prt: CommandLine) -> list[Edit]:
    """The typos of the variant, each as a whole word, in the order of the text."""
    config = prt.folder / one_item(prt, "http://127.0.0.1:1/v1")
    variant = prepare(config, env={"OPENAI_API_KEY": KEY}).variants["q 1"][1]
    return sorted((in_words(edit, QUESTION) for edit in variant.edits), key=lambda edit: edit.start)


def fails_on(*words: str) -> Callable[[Call], Behaviour]:
    """Answers right, unless the prompt holds all of these words."""
    return lambda call: answers("A" if all(word in call.prompt for word in words) else "B")


def kept(ended: Ended) -> list[str]:
    """The words that the changes put in, of the JSON that was printed."""
    return [edit["after"] for edits in ended.json["changes"] for edit in edits]


def test_the_two_typos_of_many_that_flip_an_item_are_found_and_no_other_is_blamed(prt: CommandLine) -> None:
    edits = typos(prt)
    first, last = edits[1], edits[-2]
    with FaultServer(by=fails_on(first.after, last.after)) as server:
        assert prt("run", one_item(prt, server.base_url)).code == 0
        ended = prt(*SHRINK)
    assert ended.code == 0
    assert f"2 of {len(edits)} changes make it fail: no smaller number of them does." in ended.out
    assert f"  text: [-{first.before}-]{{+{first.after}+}}\n" in ended.out
    assert f"  text: [-{last.before}-]{{+{last.after}+}}\n" in ended.out
    marked = ended.out.partition("\nprompt;")[2].partition("\nbaseline")[0]
    assert (marked.count("[-"), marked.count("{+")) == (3, 3), "the two words, and the legend"
    assert "baseline · passes in 1 of 1\n    → pass (read 'B')" in ended.out
    assert "with 2 changes of typo.1 · passes in 0 of 1\n    → fail (read 'A')" in ended.out
    assert f"{len(server.calls) - 2} calls; 0 from the store" in ended.out
    assert f"2 of {len(edits)} changes are enough" in ended.err


def test_a_search_is_logged_with_what_it_came_to(prt: CommandLine) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[1].after)) as server:
        prt("run", one_item(prt, server.base_url))
        ended = prt(*SHRINK, "--json", "-v", "--log-file", "log.jsonl")
    begun, end = (json.loads(line) for line in (prt.folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
    assert (begun["event"], begun["fields"]["item"], begun["fields"]["condition"]) == ("search begins", "q 1", "typo.1")
    assert end["event"] == "search ended"
    assert end["fields"] == {
        "state": "found",
        "reason": "",
        "calls": ended.json["calls"],
        "reused": ended.json["reused"],
    }
    assert "prt: search ended, state found, calls " in ended.err


def test_the_run_stays_as_it_was_and_what_was_asked_is_not_asked_again(prt: CommandLine) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[0].after, edits[4].after)) as server:
        prt("run", one_item(prt, server.base_url))
        reports = prt("report", "--json").out, prt("runs").out, prt("show", "latest", "q 1").out
        first = prt(*SHRINK, "--json")
        spent = len(server.calls)
        second = prt(*SHRINK, "--json")
        assert len(server.calls) == spent + 2, "both ends are asked anew"
        assert (prt("report", "--json").out, prt("runs").out, prt("show", "latest", "q 1").out) == reports
    assert kept(first) == kept(second) == [edits[0].after, edits[4].after]
    assert (second.json["calls"], second.json["reused"]) == (2, first.json["calls"] - 2)


@pytest.mark.sqlite
def test_the_report_of_the_run_gives_the_command_which_works_as_it_stands(prt: CommandLine) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[2].after)) as server:
        ran = prt("run", one_item(prt, server.base_url, store="other place.db"))
        (hint,) = [line for line in ran.out.split("\n") if "The fewest changes that flip it" in line]
        command = shlex.split(hint.partition(": ")[2])
        assert command[-4:] == ["q 1", "typo.1", "--store", "other place.db"]
        ended = prt(*command[1:])
    assert ended.code == 0
    assert f"1 of {len(edits)} changes makes it fail." in ended.out


def test_a_flip_that_comes_by_chance_is_found_by_most_of_several_replies(prt: CommandLine) -> None:
    """The one typo makes three of four replies fail; without it one of ten does."""
    edits = typos(prt)
    chance = Random(20)  # noqa: S311 - no secret is drawn

    def noisy(call: Call) -> Behaviour:
        share = 0.75 if edits[3].after in call.prompt else 0.1
        return answers("A" if chance.random() < share else "B")

    with FaultServer(by=fails_on(edits[3].after)) as server:
        prt("run", one_item(prt, server.base_url, temperature=1, name="noisy"))
        server._by = noisy
        ended = prt(*SHRINK, "--json", "--repeats", "11", "--max-calls", "2000")
        shown = prt(*SHRINK, "--repeats", "11", "--max-calls", "2000")
    found = ended.json
    assert (ended.code, kept(ended), found["repeats"]) == (0, [edits[3].after], 11)
    assert found["baseline"]["n"] == found["whole"]["n"] == found["again"]["n"] == 11
    assert found["again_flips"]["count"] == found["again"]["n"] - found["again"]["passed"] >= 6
    assert found["again_flips"]["low"] < found["again_flips"]["estimate"] < found["again_flips"]["high"]
    asked = Counter(call.body for call in server.calls)
    assert max(asked.values()) <= 2 + 4 * 11
    assert "Asked once more, for replies that had no part in the search, they flip it in" in shown.out
    assert "each prompt up to 11 times" in shown.out


def test_what_was_found_by_chance_alone_is_not_confirmed(prt: CommandLine) -> None:
    """An endpoint whose first three replies to each new prompt fail: whatever is tried first seems to flip."""
    seen: Counter[bytes] = Counter()
    whole = [edit.after for edit in typos(prt)]

    def fading(call: Call) -> Behaviour:
        seen[call.body] += 1
        always = all(word in call.prompt for word in whole)
        original = not any(word in call.prompt for word in whole)
        return answers("A" if always or (not original and seen[call.body] <= 2) else "B")

    with FaultServer(by=fading) as server:
        prt("run", one_item(prt, server.base_url))
        ended = prt(*SHRINK, "--repeats", "3")
    assert ended.code == 1
    assert "Not confirmed: asked once more, most replies don't flip" in ended.out
    assert "they flip it in 0 of 3" in ended.out


def test_an_item_that_does_not_flip_any_more_is_said_plainly(prt: CommandLine) -> None:
    with FaultServer(by=fails_on(typos(prt)[0].after)) as server:
        prt("run", one_item(prt, server.base_url))
        server._by = lambda _: answers("B")
        ended = prt(*SHRINK)
        machine = prt(*SHRINK, "--json")
        assert len(server.calls) == 6
    assert (ended.code, machine.code) == (1, 1)
    assert "does not flip any more: asked anew, baseline passes in 1 of 1 and typo.1 passes in 1 of 1" in ended.out
    assert "changes make it" not in ended.out
    assert (machine.json["state"], machine.json["guarantee"], machine.json["shrunk"]) == ("gone", "none", None)


def test_it_stops_where_the_calls_are_used_up_and_the_same_command_goes_on(prt: CommandLine) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[0].after, edits[5].after)) as server:
        prt("run", one_item(prt, server.base_url))
        before, states = len(server.calls), []
        for _ in range(20):
            ended = prt(*SHRINK, "--json", "--max-calls", "8")
            assert len(server.calls) - before <= 8
            before = len(server.calls)
            states.append((ended.code, ended.json["state"], len(ended.json["changes"])))
            if ended.code == 0:
                break
        text = prt(*SHRINK, "--max-calls", "2")
    assert states[-1] == (0, "found", 2)
    assert set(states[:-1]) == {(3, "stopped", size) for _, _, size in states[:-1]}
    assert [size for *_, size in states] == sorted((size for *_, size in states), reverse=True)
    assert text.code == 0


def test_too_few_calls_for_any_search_are_refused_before_the_first(prt: CommandLine) -> None:
    with FaultServer(by=fails_on(typos(prt)[0].after)) as server:
        prt("run", one_item(prt, server.base_url))
        ended = prt(*SHRINK, "--max-calls", "8", "--repeats", "3")
        assert len(server.calls) == 2
    assert ended.code == 2
    assert "--max-calls is 8, and asking both ends 3 times and what is found once more takes 9" in ended.err


def test_an_endpoint_that_fails_ends_it_with_the_best_so_far(prt: CommandLine) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[0].after)) as server:
        prt("run", one_item(prt, server.base_url))
        right = fails_on(edits[0].after)
        server._by = lambda call: right(call) if call.number <= 6 else fails(503)
        ended = prt(*SHRINK)
        assert len(server.calls) == 7
        server._by = lambda _: fails(401)
        refused = prt(*SHRINK)
    assert ended.code == 3
    assert "Stopped: a call failed: " in ended.out
    assert "the search was not over, so fewer may." in ended.out
    assert "The same command goes on from here." in ended.out
    assert refused.code == 3
    assert KEY not in refused.out + refused.err


def test_a_prompt_that_an_endpoint_refuses_does_not_flip_and_does_not_end_it(prt: CommandLine) -> None:
    edits = typos(prt)
    whole = [edit.after for edit in edits]

    def filtering(call: Call) -> Behaviour:
        found = [word for word in whole if word in call.prompt]
        if 0 < len(found) < 3:
            return fails(400)
        return answers("A" if whole[0] in found else "B")

    with FaultServer(by=filtering) as server:
        prt("run", one_item(prt, server.base_url))
        ended = prt(*SHRINK, "--json")
    assert ended.code == 0
    assert whole[0] in kept(ended)
    assert len(kept(ended)) == 3


def test_an_interrupt_prints_the_best_so_far(prt: CommandLine) -> None:
    edits = typos(prt)
    right = fails_on(edits[0].after)
    with FaultServer(by=right) as server:
        prt("run", one_item(prt, server.base_url))
        server._by = lambda call: right(call) if call.number <= 6 else stalls()
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "prt.runner", *SHRINK],
            cwd=prt.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            while len(server.calls) < 7:
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.05)
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(5 * TOGETHER_S)
            process.send_signal(signal.SIGINT)  # the call in flight is never answered
            out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "Stopped: it was interrupted." in out
    assert "changes make it fail; the search was not over" in out
    assert "Stopping: waiting for 1 call in flight" in err


UNSHRINKABLE = (
    (("none", "q 1", "typo.1"), 'there is no run "none"; `prt runs` lists them all.'),
    (("latest", "q 2", "typo.1"), 'there is no item "q 2"; did you mean `q 1`?'),
    (("latest", "q 1", "tipo.1"), 'there is no condition "tipo.1"; did you mean `typo.1`?'),
    (("latest", "q 1", "baseline"), "the baseline is what the other conditions are compared with"),
    (("latest", "q 1", "rerun.1"), 'rerun.1 asks the original once more, so it has nothing to leave out; "q 1" flips'),
    (("latest", "q 1", "reorder.1"), "under reorder.1: baseline passes in 1 of 1 and reorder.1 passes in 1 of 1"),
    (("latest", "q 1", "paraphrase.2"), 'no paraphrase 2 for this item; the last is 1); "q 1" flips under `typo.1`.'),
    (("latest", "q 1", "typo.2"), '"q 1" has no result under typo.2 (server: '),
)


def test_what_can_not_be_shrunk_is_said_in_a_sentence_and_nothing_is_asked(prt: CommandLine) -> None:
    prt.write("none.jsonl", json.dumps({"id": "q 1", "text": "x"}) + "\n")
    several: Json = {"typo": {"rate": 0.5, "variants": 2}}
    perturbations: Json = [several, "reorder", "rerun", {"paraphrase": {"file": "none.jsonl", "variants": 2}}]
    config = one_item(prt, "http://127.0.0.1:1/v1", perturbations=perturbations)
    one, two = prepare(prt.folder / config, env={"OPENAI_API_KEY": KEY}).variants["q 1"][1:3]

    def by(call: Call) -> Behaviour:
        if two.question.text in call.prompt:
            return fails(500)
        right = [line[0] for line in call.prompt.split("\n") if line.endswith(". mule")]
        return answers("A" if one.question.text in call.prompt else right[0])

    with FaultServer(by=by) as server:
        prt("run", one_item(prt, server.base_url, perturbations=perturbations))
        before = len(server.calls)
        for command, said in UNSHRINKABLE:
            ended = prt("shrink", *command)
            assert ended.code == 2
            assert said in ended.err
            assert ended.err.startswith("prt: ")
            assert len(ended.err.strip().split("\n")) == 1
        assert len(server.calls) == before


def test_replies_from_a_file_can_not_be_asked_for_new_prompts(prt: CommandLine) -> None:
    rows = [
        {"item": "q 1", "condition": "baseline", "reply": "B"},
        {"item": "q 1", "condition": "typo.1", "reply": "A"},
    ]
    prt.write("replies.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    config = {
        "model": {"provider": "replay", "path": "replies.jsonl"},
        "dataset": animals(prt),
        "perturbations": TYPOS,
    }
    assert prt("run", prt.write("prt.yaml", yaml.safe_dump(config))).code == 0
    ended = prt(*SHRINK)
    assert ended.code == 2
    assert "took its replies from a file, which has none for new prompts" in ended.err
    reported = prt("report", "latest").out
    assert "Whole prompts and replies: prt show" in reported
    assert "prt shrink" not in reported


def test_the_model_of_the_run_is_made_of_its_config_and_the_environment(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits = typos(prt)
    with FaultServer(by=fails_on(edits[0].after)) as server:
        monkeypatch.setenv("WHERE", server.base_url)
        assert prt("run", one_item(prt, "${WHERE}")).code == 0
        monkeypatch.delenv("WHERE")
        unset = prt(*SHRINK)
        monkeypatch.setenv("WHERE", server.base_url)
        monkeypatch.delenv("OPENAI_API_KEY")
        keyless = prt(*SHRINK)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        (prt.folder / "animals.jsonl").unlink()
        ended = prt(*SHRINK)
    assert (unset.code, keyless.code, ended.code) == (2, 2, 0)
    for problem, name in (
        (unset, "`WHERE` is not set"),
        (keyless, "`OPENAI_API_KEY`, which holds the API key, is not set"),
    ):
        assert problem.err.startswith("the config of prt-") or problem.err.startswith("prt: the config of prt-")
        assert name in problem.err


def test_a_function_and_a_grader_of_the_users_own_are_found_from_any_folder(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = typos(prt)[3].after
    there = prt.folder / "there"
    there.mkdir()
    animals(prt)
    (there / "mine.py").write_text(
        f"def answer(messages):\n    return 'no' if {word!r} in messages[-1]['content'] else 'yes'\n\n"
        "def right(text, row):\n    print('graded')\n    return text == 'yes'\n",
        encoding="utf-8",
    )
    config = {
        "model": {"provider": "python", "callable": "mine.py:answer"},
        "dataset": "../animals.jsonl",
        "perturbations": TYPOS,
        "grade": {"grader": "python", "callable": "mine.py:right"},
    }
    (there / "prt.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    assert prt("run", "there/prt.yaml").code == 0
    here = prt.folder / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    ended = prt(*SHRINK, "--json", "--store", "../prt.db", "--repeats", "1")
    assert (ended.code, kept(ended)) == (0, [word])
    assert "note:" not in ended.err
    source = there / "mine.py"
    source.write_text(source.read_text(encoding="utf-8") + "# another file\n", encoding="utf-8")
    changed = prt(*SHRINK, "--store", "../prt.db", "--repeats", "1")
    assert "note: the model is not the one that the run had: its sha256 changed since." in changed.err
    assert changed.code == 0


def test_the_text_of_models_and_datasets_is_shown_and_never_obeyed(prt: CommandLine) -> None:
    hostile = "\x1b[31mA \u202e[bold]"
    edits = typos(prt)
    with FaultServer(by=lambda call: answers(hostile if edits[0].after in call.prompt else "B")) as server:
        prt("run", one_item(prt, server.base_url, grade={"grader": "contains"}))
        ended = prt(*SHRINK)
    assert not set(ended.out) & {"\x1b", "\u202e"}


def test_on_a_terminal_a_bar_of_the_calls_is_drawn_and_taken_away() -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system=None, width=100, _environ={"TERM": "xterm"})
    asking = cast(Asking, SimpleNamespace(calls=7))
    with Narrowing(asking, console, total=12, max_calls=200) as progress:
        search = Search(12)
        search.tell(shows=True)
        progress.show(search)
    drawn = out.getvalue()
    assert "6 of 12 changes are enough, 7 of at most 200 calls" in drawn
    assert drawn.endswith("\x1b[2K")
