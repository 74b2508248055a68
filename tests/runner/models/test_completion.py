"""Reading chat completions, whatever endpoints put into them."""

import pytest
from prt.runner.models.completion import parse_object, read_completion
from prt.runner.models.failure import FailedAttempt
from prt.runner.records import Reply
from pydantic import JsonValue as Json


def completion(message: Json, finish_reason: Json = "stop", **rest: Json) -> dict[str, Json]:
    return {"choices": [{"message": message, "finish_reason": finish_reason}], **rest}


def read(message: Json, finish_reason: Json = "stop", **rest: Json) -> Reply:
    return read_completion(completion(message, finish_reason, **rest), "it")


def test_text_model_and_tokens_are_kept() -> None:
    usage: Json = {"prompt_tokens": 7, "completion_tokens": 3}
    reply = read({"content": " B\n"}, model="m-2025-04-14", usage=usage)
    assert reply == Reply(text=" B\n", finish_reason="stop", model="m-2025-04-14", prompt_tokens=7, completion_tokens=3)


def test_what_the_endpoint_says_of_its_machinery_is_kept_where_it_is_a_text() -> None:
    assert read({"content": "B"}, system_fingerprint="fp_9").fingerprint == "fp_9"
    assert read({"content": "B"}, system_fingerprint=None) == Reply(text="B", finish_reason="stop")
    assert read({"content": "B"}, system_fingerprint=9).fingerprint == ""


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "7",
        {"prompt_tokens": None},
        {"prompt_tokens": "7"},
        {"prompt_tokens": -1},
        {"prompt_tokens": 1 << 31},
    ],
)
def test_missing_or_odd_usage_is_unknown(usage: Json) -> None:
    assert read({"content": "B"}, usage=usage) == Reply(text="B", finish_reason="stop")


@pytest.mark.parametrize("message", [{"content": None}, {}])
def test_no_content_is_an_empty_text_with_its_finish_reason(message: Json) -> None:
    assert read(message, "length") == Reply(text="", finish_reason="length")


def test_no_finish_reason_is_an_empty_one() -> None:
    assert read({"content": "B"}, None) == Reply(text="B")


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_in_a_field_of_its_own_is_kept_apart(name: str) -> None:
    assert read({"content": "B", name: "because"}) == Reply(text="B", finish_reason="stop", reasoning="because")


def test_a_refusal_is_kept_apart() -> None:
    assert read({"content": None, "refusal": "I can't."}) == Reply(finish_reason="stop", refusal="I can't.")


def test_parts_are_joined_by_their_kind() -> None:
    content: Json = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, {"type": "text", "text": "m"}]},
        {"type": "text", "text": "The answer "},
        {"type": "text", "text": "is B."},
        {"type": "refusal", "refusal": "no"},
        {"type": "image_url", "image_url": {"url": "data:"}},
        "!",
    ]
    reply = read({"content": content})
    assert (reply.text, reply.reasoning, reply.refusal) == ("The answer is B.!", "hmm", "no")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "no `choices`"),
        ({"choices": None}, "`choices: null`"),
        ({"choices": []}, "`choices: []`"),
        ({"choices": {}}, "`choices: {}`"),
        ({"choices": [None]}, "a choice that is no object"),
        ({"choices": [{}]}, "a choice without a message"),
        ({"choices": [{"message": "B"}]}, "a choice without a message"),
        (completion({"content": 7}), "content is neither text, a list of parts nor null"),
    ],
)
def test_what_is_no_completion_says_what_it_is_instead(body: dict[str, Json], reason: str) -> None:
    with pytest.raises(FailedAttempt, match=r"^it sent ") as failed:
        read_completion(body, "it")
    assert reason in str(failed.value)
    assert (failed.value.error.kind, failed.value.again) == ("bad_response", True)


def test_a_byte_order_mark_before_the_json_is_read_away() -> None:
    assert parse_object('\ufeff{"a": 1}', "it") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it sent an empty body"),
        ("\n", "it sent an empty body"),
        ('{"a": ', "it sent a body that is no JSON (Expecting value"),
        ("<html><title>Oops</title></html>", "it sent a page titled 'Oops' instead of JSON"),
        ("[1]", "it sent JSON that is no object"),
        ("[" * 100_000, "it sent a body that is no JSON"),
        ("9" * 5000, "it sent a body that is no JSON"),
    ],
)
def test_what_is_no_json_object_says_what_it_is_instead(text: str, reason: str) -> None:
    with pytest.raises(FailedAttempt) as failed:
        parse_object(text, "it")
    assert str(failed.value).startswith(reason)
