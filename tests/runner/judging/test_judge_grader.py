"""What a judge is shown of an answer, and what its verdict makes of it; the documents say the same."""

import re
from pathlib import Path
from typing import Any

import pytest
from prt.perturbations.question import Gold, Message, Question
from prt.runner.config.embedded import EMBEDDED
from prt.runner.config.loading import parse_config
from prt.runner.config.models import LocalModel, OpenAIModel
from prt.runner.config.schema import GradeConfig
from prt.runner.graders.base import make_grader, prove
from prt.runner.graders.judge import NOT_ASKED, JudgeGrader
from prt.runner.graders.judges import judge_name
from prt.runner.judging.forms import FORMATS
from prt.runner.judging.prompts import Matter, pairwise, similarity
from prt.runner.judging.structured import in_schema, takes_schema
from prt.runner.judging.verdict import PASS_FAIL, PREFERENCE, SCORE, Verdict
from prt.runner.records import AnswerKey, Item, Reply, ReplyError, Request
from pydantic import JsonValue as Json

from .court import fenced_text

DOCS = Path(__file__).parents[3] / "docs" / "judging.md"
JUDGE = {"provider": "openai", "name": "judge-1", "base_url": "http://127.0.0.1:1/v1", "api_key_env": None}


def grader(**keys: Any) -> JudgeGrader:
    config = GradeConfig.model_validate({"grader": "judge", "rubric": "Right?", "model": JUDGE, **keys})
    made = make_grader(config, base=Path())
    assert isinstance(made, JudgeGrader)
    return made


def key(question: Question | None = None, gold: Gold | None = None, **rest: Any) -> AnswerKey:
    item = Item("q", question or Question("Which city?"), gold or Gold(texts=("Paris",)), row=rest.pop("row", {}))
    return AnswerKey(item, **rest)


def test_options_are_shown_as_they_were_shown_and_the_right_one_by_its_label_there() -> None:
    asked = Question("Which city?", options=("Lyon", "Paris"), instruction="Choose.", context=("France has cities.",))
    shown = key(asked, Gold(options=(1,)), labels=("A", "B"), options=("Paris", "Lyon"), permutation=(1, 0))
    prompt = grader().prompt(Reply(text="A"), shown).messages[-1].content
    assert fenced_text(prompt, "question") == "Choose.\n\nFrance has cities.\n\nWhich city?\n\nA. Paris\nB. Lyon"
    assert fenced_text(prompt, "reference") == "A. Paris"


def test_the_conversation_before_the_question_is_shown() -> None:
    asked = Question(
        "And Spain?", system="Be brief.", history=(Message("user", "France?"), Message("assistant", "Paris"))
    )
    prompt = grader().prompt(Reply(text="Madrid"), key(asked)).messages[-1].content
    assert fenced_text(prompt, "question") == "system: Be brief.\n\nuser: France?\n\nassistant: Paris\n\nAnd Spain?"


def test_each_right_answer_has_a_fence_of_its_own() -> None:
    prompt = grader().prompt(Reply(text="x"), key(gold=Gold(texts=("noon", "12 o'clock")))).messages[-1].content
    assert len(re.findall(r"^<reference ", prompt, re.MULTILINE)) == 2


def test_texts_with_braces_are_inserted_once_and_verbatim() -> None:
    hostile = "{answer} {0} %s {{rubric}} \\1"
    prompt = grader(rubric=hostile).prompt(Reply(text=hostile), key(gold=Gold(texts=(hostile,)))).messages[-1].content
    assert [fenced_text(prompt, name) for name in ("rubric", "reference", "answer")] == [hostile] * 3


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(error=ReplyError("timeout", "no answer")), "error"),
        (Reply(text="x", refusal="no"), "refused"),
        (Reply(text="x", finish_reason="length"), "truncated"),
        (Reply(text=" "), "unparsed"),
        (Reply(text="<think>x</think> "), "unparsed"),
        (Reply(reasoning="hm"), "unparsed"),
        (Reply(text="Sorry, I can't help with that."), "judge_error"),
        (Reply(text="Paris"), "judge_error"),
    ],
)
def test_without_a_call_only_what_holds_no_answer_has_a_grade(reply: Reply, status: str) -> None:
    grade = grader().grade(reply, key())
    missing = status in {"error", "judge_error"}
    assert (grade.status, grade.passed) == (status, None if missing else False)
    assert (grade.reason == NOT_ASKED) == (status == "judge_error")


def test_a_verdict_makes_a_grade_and_an_unreadable_one_is_missing() -> None:
    passing = grader().grade_of(Verdict(label="pass", reason="It says so."))
    assert (passing.passed, passing.status, passing.answer, passing.reason) == (True, "graded", "pass", "It says so.")
    assert grader().grade_of(Verdict(label="fail")).passed is False
    scoring = grader(verdict="score", threshold=0.7)
    assert [scoring.grade_of(Verdict(score=score)).passed for score in (0.69, 0.7, 1.0)] == [False, True, True]
    unread = grader().grade_of(Verdict(problem="it is empty"))
    assert (unread.passed, unread.status, unread.reason) == (None, "judge_error", "it is empty")


@pytest.mark.parametrize(
    "other",
    [
        {"rubric": "Polite?"},
        {"verdict": "score"},
        {"reference": False},
        {"context": "facts"},
        {"structured": True},
        {"model": {**JUDGE, "name": "judge-2"}},
        {"count_as_fail": []},
    ],
)
def test_whatever_decides_a_verdict_is_a_part_of_the_grade_s_key(other: dict[str, Any]) -> None:
    assert grader(**other).identity() != grader().identity()


def test_the_threshold_is_a_part_of_the_key_where_it_counts() -> None:
    assert grader(verdict="score").identity() != grader(verdict="score", threshold=0.6).identity()
    assert "threshold" not in grader().identity()


def test_the_opened_judge_takes_the_place_of_what_the_config_says() -> None:
    opened = grader().by({"provider": "openai", "name": "judge-1", "base_url": "there"}, structured=True)
    assert opened.identity()["model"] == {"provider": "openai", "name": "judge-1", "base_url": "there"}
    assert opened.identity()["structured"] is True
    assert judge_name(opened.identity()) == "judge-1"
    assert judge_name({"name": "choice"}) == ""
    function: dict[str, Json] = {"provider": "python", "callable": "judging.py:judge", "sha256": "0123456789abcdef"}
    assert judge_name(grader().by(function, structured=False).identity()) == "judging.py:judge"
    weights: dict[str, Json] = {"provider": "local", "sha256": "0123456789abcdef", "context": None}
    assert judge_name(grader().by(weights, structured=False).identity()) == "a local model (SHA-256 0123456789ab…)"
    embedded: dict[str, Json] = {**weights, "sha256": EMBEDDED.sha256}
    assert judge_name(grader().by(embedded, structured=False).identity()) == EMBEDDED.name


def test_an_item_without_what_the_judge_is_shown_can_t_be_proved() -> None:
    assert prove(grader(), key()) is None
    assert "no right answer to show the judge" in (prove(grader(), key(gold=Gold())) or "")
    assert prove(grader(reference=False), key(gold=Gold())) is None
    assert "no text in 'facts'" in (prove(grader(context="facts"), key(row={"facts": 3})) or "")
    assert prove(grader(context="facts"), key(row={"facts": "It is so."})) is None


def test_each_form_of_reply_has_its_schema_and_no_other_prompt_has() -> None:
    for form, wording in FORMATS.items():
        format_: Any = in_schema(Request((Message("user", f"… {wording}"),)))["response_format"]
        schema = format_["json_schema"]["schema"]
        assert schema["required"] == ["reason", form.key]
        assert schema["properties"][form.key].get("enum") == (list(form.labels) or None)
    assert in_schema(Request((Message("user", "Hello"),))) == {}


def test_a_schema_is_asked_for_by_itself_where_it_is_known_to_work() -> None:
    model = OpenAIModel(name="m")
    assert takes_schema(model, "https://api.openai.com/v1")
    assert not takes_schema(model, "https://api.openai.com.example/v1")
    assert not takes_schema(OpenAIModel(name="m", params={"response_format": {}}), "https://api.openai.com/v1")
    assert takes_schema(LocalModel(provider="local"), "")


def test_two_answers_stand_in_the_order_given() -> None:
    for prompt in (pairwise("Shorter?", "one", "two", Matter("Q?")), similarity("one", "two", Matter("Q?"))):
        content = prompt.messages[-1].content
        assert (fenced_text(content, "answer-A"), fenced_text(content, "answer-B")) == ("one", "two")
        assert prompt.quoted == ("one", "two")
    assert pairwise("Shorter?", "one", "two", Matter()).form == PREFERENCE
    assert similarity("one", "two", Matter()).form == SCORE
    assert grader().prompt(Reply(text="x"), key()).form == PASS_FAIL


def test_the_config_in_the_documents_is_one() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    config = parse_config(block, Path("prt.yaml"), env={}).config
    assert config.grade is not None
    assert config.grade.grader == "judge"


def test_the_documents_name_every_key_of_a_judge() -> None:
    from prt.runner.config.schema import READS  # noqa: PLC0415 - wanted here alone

    own = {name for name, readers in READS.items() if readers == ("judge",)}
    keys, _, _ = DOCS.read_text(encoding="utf-8").partition("| `label` (or")  # where the columns of labels begin
    assert set(re.findall(r"^\| `(\w+)` \|", keys, re.MULTILINE)) == own
