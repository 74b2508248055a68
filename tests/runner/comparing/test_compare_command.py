"""`prt compare`, `prt baseline` and `prt run --against` from the command line: what is printed, and exit codes."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml
from prt.runner.reports.compared_json import comparison_schema
from prt.runner.store.database import open_store
from pydantic import JsonValue as Json

from ..command_line import CAPITALS, CommandLine
from .worlds import Made, always, put

PROGRAM = f"""
CAPITALS = {dict(CAPITALS)!r}
WRONG = 0

def answer(messages):
    text = messages[-1]["content"]
    number = int("".join(char for char in text.split(":")[-2] if char.isdigit()) or 0)
    for country, capital in CAPITALS.items():
        if country in text and number >= WRONG:
            return next(line[0] for line in text.splitlines() if line.endswith(capital))
    return "Z"
"""


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A folder with a store of three runs: `a`, `same` of equal quality, and `worse`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_STORE", raising=False)
    with open_store("prt.db") as store:
        for number, made in enumerate((Made("a"), Made("same"), Made("worse", passes=always(0.5)))):
            put(store, replace(made, items=40), number=number)
    return CommandLine(tmp_path, capsys, monkeypatch)


def test_a_comparison_is_printed_and_ends_with_0_unless_it_is_to_fail(prt: CommandLine) -> None:
    told = prt("compare", "a", "worse")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("worse against a\n")
    assert prt("compare", "a", "worse", "--fail-if-worse").code == 1
    assert prt("compare", "a", "same", "--fail-if-worse").code == 0
    assert prt("compare", "worse", "a", "--fail-if-worse").code == 0


def test_a_name_that_will_mean_another_run_later_is_told_as_the_id_it_means_now(prt: CommandLine) -> None:
    """What is kept of a comparison, a page or a comment, is read when `latest` is another run."""
    newest = prt("runs", "--json").json[0]["id"]
    told = prt("compare", "a", "latest")
    assert told.out.startswith(f"{newest} against a\n")
    assert f"{newest} is proven worse than a: " in told.out
    assert "latest" not in told.out
    assert prt("compare", "a", "latest", "--json").json["after"]["given"] == newest
    assert prt("compare", "latest", "a", "same", "--json").json["reference"]["given"] == newest


def test_two_runs_of_one_name_are_told_apart_by_their_ids(prt: CommandLine) -> None:
    store = ("--store", "runs.db", "--no-html", "-q")
    prt("run", config(prt, "good", 0), *store)
    told = prt("run", config(prt, "good", 18), *store, "--against", "good", "--json").json["comparison"]
    later, earlier = (each["id"] for each in prt("runs", "--store", "runs.db", "--json").json)
    assert (told["before"]["given"], told["after"]["given"]) == (earlier, later)


def test_json_markdown_and_a_page_say_the_same(prt: CommandLine) -> None:
    found = prt("compare", "a", "worse", "--json").json
    jsonschema.validate(found, json.loads(prt("schema", "comparison").out))
    told = prt("compare", "a", "worse", "--markdown", "--html", "out/compared.html")
    assert told.err.strip() == "comparison page: out/compared.html"
    assert found["conclusion"].split(":")[0] in told.out
    page = (prt.folder / "out" / "compared.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert found["claims"][0]["sentence"].split("(")[0] in page
    assert comparison_schema()["$schema"].startswith("https://json-schema.org/")


def test_several_versions_are_held_against_the_first(prt: CommandLine) -> None:
    told = prt("compare", "a", "same", "worse", "--fail-if-worse")
    assert told.code == 1
    assert "Each version against the reference, over all wordings" in told.out
    found = prt("compare", "a", "same", "worse", "--json").json
    assert [each["after"]["given"] for each in found["comparisons"]] == ["same", "worse"]


def test_what_a_day_means_is_told_by_options(prt: CommandLine) -> None:
    options = ["--traffic", "1000", "--cost-per-failure", "2", "--currency", "EUR", "--weight", "typo=0.2"]
    told = prt("compare", "a", "worse", *options)
    assert "Failures more (+) or fewer (−) of 1,000 requests a day, 2 EUR a failure" in told.out
    assert "all, as users write" in told.out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("a",), "name two runs or more, the reference first"),
        (("a", "nobody"), 'there is no run "nobody"'),
        (("a", "worse", "--weight", "typo=0.2"), "how many requests a day are there? Add `--traffic`"),
        (("a", "worse", "--traffic", "10", "--weight", "typo"), "write a name and a share of requests, such as"),
        (("a", "worse", "--traffic", "10", "--weight", "typo=x"), "write a name and a share of requests, such as"),
        (("a", "worse", "--traffic", "10", "--weight", "typo=.1", "--weight", "typo=.2"), '"typo" is given twice'),
        (("a", "worse", "--traffic", "10", "--weight", "typo=1.5"), "the impact can't be reckoned: weights.typo"),
        (("a", "worse", "--traffic", "10", "--weight", "typo=.7", "--weight", "style=.7"), "add up to 1 at most"),
        (("a", "worse", "--traffic", "10", "--weight", "noise=.7"), "no condition and no generator"),
        pytest.param(("a", "worse", "--store-b", "nowhere.db"), "nowhere.db", marks=pytest.mark.sqlite),
    ],
)
def test_what_can_not_be_compared_is_one_sentence_and_ends_with_2(
    prt: CommandLine, args: tuple[str, ...], told: str
) -> None:
    ended = prt("compare", *args)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert len(ended.err.strip().splitlines()) == 1


def test_a_comparison_that_is_not_fair_is_refused_and_goes_on_where_it_is_allowed(prt: CommandLine) -> None:
    with open_store("prt.db") as store:
        put(store, Made("strict", items=40, grader={"name": "exact", "version": 2}), number=9)
    refused = prt("compare", "a", "strict")
    assert refused.code == 2
    assert "comparing these runs would not be fair: they were graded otherwise" in refused.err
    allowed = prt("compare", "a", "strict", "--allow")
    assert allowed.code == 0
    assert "caution: they were graded otherwise" in allowed.out


def test_runs_of_two_stores_are_compared(prt: CommandLine) -> None:
    with open_store("other.db") as store:
        put(store, Made("elsewhere", items=40), number=7)
    told = prt("compare", "a", "elsewhere", "--store-b", "other.db")
    assert told.code == 0
    assert "elsewhere against a" in told.out


def test_a_baseline_is_pinned_listed_compared_with_and_removed(prt: CommandLine) -> None:
    assert prt("baseline", "list").out.strip() == "there is no baseline; `prt baseline set NAME RUN` makes one"
    assert prt("baseline", "set", "main", "a").out.startswith("main is a-")
    moved = prt("baseline", "set", "main", "same").out
    assert moved.startswith("main is same-")
    assert ", which was a-" in moved
    (row,) = prt("baseline", "list", "--json").json
    assert (row["name"], row["run"].split("-")[0], row["state"]) == ("main", "same", "complete")
    assert "main" in prt("baseline", "list").out
    assert prt("compare", "main", "worse", "--json").json["before"]["run"] == row["run"]
    assert prt("report", "main").code == 0
    assert "stays" in prt("baseline", "remove", "main").out
    again = prt("baseline", "remove", "main")
    assert again.code == 2
    assert "there is no baseline" in again.err


def config(prt: CommandLine, name: str, wrong: int, **rest: Json) -> str:
    prt.write(f"{name}.py", PROGRAM.replace("WRONG = 0", f"WRONG = {wrong}"))
    written: dict[str, Json] = {
        "name": name,
        "model": {"provider": "python", "callable": f"{name}.py:answer"},
        "dataset": prt.capitals(24),
        "perturbations": ["reorder"],
        **rest,
    }
    return prt.write(f"{name}.yaml", yaml.safe_dump(written, sort_keys=False))


def test_a_run_is_compared_at_its_end_and_fails_where_it_is_worse(prt: CommandLine) -> None:
    store = ("--store", "runs.db", "--no-html", "-q")
    assert prt("run", config(prt, "good", 0), *store).code == 0
    prt("baseline", "set", "main", "good", "--store", "runs.db")
    told = prt("run", config(prt, "bad", 18), *store, "--against", "main", "--fail-if-worse")
    assert told.code == 1
    report, comparison = told.out.index("Each variant against the baseline"), told.out.index("bad against main")
    assert report < comparison
    assert "is proven worse than main" in told.out
    both = prt("run", config(prt, "bad", 18), *store, "--against", "main", "--json").json
    assert set(both) == {"report", "comparison"}
    assert both["comparison"]["is_worse"] is True
    assert prt("run", config(prt, "other", 0), *store, "--against", "main", "--fail-if-worse").code == 0


def test_a_run_to_compare_with_that_is_not_there_is_told_before_any_call(prt: CommandLine) -> None:
    told = prt("run", config(prt, "good", 0), "--store", "prt.db", "--no-html", "--against", "maine")
    assert told.code == 2
    assert 'there is no run "maine"' in told.err
    assert len(prt("runs", "--json").json) == 3


def test_a_run_that_can_not_be_compared_is_stored_and_ends_with_2(prt: CommandLine) -> None:
    told = prt("run", config(prt, "good", 0), "--store", "prt.db", "--no-html", "--against", "a")
    assert told.code == 2
    assert "Each variant against the baseline" in told.out
    assert "not compared: these runs can't be compared: of 40 and 24 items none is alike in both" in told.err
    assert prt("report", "good").code == 0


def test_failing_where_worse_needs_a_run_to_compare_with(prt: CommandLine) -> None:
    assert prt("run", config(prt, "good", 0), "--fail-if-worse").code == 2
