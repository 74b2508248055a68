"""The digest says what matters, the same in every form, and holds no text that would be obeyed."""

import json
import re

import pytest
from prt.runner.nightly.deciding import numbers_of
from prt.runner.nightly.summary import Asked, ConditionNight, Flip, GateOutcome, History, NightSummary, summary_adapter
from prt.runner.nightly.summary import summary_json as as_stored
from prt.runner.reports.digest import (
    FLIPS_SENT,
    changes,
    digest_json,
    digest_markdown,
    digest_of,
    digest_slack,
    digest_text,
    failure_message,
    message_of,
)
from prt.runner.reports.night_pages import night_page, trend_page

from .nights import a_night, decision, rate

NASTY = "<script>alert(1)</script> {{7*7}} [x](javascript:alert(1)) \x1b[31mred \u202eevil @channel & `code` *bold*"
ALARM = a_night(
    3,
    decision(alarm=True, look=2),
    flips=(Flip("q1", "typo.1", passes=False), Flip("q1", "baseline", passes=False), Flip("q7", "typo.1", passes=True)),
    causes=("Model: worse, proven.",),
    conditions=(
        ConditionNight("typo.1", rate(-0.2), "regressed", 0.001),
        ConditionNight("a", rate(0.0), "no_worse", 1),
    ),
    gates=(GateOutcome("good enough (all)", "failed", fails=True, reason="it is below."),),
    asked=Asked(800, 3, {"graded": 790, "unparsed": 7, "error": 3}, 802, 40_000, 2_000, 0.0231, "USD"),
)


def test_the_text_has_a_line_for_each_fact_and_each_command() -> None:
    digest = digest_of(ALARM, None, ["prt report x", "prt trend triage"])
    first, *lines = digest_text(digest).splitlines()
    assert first == digest.title
    assert len(lines) == len(digest.facts) + 2
    assert {line.index(line.split(maxsplit=1)[1].split(" ")[0], 9) for line in lines if "new flips" not in line} == {13}
    assert lines[-2:] == ["  look       prt report x", "  look       prt trend triage"]


def test_the_facts_of_an_alarm_in_their_order() -> None:
    digest = digest_of(ALARM, a_night(2, decision()))
    facts = dict(digest.facts)
    assert [*facts] == ["proven?", "rates", "where", "changed", "new flips", "gates", "missing", "took"]
    assert digest.title == "triage, night 3 (2026-03-03): ALARM, proven worse"
    assert facts["proven?"] == (
        "yes: −8.0 points (−12.0 to −4.0) against the baseline triage, n = 200; p = .0001 ≤ .0304 "
        "(look 2 of alpha 0.05; Item sign-flip exact, one-sided (worse))"
    )
    assert facts["where"] == "Model: worse, proven. Conditions: typo.1 −20.0 points (−24.0 to −16.0)."
    assert facts["changed"] == "the verdict was quiet; the gate good enough (all) fails now"
    assert facts["new flips"] == (
        "2 items with 3 results never seen before (2 now fail): q1 fails under typo.1, baseline; q7 passes under typo.1"
    )
    assert facts["missing"] == "3 of 800 cells have no result; 7 unparsed, 3 error"
    assert facts["took"] == "802 calls, 40,000 tokens in, 2,000 out, 0.0231 USD"


def test_what_one_night_alone_shows_is_a_hint_and_no_proof() -> None:
    night = a_night(2, decision(pvalue=0.04), causes=("Model: worse, proven.",))
    facts = dict(digest_of(night, None).facts)
    assert facts["proven?"].startswith("no: ")
    assert "p = .0400 > .0304" in facts["proven?"]
    assert facts["hint"] == "by this night alone, which is no proof over all nights: Model: worse, proven."


def test_too_few_items_to_be_proven_are_said() -> None:
    facts = dict(digest_of(a_night(2, decision(fewest=201)), None).facts)
    assert facts["proven?"].endswith("too few to be proven at this look: it takes 201 that get worse, of 200")


def test_an_incomplete_night_says_why_and_decides_nothing() -> None:
    night = a_night(2, verdict="incomplete", rates=(None, None))
    text = digest_text(digest_of(night, None))
    assert "INCOMPLETE, nothing is decided" in text
    assert "the quota is used up. The same command goes on with this night." in text
    assert night.exit_code == 3


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (a_night(2, decision()), a_night(1), []),
        (a_night(2, decision()), a_night(1, decision(alarm=True)), ["the verdict was alarm"]),
        (a_night(2, decision(), models=("m-2",)), a_night(1, decision()), ["m-2 answered, before m-1"]),
        (
            a_night(2, decision(), fingerprints=("fp_2",)),
            a_night(1, decision(), fingerprints=("fp_1",)),
            ["the system fingerprint is fp_2, before fp_1"],
        ),
        (a_night(2, decision()), None, []),
    ],
)
def test_changes_are_those_since_the_night_before(
    now: NightSummary, before: NightSummary | None, said: list[str]
) -> None:
    assert changes(now, before) == said
    message = message_of(digest_of(now, before), now, before)
    assert message.changed == (before is None or bool(said))


def test_a_failed_gate_makes_a_quiet_night_none() -> None:
    night = a_night(2, decision(), gates=(GateOutcome("g", "failed", fails=True, reason="r"),))
    assert night.exit_code == 1
    assert digest_of(night, None).title.endswith("a GATE FAILED")
    warned = a_night(2, decision(), gates=(GateOutcome("g", "undecided", fails=False, reason="r"),))
    assert warned.exit_code == 0


def nasty_night() -> NightSummary:
    flips = tuple(Flip(f"{NASTY} {number}", NASTY, passes=False) for number in range(9))
    conditions = (ConditionNight(NASTY, rate(-0.2), "regressed", 0.001),)
    gates = (GateOutcome(NASTY, "failed", fails=True, reason=NASTY),)
    return a_night(
        2,
        decision(alarm=True),
        series=NASTY,
        flips=flips,
        conditions=conditions,
        gates=gates,
        models=(NASTY,),
        notes=(NASTY,),
        causes=(NASTY,),
    )


def test_foreign_text_is_inert_in_every_form() -> None:
    night = nasty_night()
    digest = digest_of(night, a_night(1), [f"prt trend {NASTY}"])
    text, markdown, slack = digest_text(digest), digest_markdown(digest), digest_slack(digest)
    pages = night_page(digest, night, (a_night(1), night), drawn=False), trend_page(NASTY, (a_night(1), night))
    for form in (text, markdown, slack, *pages):
        assert "\x1b" not in form
        assert "\u202e" not in form
    assert "<script>alert" not in "".join(pages)
    assert "&lt;script&gt;alert" in pages[0]
    outside_code = markdown.partition("```")[0]
    assert not re.search(r"(?<!\\)<(?!!-- -->)|(?<!\\)\]\(|(?<!\\)\*(?!\*)bold", outside_code.replace("**", ""))
    assert "@channel" not in slack
    assert "<script" not in slack
    assert "@channel" not in outside_code


def test_programs_get_every_figure_and_a_bounded_number_of_flips() -> None:
    flips = tuple(Flip(f"q{number}", "typo.1", passes=False) for number in range(FLIPS_SENT + 50))
    night = a_night(3, decision(), flips=flips)
    sent = digest_json(digest_of(night, None), night, None, files=["a.md"])
    assert json.loads(json.dumps(sent, allow_nan=False)) == sent
    assert isinstance(sent["night"], dict)
    assert isinstance(kept := sent["night"]["first_flips"], list)
    assert (len(kept), sent["first_flips_in_all"], sent["exit_code"]) == (FLIPS_SENT, FLIPS_SENT + 50, 0)
    rest = {key: value for key, value in sent["night"].items() if key != "first_flips"}
    assert rest == {key: value for key, value in as_stored(night).items() if key != "first_flips"}


def test_a_night_is_read_back_as_it_was_kept() -> None:
    for night in (ALARM, nasty_night(), a_night(1, verdict="incomplete", rates=(None, None))):
        assert summary_adapter().validate_python(json.loads(json.dumps(as_stored(night)))) == night


def test_looks_are_those_against_one_reference_since_it_was_begun_anew() -> None:
    nights = (
        a_night(1, key="a", pinned=True),
        a_night(2, decision(), key="a"),
        a_night(3, verdict="incomplete", key="a"),
        a_night(4, decision(), key="a"),
        a_night(5, decision(), key="b"),
        a_night(6, decision(), key="a"),
    )
    assert [night.night for night in History(nights[:4]).looks("a")] == [2, 4]
    assert [night.night for night in History(nights).looks("b")] == [5]
    assert [night.night for night in History(nights).looks("a")] == [2, 4, 6]
    restarted = (*nights[:2], a_night(3, decision(), key="a", restarted=True), a_night(4, decision(), key="a"))
    assert [night.night for night in History(restarted).looks("a")] == [3, 4]


def test_what_could_not_be_run_is_told_in_every_form() -> None:
    message = failure_message("triage", "night.yaml: no\x1b such file", 2)
    assert message.exit_code == 2
    assert message.text == "triage: the night could not be run\n  why  night.yaml: no\\x1b such file\n"
    assert message.is_for("alarm")


def test_statuses_other_than_graded_are_counted() -> None:
    assert numbers_of({"graded": 3, "unparsed": 1_200, "error": 0}) == "1,200 unparsed"
