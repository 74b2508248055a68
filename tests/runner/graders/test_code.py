"""The grader `code`: the reply's code must pass its row's tests, and nothing runs unless the config allows it."""

import gzip
import json
from pathlib import Path

import pytest
from prt.perturbations.question import Gold, Question
from prt.runner.errors import GraderError
from prt.runner.graders import Grader, code_tests, prove
from prt.runner.graders.code_blocks import code_blocks
from prt.runner.graders.sandbox import protections
from prt.runner.records import AnswerKey, Item
from pydantic import JsonValue as Json

from .keys import graded, grader

HUMANEVAL = Path(__file__).parents[4] / "shared" / "data" / "humaneval" / "HumanEval.jsonl.gz"
STUB = 'import math\n\ndef area(r: float) -> float:\n    """Area of a circle, rounded to 2 places."""\n'
BODY = "    x = math.pi * r ** 2\n    return round(x, 2)\n"
ROW: dict[str, Json] = {
    "prompt": STUB,
    "entry_point": "area",
    "test": "def check(candidate):\n    assert candidate(1) == 3.14\n    assert candidate(0) == 0\n",
}
ASSERTS: dict[str, Json] = {
    "text": "Write a function to double a number.",
    "test_list": ["assert double(2) == 4", "assert double(0) == 0"],
}


def judge(**parameters: object) -> Grader:
    allowed = True if {"processes", "network", "files", "memory"} <= protections() else "unprotected"
    return grader("code", **{"allow_execution": allowed, **parameters})


def key(row: dict[str, Json], *golds: str) -> AnswerKey:
    return AnswerKey(Item("q1", Question("Write it."), Gold(texts=golds), row=row))


KEY = key(ROW, BODY.strip())
WHOLE = f"{STUB}{BODY}"


@pytest.mark.parametrize(
    "reply",
    [
        BODY,
        BODY.strip(),
        "x = math.pi * r ** 2\nreturn round(x, 2)",
        WHOLE,
        f"```python\n{WHOLE}```",
        f"Here it is:\n\n```py\n{WHOLE}```\n\nUse it so:\n\n```python\nprint(area(3))\n```",
        f"```\n{BODY}```",
        f"~~~python\n{WHOLE}~~~",
        f"1. Like this:\n\n   ```python\n   {WHOLE.replace(chr(10), chr(10) + '   ')}\n   ```",
        "```python\ndef area(r):\n    return round(math.pi * r ** 2, 2)\n```",
        "```python\narea = lambda r: round(math.pi * r * r, 2)\n```",
        f"First:\n```python\ndef area(r): return 0\n```\nNo, better:\n```python\n{WHOLE}```",
        f"<think>```python\ndef area(r): return 1\n```</think>\n```python\n{WHOLE}```",
        f"```bash\npip install x\n```\n```python\n{WHOLE}```",
        f"```python\n{WHOLE}\nif __name__ == '__main__':\n    print(area(float(input())))\n```",
    ],
)
def test_right_code_passes_as_a_body_or_as_a_whole_fenced_or_not(reply: str) -> None:
    grade = graded(judge(), reply, KEY)
    assert (grade.status, grade.passed, grade.answer, grade.reason) == ("graded", True, "passed", "")
    assert grade.span is not None
    assert reply[slice(*grade.span)] == grade.extracted
    assert "math" in str(grade.extracted)


@pytest.mark.parametrize(
    ("reply", "answer", "reason"),
    [
        ("```python\ndef area(r):\n    return r\n```", "AssertionError", "AssertionError"),
        ("```python\ndef area(r):\n    return pi * r\n```", "NameError", "NameError: name 'pi' is not defined"),
        ("```python\ndef area(r)\n    return 1\n```", "SyntaxError", "SyntaxError: expected ':'"),
        ("```python\ndef area(r):\n    while True: pass\n```", "time limit", "it took longer than 1 s"),
        ("```python\ndef area(r):\n    import os; os._exit(0)\n```", "ended", "it ended the process before"),
        ("```python\nimport sys\ndef area(r): return 0\nsys.exit(0)\n```", "SystemExit", "SystemExit: 0"),
        ("    pass", "AssertionError", "AssertionError"),
    ],
)
def test_wrong_code_fails_and_says_what_came_of_it(reply: str, answer: str, reason: str) -> None:
    grade = graded(judge(time_limit_s=1.0), reply, KEY)
    assert (grade.status, grade.passed, grade.answer) == ("graded", False, answer)
    assert grade.reason.startswith(reason)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would multiply pi by the square of r.", "there is no code in the reply"),
        ("```bash\nls\n```", "there is no Python code in the reply"),
        ("```python\nx = 1\n```\n```python\ny = 2\n```", "there are 2 blocks of code, and none defines 'area'"),
        ("```python\n```", "there is no Python code in the reply"),
    ],
)
def test_a_reply_without_code_that_can_be_told_is_unparsed(reply: str, reason: str) -> None:
    grade = graded(judge(), reply, KEY)
    assert (grade.status, grade.passed, grade.reason) == ("unparsed", False, reason)


def test_a_refusal_is_one_and_a_cut_off_reply_counts_where_it_passes() -> None:
    assert graded(judge(), "I'm sorry, but I can't help with that.", KEY).status == "refused"
    assert graded(judge(), f"```python\n{WHOLE}", KEY, "length").status == "graded"
    assert graded(judge(), "```python\ndef area(r):\n    retu", KEY, "length").status == "truncated"


def test_tests_may_be_lists_of_assertions_for_rows_without_an_entry_point() -> None:
    lists = judge(tests="test_list")
    mine = key(ASSERTS, "def double(x):\n    return 2 * x")
    assert prove(lists, mine) is None
    assert graded(lists, "```python\ndef double(n): return n + n\n```", mine).passed is True
    assert graded(lists, "```python\ndef double(n): return n\n```", mine).passed is False
    both = judge(tests=["setup", "test_list"])
    with_setup: dict[str, Json] = {**ASSERTS, "setup": "two = 2", "test_list": ["assert double(two) == 4"]}
    assert graded(both, "```python\ndef double(n): return n + n\n```", key(with_setup, "x")).passed is True


def test_a_prompt_in_words_is_no_stub() -> None:
    row: dict[str, Json] = {**ASSERTS, "prompt": "Double"}
    assert graded(judge(tests="test_list"), "def double(n): return n + n", key(row, "x")).passed is True


@pytest.mark.parametrize(
    ("row", "golds", "reason"),
    [
        ({"prompt": STUB}, ("x",), "the row has no tests in `test`; name their field in grade.tests"),
        ({**ROW, "test": " "}, ("x",), "the row has no tests"),
        (ROW, ("return 1",), "is not graded as passed: AssertionError"),
        ({**ROW, "test": "pass"}, (BODY,), "is not graded as failed"),
        ({**ROW, "test": "def check("}, (BODY,), "is not graded as passed: SyntaxError"),
    ],
)
def test_a_row_whose_solution_fails_or_whose_tests_pass_anything_is_refused(
    row: dict[str, Json], golds: tuple[str, ...], reason: str
) -> None:
    found = prove(judge(), key(row, *golds))
    assert found is not None
    assert reason in found


def test_where_answers_are_no_solutions_only_the_empty_body_is_tried() -> None:
    assert prove(judge(solutions=False), key(ROW, "see elsewhere")) is None
    assert prove(judge(solutions=False), key({**ROW, "test": "pass"}, "see elsewhere")) is not None


def test_nothing_is_run_unless_the_config_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_tests, "run_job", None)
    monkeypatch.setattr(code_tests, "protections", None)
    with pytest.raises(GraderError, match=r"write grade\.allow_execution: true"):
        grader("code")


def test_where_this_machine_keeps_code_from_little_a_further_word_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_tests, "protections", lambda: frozenset({"time", "memory", "processes"}))
    with pytest.raises(GraderError, match="can't keep the code of replies from the network, writing files outside"):
        grader("code", allow_execution=True)
    assert grader("code", allow_execution="unprotected").name == "code"


def test_how_much_is_allowed_is_part_of_the_identity_and_where_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge(time_limit_s=2.0).identity() != judge().identity()
    assert judge(tests="checks").identity() != judge().identity()
    monkeypatch.setattr(code_tests, "protections", lambda: frozenset({"time"}))
    assert grader("code", allow_execution="unprotected").identity() == judge(allow_execution="unprotected").identity()


@pytest.mark.parametrize(
    ("reply", "blocks"),
    [
        ("```python\na = 1\n```", ("a = 1\n",)),
        ("``` Python\na = 1\n```\n```\nb = 2\n```\n```json\n{}\n```", ("a = 1\n", "b = 2\n")),
        ("````python\ns = '''\n```\n'''\n````", ("s = '''\n```\n'''\n",)),
        ("  ```py\n  if a:\n      b\n  ```", ("if a:\n    b\n",)),
        ("```python\na = 1", ("a = 1",)),
        ("text ```a``` text", ("text ```a``` text",)),
        ("   return 1\n", ("   return 1",)),
        ("\n\n  return 1", ("  return 1",)),
        (" ", ()),
    ],
)
def test_blocks_of_code_are_found(reply: str, blocks: tuple[str, ...]) -> None:
    found = code_blocks(reply)
    assert found.texts == blocks
    assert len(found.spans) == len(blocks)


@pytest.mark.skipif(not HUMANEVAL.exists(), reason="HumanEval is not there")
def test_solutions_of_humaneval_pass_and_empty_bodies_fail() -> None:
    with gzip.open(HUMANEVAL, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::40]
    for row in rows:
        assert prove(judge(), key(row, row["canonical_solution"].strip())) is None
        assert graded(judge(), row["canonical_solution"], key(row)).passed is True
        assert graded(judge(), "    pass", key(row)).passed is False
