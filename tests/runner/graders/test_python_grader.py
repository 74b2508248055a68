"""The grader of the user's own."""

from pathlib import Path

import pytest
from prt.runner.errors import ConfigError, GraderError
from prt.runner.graders import Grader, prove
from prt.runner.records import Reply

from .keys import ALL_STATUSES, graded, grader_in, texts_key

SOURCE = """
def right(reply, row):
    return reply.strip() == row["gold"]

def raises(reply, row):
    raise KeyError("no such column")

def leaves(reply, row):
    raise SystemExit(3)

def counts(reply, row):
    return 1

def forgets(reply, row):
    pass

def spoils(reply, row):
    row.clear()
    return True

def holds(reply, row):
    return reply in row["gold"]

def first(reply, row):
    return reply[0] == "P"

def misspells(reply, row):
    return reply.strip() == row["glod"]

def unready(reply, row):
    return bool(reply) and int(reply) == 3

async def later(reply, row):
    return True

def narrow(reply):
    return True
"""
KEY = texts_key("Paris", row={"gold": "Paris"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def make(folder: Path, function: str) -> Grader:
    return grader_in(folder, "python", callable=f"mine.py:{function}")


def test_the_function_decides_given_the_reply_and_the_row(folder: Path) -> None:
    judge = make(folder, "right")
    assert [graded(judge, reply, KEY).passed for reply in ("Paris", " Paris\n", "Rome")] == [True, True, False]
    assert prove(judge, KEY) is None


def test_a_function_that_raises_is_a_judge_error_with_its_message(folder: Path) -> None:
    grade = graded(make(folder, "raises"), "Paris", KEY)
    assert (grade.status, grade.passed) == ("judge_error", None)
    assert "mine.py:raises raised KeyError: 'no such column'" in grade.reason


def test_a_function_that_exits_does_not_end_the_run(folder: Path) -> None:
    assert graded(make(folder, "leaves"), "Paris", KEY).status == "judge_error"


@pytest.mark.parametrize(("function", "kind"), [("counts", "int"), ("forgets", "NoneType")])
def test_a_function_that_returns_no_verdict_is_refused_before_any_call(folder: Path, function: str, kind: str) -> None:
    with pytest.raises(GraderError, match=f"returned {kind}; it must return True or False"):
        prove(make(folder, function), KEY)


def test_a_function_that_passes_an_empty_reply_is_refused_before_any_call(folder: Path) -> None:
    assert (
        prove(make(folder, "holds"), KEY) == "mine.py:holds returns True for an empty reply, as `reply in answer` would"
    )
    assert prove(make(folder, "first"), KEY) is None, "what raises on an empty reply passes none"


def test_a_function_that_raises_whatever_the_reply_is_refused_before_any_call(folder: Path) -> None:
    reason = prove(make(folder, "misspells"), KEY)
    assert reason is not None
    assert reason.startswith(
        "mine.py:misspells raised KeyError: 'glod' on this row, for an answer and for an empty reply"
    )
    assert "it must return True or False for any reply" in reason
    assert prove(make(folder, "unready"), KEY) is None, "what raises for an answer alone may read other replies"


def test_an_async_function_is_refused(folder: Path) -> None:
    with pytest.raises(GraderError, match="is async"):
        make(folder, "later")


def test_a_function_with_other_arguments_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"mine.py:narrow has the arguments \(reply\)"):
        make(folder, "narrow")


def test_the_function_can_not_spoil_the_row(folder: Path) -> None:
    graded(make(folder, "spoils"), "Paris", KEY)
    assert KEY.item.row == {"gold": "Paris"}


def test_an_empty_or_filtered_reply_is_not_put_to_the_function(folder: Path) -> None:
    judge = make(folder, "raises")
    assert graded(judge, " ", KEY).status == "unparsed"
    assert judge.grade(Reply(text="x", refusal="no"), KEY).status == "refused"


def test_of_a_cut_off_reply_only_a_pass_stands(folder: Path) -> None:
    judge = make(folder, "right")
    assert graded(judge, "Paris", KEY, "length").status == "graded"
    assert graded(judge, "Par", KEY, "length").status == "truncated"


def test_an_edited_function_has_another_identity(tmp_path: Path) -> None:
    identities = []
    for folder, source in ((tmp_path / "before", SOURCE), (tmp_path / "after", SOURCE + "\n# edited\n")):
        folder.mkdir()
        (folder / "mine.py").write_text(source, encoding="utf-8")
        identities.append(make(folder, "right").identity())
    assert identities[0] != identities[1]
    assert {**identities[0], "source": ""} == {**identities[1], "source": ""}


def test_all_statuses_are_part_of_the_identity(folder: Path) -> None:
    assert make(folder, "right").identity()["count_as_fail"] == sorted(ALL_STATUSES)
