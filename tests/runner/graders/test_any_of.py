"""The grader `any_of`: one of several graders must pass, and each sees the right answers that it can read."""

from pathlib import Path

import pytest
from prt.runner.graders import Grader, prove
from prt.runner.records import Reply, ReplyError

from .keys import graded, grader, grader_in, options_key, texts_key


def any_of(*members: object, **rest: object) -> Grader:
    blocks = [{"grader": member} if isinstance(member, str) else member for member in members]
    return grader("any_of", graders=blocks, **rest)


JUDGE = any_of("numeric", "exact")
NOON = texts_key("noon", "12")


@pytest.mark.parametrize(
    ("reply", "passed"),
    [("noon", True), ("Noon.", True), ("12.0", True), ("The answer is 12", True), ("11", False), ("soon", False)],
)
def test_a_reply_passes_where_one_of_them_passes_it(reply: str, passed: bool) -> None:  # noqa: FBT001 - a parameter of pytest's
    grade = graded(JUDGE, reply, NOON)
    assert (grade.status, grade.passed) == ("graded", passed)
    assert prove(JUDGE, NOON) is None


def test_what_was_read_is_that_of_the_one_that_passed() -> None:
    grade = graded(JUDGE, "The answer is 12.0", NOON)
    assert (grade.extracted, grade.answer, grade.span) == ("12.0", "12", (14, 18))


def test_each_alone_fails_what_both_together_pass() -> None:
    assert graded(grader("exact"), "12.0", NOON).passed is False
    assert prove(grader("numeric"), NOON) is not None


def test_a_grader_that_can_not_be_used_for_an_item_stands_aside() -> None:
    judge = any_of("choice", "exact")
    assert graded(judge, "B", options_key()).passed is True
    assert graded(judge, "Paris", texts_key("Paris")).passed is True


def test_an_item_that_none_can_be_used_for_is_refused_with_all_reasons() -> None:
    reason = prove(any_of("choice", "numeric"), texts_key("noon"))
    assert reason is not None
    assert reason.startswith("choice: the item has no options to choose from")
    assert "; numeric: the right answer 'noon' is no number" in reason


def test_a_reply_that_one_reads_and_none_passes_fails_and_one_that_none_reads_is_unparsed() -> None:
    judge = any_of("numeric", {"grader": "regex", "pattern": "VERDICT: (.+)"})
    assert graded(judge, "7", texts_key("5")).status == "graded"
    unread = graded(judge, "I don't know", texts_key("5"))
    assert (unread.status, unread.passed, bool(unread.reason)) == ("unparsed", False, True)


def test_what_one_could_not_judge_may_have_passed(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def raises(reply, row): raise KeyError('x')\n", encoding="utf-8")
    members = [{"grader": "exact"}, {"grader": "python", "callable": "checks.py:raises"}]
    judge = grader_in(tmp_path, "any_of", graders=members)
    assert graded(judge, "Rome", texts_key("Paris")).status == "judge_error"
    assert graded(judge, "Paris", texts_key("Paris")).passed is True


def test_statuses_hold_for_all_of_them() -> None:
    lenient = any_of("numeric", {"grader": "regex", "pattern": "VERDICT: (.+)"}, count_as_fail=["refused"])
    assert graded(lenient, "I don't know", texts_key("5")).passed is None
    assert lenient.grade(Reply(error=ReplyError("timeout", "late")), texts_key("5")).status == "error"
    assert lenient.grade(Reply(text="5", refusal="no"), texts_key("5")).status == "refused"


def test_a_cut_off_reply_counts_where_one_of_them_is_sure() -> None:
    assert graded(any_of("exact", "contains"), "It is Paris since", texts_key("Paris"), "length").status == "graded"
    assert graded(any_of("exact", "contains"), "It is Pari", texts_key("Paris"), "length").status == "truncated"


def test_members_their_parameters_and_their_order_are_the_identity() -> None:
    identities = [
        any_of("numeric", "exact").identity(),
        any_of("exact", "numeric").identity(),
        any_of("numeric", {"grader": "exact", "ignore_case": False}).identity(),
        any_of("numeric").identity(),
    ]
    assert all(one != other for at, one in enumerate(identities) for other in identities[at + 1 :])


def test_a_member_that_passes_everything_is_caught_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(
        "def lenient(reply, row): return True\n\ndef said(reply, row): return reply > ''\n", encoding="utf-8"
    )
    members = [{"grader": "exact"}, {"grader": "python", "callable": "checks.py:lenient"}]
    reason = prove(grader_in(tmp_path, "any_of", graders=members), texts_key("Paris"))
    assert reason == "checks.py:lenient returns True for an empty reply, as `reply in answer` would"
    members = [{"grader": "exact"}, {"grader": "python", "callable": "checks.py:said"}]
    reason = prove(grader_in(tmp_path, "any_of", graders=members), texts_key("Paris"))
    assert reason == 'the wrong answer "another answer" is not graded as failed (it was read as nothing)'


def test_beside_exact_no_reply_with_a_text_is_unparsed() -> None:
    """As the page on grading warns: what `numeric` alone can't read is a fail there."""
    reply, key = "There are many of them.", texts_key("5")
    assert graded(grader("numeric"), reply, key).status == "unparsed"
    grade = graded(JUDGE, reply, key)
    assert (grade.status, grade.passed) == ("graded", False)
    assert graded(JUDGE, " ", key).status == "unparsed"
