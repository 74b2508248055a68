"""A duel's reports: the same figures in each form, foreign text shown and not obeyed, changes of prompts marked."""

import io
import json

import pytest
from prt.runner.config.schema import PromptConfig
from prt.runner.duel.findings import Asked, Duel, Failure, compared
from prt.runner.duel.prompts import prompt_changes
from prt.runner.reports.duel import near_changes, print_duel
from prt.runner.reports.duel_json import duel_json
from prt.runner.reports.duel_markdown import duel_markdown
from prt.runner.reports.markdown_text import plain
from prt.stats import JudgedPairs
from rich.console import Console

EVIL = "\x1b[2J<script>alert(1)</script> | ![x](http://e) @all\u202e\n# heading"


def pairs(won: int, lost: int, tied: int, *, first: int = 0) -> JudgedPairs:
    scores = [(1.0, 1.0)] * won + [(0.0, 0.0)] * lost + [(0.5, 0.5)] * tied + [(1.0, 0.0)] * first
    ids = tuple(f"q{number}" for number in range(len(scores)))
    return JudgedPairs(ids, tuple(one for one, _ in scores), tuple(other for _, other in scores))


def duel() -> Duel:
    long = "word " * 200
    prompts = (PromptConfig(system=f"{long}Be kind. {long}"), PromptConfig(system=f"{long}Be brief. {long}"))
    failures = (Failure("q1", "Why?", EVIL, "Because.", (EVIL,)),)
    judged = {
        Asked("good", "It is good."): pairs(4, 16, 2, first=40),
        Asked("rude", "It is short.", "rule"): pairs(0, 0, 40),
        Asked(EVIL, "", "judge"): pairs(3, 2, 1),
    }
    found = compared(judged, alpha=0.05, margin=0.1, failures={"good": failures, "rude": failures})
    changes = prompt_changes(*prompts)
    return Duel(EVIL, "new", "old", found, 0.05, 0.1, notes=(EVIL,), changes=changes, facts=(("judge", EVIL),))


def text(width: int = 110) -> str:
    out = io.StringIO()
    print_duel(duel(), Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_every_form_has_every_verdict() -> None:
    verdicts = ["WORSE", "TIED", "INSUFFICIENT_EVIDENCE"]
    assert [each["verdict"] for each in json.loads(duel_json(duel()))["dimensions"]] == verdicts
    for form in (text(), duel_markdown(duel())):
        assert all(verdict in form for verdict in verdicts)


def test_only_losing_dimensions_show_failures_and_only_judges_of_pairs_have_a_place_to_favour() -> None:
    good, rude, _ = duel().dimensions
    assert (len(good.failures), len(rude.failures)) == (1, 0)
    assert (good.is_biased, rude.is_biased) == (True, False)
    assert rude.by_row is None
    shown = text()
    assert "good: lost 16 of 62 queries, won 4; the clearest losses" in shown
    assert "rude: lost" not in shown
    assert shown.count("YES, first") == 1


def test_a_judge_that_mostly_contradicts_itself_is_said_to_be_unable_to_tell() -> None:
    found = compared({Asked("x"): pairs(1, 1, 0, first=60)}, alpha=0.05, margin=0.1)
    out = io.StringIO()
    print_duel(Duel("d", "new", "old", found, 0.05, 0.1), Console(file=out, width=200, highlight=False))
    assert found[0].found.verdict == "TIED"
    assert "TIED says that this judge can't tell the two apart" in out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 110])
def test_no_line_is_wider_than_the_terminal_and_no_figure_is_cut(width: int) -> None:
    lines = text(width).split("\n")
    assert max(map(len, lines)) <= width
    assert any("6.5/25.8/67.7" in line for line in lines)


def test_no_foreign_text_steers_a_terminal_or_is_markdown() -> None:
    assert "\x1b" not in text()
    assert "\u202e" not in text()
    markdown = duel_markdown(duel())
    assert "<script>" not in markdown
    assert "![x]" not in markdown
    assert "@all" not in markdown
    assert "\n# heading" not in markdown
    assert "\x1b" not in duel_json(duel())
    tables = [line for line in markdown.split("\n") if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in tables} == {6, 8, 9, 10}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("- a", r"\- a"),
        ("# a", r"\# a"),
        ("1. a", r"1\. a"),
        ("a-b #1", "a-b #<!-- -->1"),
        ("a\n\nb", "a b"),
        ("_a_", r"\_a\_"),
    ],
)
def test_markdown_is_escaped_where_it_would_be_obeyed(given: str, shown: str) -> None:
    assert plain(given) == shown


def test_changes_are_marked_without_colour_and_long_stretches_are_left_out() -> None:
    flat = " ".join(text().split())
    assert "Be [-kind-]{+brief+}. word" in flat
    assert len(flat) < 6000
    assert "~~kind~~**brief**" in duel_markdown(duel())
    (change,) = duel().changes
    assert "".join(words for mark, words in change.marks if mark != "insert").startswith("word " * 200)
    assert max(len(words) for _, words in near_changes(change.marks)) < 300
