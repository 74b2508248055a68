"""What stands in a reply: a paraphrase and nothing else, or a verdict; all else is unreadable, with a reason."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.paraphrasing.replies import UnreadableError, read_paraphrase, read_verdict

ORIGINAL = "What is the capital of France?"
TEXT = "Which city is the capital of France?"


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps({"paraphrase": TEXT}),
        f'  {{"paraphrase": "{TEXT}"}}\n',
        f'```json\n{{"paraphrase": "{TEXT}"}}\n```',
        f'```\n{{"paraphrase": "{TEXT}"}}```',
        f"```\n{TEXT}\n```",
        f'<think>They want {{JSON}}.</think>\n{{"paraphrase": "{TEXT}"}}',
        f'{{"paraphrase": "{TEXT}", "note": "the same"}}',
        TEXT,
        f'"{TEXT}"',
        f"“{TEXT}”",
        f"Sure, here is the reworded question: {TEXT}",
        f"Sure! Here's a paraphrased version:\n\n{TEXT}",
        f'Certainly.\n{{"paraphrase": "{TEXT}"}}',
        f'Here is the JSON:\n```json\n{{"paraphrase": "{TEXT}"}}\n```',
        f"**Paraphrased question:** {TEXT}",
        f"Question: {TEXT}",
        f"The reworded question is:\n\n{TEXT}",
        f'Rephrased: "{TEXT}"',
    ],
)
def test_a_paraphrase_is_read_without_what_stands_around_it(reply: str) -> None:
    assert read_paraphrase(reply, ORIGINAL) == TEXT


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "it is empty"),
        ('{"paraphrase": " "}', "it is empty"),
        ('{"paraphrase": null}', "its JSON has no text under 'paraphrase'"),
        ('{"text": "Which city?"}', "its JSON has no text under 'paraphrase'"),
        ('["Which city?"]', "its JSON is no object"),
        ('{"paraphrase": "Which city', "it is broken JSON, or has something besides its JSON"),
        ('{"paraphrase": "Which city?"} Hope it helps!', "it is broken JSON, or has something besides its JSON"),
        ('{"paraphrase": "a", "paraphrase": "b"}', "it is broken JSON, or has something besides its JSON"),
        ('I would say {"paraphrase": "Which city?"}', "it has something besides its JSON"),
        ("Which city?\n\nThe answer is Paris.", "it has more paragraphs than the question"),
        ("<think>Which city? I will", "it is empty"),
        ('{"a":' * 5000, "it is broken JSON, or has something besides its JSON"),
    ],
)
def test_what_is_no_paraphrase_says_why(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read_paraphrase(reply, ORIGINAL)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("original", "reply"),
    [
        ("Sure, John said: go?", "Sure, John said: leave?"),
        ("Question: which?", "Question: what?"),
        ('"To be": who wrote that?', '"To be": by whom?"'),
        ("Who said it?", 'Who said "it"'),
        ("Who said it?", '"a" or "b"'),
        ("One.\n\nTwo?", "Uno.\n\nDue?"),
        ("What now?", "Sure, Ann asked: what next?"),
    ],
)
def test_what_belongs_to_the_text_stays(original: str, reply: str) -> None:
    assert read_paraphrase(reply, original) == reply


@given(st.text(st.characters(), max_size=120), st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_reply_is_unreadable_or_a_text_that_stands_in_it(reply: str, original: str) -> None:
    with suppress(UnreadableError):
        text = read_paraphrase(reply, original)
        assert text == text.strip() != ""
        assert text in reply


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120))
@settings(max_examples=150, deadline=None)
def test_what_is_written_as_asked_is_read_as_written(text: str) -> None:
    reply = json.dumps({"paraphrase": text})
    if not text.strip():
        with pytest.raises(UnreadableError):
            read_paraphrase(reply, ORIGINAL)
    else:
        assert read_paraphrase(reply, ORIGINAL) == text.strip()


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"same": true}', True),
        ('```json\n{"same": false}\n```', False),
        ('<think>no: {"same": true}</think>{"same": false, "why": "a number"}', False),
    ],
)
def test_a_verdict_is_json(reply: str, *, verdict: bool) -> None:
    assert read_verdict(reply) is verdict


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "yes",
        "true",
        "same",
        '{"same": "true"}',
        '{"same": 1}',
        '{"same": null}',
        "{}",
        'It is {"same": true}',
        "[true]",
    ],
)
def test_what_is_no_plain_verdict_is_none(reply: str) -> None:
    with pytest.raises(UnreadableError):
        read_verdict(reply)
