"""What becomes of replies without a readable answer: each status, and what it counts as."""

import pytest
from prt.runner.records import AnswerKey, Reply, ReplyError, Status

from .keys import ALL_STATUSES, graded, grader, options_key, texts_key

CHOICE, KEY = grader("choice"), options_key()
NAMES = ("choice", "exact", "contains", "numeric", "regex")


def key_for(name: str) -> AnswerKey:
    return KEY if name == "choice" else texts_key("5" if name == "numeric" else "Paris")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(error=ReplyError("timeout", "no answer in 600 s")), "error"),
        (Reply(text="B", error=ReplyError("server", "500")), "error"),
        (Reply(text="B", finish_reason="content_filter"), "refused"),
        (Reply(text="B", finish_reason="SAFETY"), "refused"),
        (Reply(refusal="I will not."), "refused"),
        (Reply(), "unparsed"),
        (Reply(text=" \n\t"), "unparsed"),
        (Reply(reasoning="The answer is B."), "unparsed"),
        (Reply(text="B", reasoning="It could be C. The answer is C."), "graded"),
        (Reply(finish_reason="length"), "truncated"),
        (Reply(finish_reason="MAX_TOKENS", text="Let us see whether"), "truncated"),
        (Reply(text="I'm sorry, but I can't help with that."), "refused"),
        (Reply(text="I’m sorry, but I can’t assist with Paris."), "refused"),
        (Reply(text="No, I cannot help with this request."), "refused"),
        (Reply(text="As an AI language model, I have no opinion on Paris."), "refused"),
        (Reply(text="抱歉，我无法回答这个问题。"), "refused"),
        (Reply(text="Lo siento, pero no puedo ayudar con eso."), "refused"),
        (Reply(text="I'm sorry for the delay. The answer is B."), "graded"),
        (Reply(text="I cannot help but notice that the answer is B."), "graded"),
        (Reply(text="I don't know."), "unparsed"),
        (Reply(text="B or C"), "unparsed"),
        (Reply(text="<think>The answer is B."), "unparsed"),
        (Reply(text="B", finish_reason="stop"), "graded"),
        (Reply(text="C", finish_reason=""), "graded"),
    ],
)
def test_a_reply_has_the_status_of_what_happened_to_it(reply: Reply, status: Status) -> None:
    assert CHOICE.grade(reply, KEY).status == status


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "(B)",
        "B.",
        "Answer: B",
        "**B**",
        "B\n",
        "Answer: B\n\nIt is the seat of",
        "B. Paris, since it",
        "Paris",
        "The answer is B. It houses",
        r"So $\boxed{B}$",
        "We add it up. Final answer: B.\nI hope",
        '{"answer": "B", "why": "be',
    ],
)
def test_a_cut_off_reply_is_graded_where_its_answer_is_whole_and_final(text: str) -> None:
    grade = graded(CHOICE, text, KEY, "length")
    assert (grade.status, grade.passed) == ("graded", True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let me think about B",
        "Lyon is smaller. So the answer is B. But let me che",
        "It is either B",
        "The answer is not",
        "First, (B) is the capital of",
        "Let us go through them.\nA. Lyon is no\nB. Paris is",
        "We see that B is correct",
        "So B",
    ],
)
def test_a_chain_of_thought_cut_off_in_the_middle_is_truncated(text: str) -> None:
    assert graded(CHOICE, text, KEY, "length").status == "truncated"


def test_a_cut_off_option_text_that_another_option_begins_with_is_truncated() -> None:
    key = options_key(("Guilty", "Guilty of Romance"), gold=(0,))
    assert graded(CHOICE, "Guilty", key, "length").status == "truncated"
    assert graded(CHOICE, "Guilty", key, "stop").status == "graded"
    assert graded(CHOICE, "Guilty of Romance", key, "length").status == "graded"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", ALL_STATUSES)
def test_the_config_says_which_statuses_count_as_fail_and_the_others_are_missing(name: str, status: str) -> None:
    parameters = {"pattern": r"is (\w+)"} if name == "regex" else {}
    replies = {
        "unparsed": Reply(),
        "truncated": Reply(finish_reason="length"),
        "refused": Reply(text="?", refusal="I will not."),
    }
    failing = grader(name, count_as_fail=[status], **parameters)
    for other, reply in replies.items():
        grade = failing.grade(reply, key_for(name))
        assert (grade.status, grade.passed) == (other, False if other == status else None)


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_call_never_counts_as_fail(name: str) -> None:
    parameters = {"pattern": r"is (\w+)"} if name == "regex" else {}
    judge = grader(name, count_as_fail=list(ALL_STATUSES), **parameters)
    grade = judge.grade(Reply(error=ReplyError("connection", "broken off")), key_for(name))
    assert (grade.passed, grade.status, grade.reason) == (None, "error", "connection: broken off")


@pytest.mark.parametrize("name", ["exact", "contains", "numeric"])
def test_a_refusal_in_words_is_told_from_a_wrong_answer(name: str) -> None:
    judge, key = grader(name), key_for(name)
    assert graded(judge, "I'm sorry, but I can't help with that.", key).status == "refused"
    assert graded(judge, "It is 7, or Rome.", key).passed is False


def test_reasoning_in_a_field_of_its_own_is_not_read() -> None:
    assert "reasoning" in CHOICE.grade(Reply(reasoning="The answer is B."), KEY).reason
    assert CHOICE.grade(Reply(text="C", reasoning="The answer is B."), KEY).answer == "2"


def test_a_filtered_reply_says_why_it_is_refused() -> None:
    assert "content_filter" in CHOICE.grade(Reply(text="B", finish_reason="content_filter"), KEY).reason
