"""Whatever is replied, asked and right: a grade and no exception, read as text and never run, its span in the reply."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.question import LabelStyle
from prt.perturbations.rendering.labels import label
from prt.runner import graders
from prt.runner.graders import Grader
from prt.runner.graders.base import UnusableKeyError, prove
from prt.runner.records import AnswerKey, Grade

from .keys import data, graded, grader, options_key, texts_key

STYLES: tuple[LabelStyle, ...] = ("A", "a", "1", "i", "I")
TEXT_GRADERS = [
    grader("exact"),
    grader("exact", ignore_case=False, ignore_punctuation=False, ignore_accents=True),
    grader("contains"),
    grader("contains", ignore_case=False, ignore_accents=True),
    grader("regex", pattern=r"(?:answer|is)\W+(\w+)"),
    grader("numeric"),
    grader("numeric", decimal="comma", relative_tolerance=0.5),
    grader("numeric", pattern="####(.+)"),
    grader("label", labels=["positive", "negative", "neutral"]),
    grader("json"),
    grader("json", fields=["a", "b[].c"], tolerance=1),
    grader("any_of", graders=[{"grader": "numeric"}, {"grader": "exact"}]),
]
"""The first four compare texts."""
OPTION_GRADERS = [grader("choice"), grader("multi"), grader("multi", partial=True)]
NASTY = (
    *data("nasty_units.json"),
    *(
        "{}",
        "{labels}",
        "%s",
        "%(x)s",
        "\\g<0>",
        "\\1",
        "${PATH}",
        "__import__('os')",
        "1/0",
        "1e999",
        "9" * 5000,
        "一" * 50,
    ),
    *(
        "\x00",
        "\ud800",
        "\u202e",
        "\r\n",
        "\u2028",
        "\ufeff",
        "```json\n",
        '{"answer": "\\ud800"}',
        '{"answer": 1e400}',
    ),
)
THAT_RUN = ("python", "code", "sandbox")
"""Graders that run what the user, or the model, wrote."""
soups = st.lists(st.one_of(st.sampled_from(NASTY), st.text(max_size=8)), max_size=12).map("".join)
texts = st.one_of(soups, st.text(max_size=120))
finishes = st.sampled_from(["stop", "length", "", "content_filter"])


def holds(grade: Grade, reply: str) -> None:
    """What is true of every grade."""
    assert (grade.status == "graded") == (grade.reason == "")
    assert grade.passed is not None
    assert not grade.passed or grade.status == "graded"
    if grade.span is None:
        assert grade.extracted is None
    else:
        start, end = grade.span
        assert 0 <= start <= end <= len(reply)
        assert reply[start:end] == grade.extracted


@settings(max_examples=150)
@given(reply=texts, options=st.lists(texts, min_size=1, max_size=6), drawn=st.data(), finish=finishes)
@example(reply="(.*)", options=["(.*)", "["], drawn=None, finish="stop")
def test_any_reply_to_any_options_has_a_grade(
    reply: str, options: list[str], drawn: st.DataObject | None, finish: str
) -> None:
    order = drawn.draw(st.permutations(range(len(options)))) if drawn else range(len(options))
    style: LabelStyle = drawn.draw(st.sampled_from(STYLES)) if drawn else "A"
    labels = tuple(label(style, place) for place in range(len(options)))
    key = options_key(options, gold=(0,), labels=labels, permutation=order)
    for judge in OPTION_GRADERS:
        prove(judge, key)
        grade = graded(judge, reply, key, finish)
        holds(grade, reply)
        assert grade == graded(judge, reply, key, finish)


@pytest.mark.parametrize("judge", TEXT_GRADERS, ids=lambda judge: str(judge.identity()))
@settings(max_examples=60)
@given(reply=texts, golds=st.lists(texts, max_size=3), finish=finishes)
def test_any_reply_to_any_right_answers_has_a_grade(judge: Grader, reply: str, golds: list[str], finish: str) -> None:
    key = texts_key(*golds)
    reason = prove(judge, key)
    if reason is None or "graded as" in reason:
        holds(graded(judge, reply, key, finish), reply)
    else:
        with pytest.raises(UnusableKeyError, match=re.escape(reason)):
            graded(judge, reply, key, finish)


@settings(max_examples=100)
@given(gold=texts)
def test_a_right_answer_that_is_proved_passes_as_it_is(gold: str) -> None:
    for judge in TEXT_GRADERS[:4]:
        key: AnswerKey = texts_key(gold)
        if prove(judge, key) is None:
            assert graded(judge, gold, key).passed is True


def test_no_grader_that_reads_runs_a_text() -> None:
    running = {"eval", "exec", "compile", "__import__", "literal_eval", "system", "popen"}
    files = [file for file in Path(graders.__file__).parent.glob("*.py") if not file.name.startswith(THAT_RUN)]
    assert len(files) > 20
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.id if isinstance(called, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            # `re.compile` makes a pattern, and a prompt has a part called `system`; `os.system` would run one.
            of_os = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
            harmless = isinstance(node, ast.Attribute) and (name == "compile" or (name == "system" and not of_os))
            assert name not in running or harmless, file.name
