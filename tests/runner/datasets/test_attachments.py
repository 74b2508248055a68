"""Images and other parts of a chat message: carried along byte for byte, and never part of the text."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prt.perturbations.canonical import canonical_json
from prt.perturbations.question import Message
from prt.runner.datasets.values import data_url
from prt.runner.errors import DatasetError, UsageError
from prt.runner.models.content import content_of
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.http import filled
from prt.runner.plan import plan_cells
from prt.runner.prepare import prepare
from prt.runner.records import Cell, Item, Request

from ..fault_server import FaultServer, answers
from ..models.asking import chat, opened, reply
from .dataset_files import jsonl, load, write

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "low"}}
OTHER = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}
TEXT = {"type": "text", "text": "What animal stands beside the yellow building here?"}
PNG = b"\x89PNG\r\n\x1a\n"


def user(*parts: object) -> list[dict[str, Any]]:
    return [{"role": "user", "content": list(parts)}]


def item_of(folder: Path, question: object, **more: Any) -> Item:
    return load(folder, [{"question": question, "answer": "a dog"}], **more).items[0]


def refused(folder: Path, question: object, **more: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        item_of(folder, question, **more)
    return str(caught.value)


CONFIG = """\
model: {name: m, base_url: "http://127.0.0.1:9/v1", api_key_env: null}
dataset: data.jsonl
perturbations: [{typo: {severity: hard, variants: 3}}]
grade: exact
"""


def cells(folder: Path, question: object, config: str = CONFIG) -> list[Cell]:
    """The calls of a run on one item."""
    write(folder, "data.jsonl", jsonl({"question": question, "answer": "a dog"}))
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    prepared = prepare(folder / "config.yaml", env={})
    return list(plan_cells(prepared.items, prepared.variants, identity={}))


def parts_of(message: Message) -> list[Any]:
    content = content_of(message)
    assert isinstance(content, list)
    return content


@pytest.mark.parametrize("question", [user(IMAGE, TEXT), [IMAGE, TEXT]], ids=["messages", "parts"])
def test_the_text_part_is_the_question_and_the_others_are_sent_as_they_are(tmp_path: Path, question: object) -> None:
    item = item_of(tmp_path, question)
    assert item.question.text == TEXT["text"]
    assert [(each.part, each.before) for each in item.attachments] == [(canonical_json(IMAGE), True)]


def test_typos_change_the_text_and_no_byte_of_an_image(tmp_path: Path) -> None:
    made = cells(tmp_path, user(IMAGE, TEXT, OTHER))
    sent = [parts_of(cell.messages[-1]) for cell in made]
    assert [cell.condition for cell in made] == ["baseline", "typo.1", "typo.2", "typo.3", "rerun.1"]
    assert len({parts[1]["text"] for parts in sent}) == 4
    assert all([parts[0], parts[2]] == [IMAGE, OTHER] for parts in sent)
    assert not any("base64" in cell.messages[-1].content for cell in made)


def test_a_bundle_holds_no_image(tmp_path: Path) -> None:
    cells(tmp_path, user(IMAGE, TEXT))
    prepared = prepare(tmp_path / "config.yaml", env={})
    assert "base64" not in canonical_json(list(prepared.bundle.variants))


def test_another_image_is_another_call(tmp_path: Path) -> None:
    other = json.loads(json.dumps(IMAGE).replace("low", "high"))
    keys = {cells(tmp_path, user(image, TEXT))[0].key for image in (IMAGE, other, IMAGE)}
    assert len({*keys, cells(tmp_path, user(TEXT, IMAGE))[0].key, cells(tmp_path, TEXT["text"])[0].key}) == 4


def test_an_endpoint_is_sent_the_parts_in_the_order_of_the_data(tmp_path: Path) -> None:
    message = cells(tmp_path, user(IMAGE, TEXT, OTHER))[0].messages[-1]
    with FaultServer(answers()) as server:
        reply(opened(chat(server.base_url)), Request((message,)))
        (call,) = server.calls
    assert call.json["messages"] == [
        {"role": "user", "content": [IMAGE, {"type": "text", "text": message.content}, OTHER]}
    ]


def test_an_application_without_a_place_for_images_fails_the_call_and_says_so(tmp_path: Path) -> None:
    messages = cells(tmp_path, user(IMAGE, TEXT))[0].messages
    with pytest.raises(FailedAttempt, match=r"the prompt has an attachment, .* put '\{messages\}' into it"):
        filled({"q": "{prompt}"}, messages)
    sent = filled({"q": "{messages}"}, messages)["q"]
    assert isinstance(sent, list)
    assert sent[-1] == {"role": "user", "content": content_of(messages[-1])}


def test_texts_that_follow_each_other_are_one_and_earlier_ones_go_with_the_images(tmp_path: Path) -> None:
    label, end = ({"type": "text", "text": text} for text in ("Picture A:", "Now."))
    item = item_of(tmp_path, user(label, IMAGE, TEXT, end))
    assert item.question.text == f"{TEXT['text']}\nNow."
    assert [json.loads(each.part) for each in item.attachments] == [label, IMAGE]


def test_an_earlier_turn_keeps_its_images(tmp_path: Path) -> None:
    turns = [
        *user(IMAGE, TEXT),
        {"role": "assistant", "content": "A cat."},
        {"role": "user", "content": "Are you sure?"},
    ]
    first, _, last = cells(tmp_path, turns)[0].messages
    assert content_of(first) == [IMAGE, TEXT]
    assert isinstance(content_of(last), str)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (user(IMAGE), "a message has no text among its parts"),
        (user(IMAGE, {"type": "text", "txt": "a"}), "a text part of a message has no `text`; it has `type`, `txt`"),
        (user(IMAGE, 3), "a part of a message is a number, where an object with a `type` is needed"),
        ([{"role": "system", "content": [IMAGE, TEXT]}, *user(TEXT)], "the system message holds more than text"),
    ],
)
def test_parts_that_ask_nothing_are_refused(tmp_path: Path, question: object, words: str) -> None:
    assert words in refused(tmp_path, question)


def test_items_with_attachments_are_counted_in_a_note(tmp_path: Path) -> None:
    rows = [{"question": user(IMAGE, TEXT), "answer": "a"}, {"question": "Why?", "answer": "b"}]
    (note,) = load(tmp_path, rows).notes
    assert note.startswith("1 of 2 items carry images or other attachments, sent unchanged")


def test_a_model_that_takes_text_alone_refuses_them_before_any_call(tmp_path: Path) -> None:
    local = re.sub("model: .*", "model: local", CONFIG)
    with pytest.raises(UsageError, match=r"1 of 1 items carry images .* `model: local` reads text alone"):
        cells(tmp_path, user(IMAGE, TEXT), local)
    assert cells(tmp_path, TEXT["text"], local)


@pytest.mark.parametrize(
    ("image", "url"),
    [
        ("https://example.org/dog.png", "https://example.org/dog.png"),
        (data_url(PNG), data_url(PNG)),
        ({"bytes": data_url(PNG), "path": "gone.png"}, data_url(PNG)),
        ({"image_url": {"url": "https://example.org/dog.png"}}, "https://example.org/dog.png"),
        ("pictures/dog.png", data_url(PNG)),
    ],
)
def test_images_of_a_column_stand_before_the_text(tmp_path: Path, image: object, url: str) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "dog.png").write_bytes(PNG)
    for value, count in ((image, 1), ([image, image], 2), (None, 0)):
        row = {"question": "What is it?", "answer": "a dog", "image": value}
        (item,) = load(tmp_path, [row], fields={"images": "image"}).items
        parts = [json.loads(each.part) for each in item.attachments]
        assert parts == [{"type": "image_url", "image_url": {"url": url}}] * count


@pytest.mark.parametrize(
    ("image", "words"),
    [
        ("no.png", 'there is no image file "no.png" beside the dataset'),
        (3, "an image is a number"),
        ({}, "an image is"),
    ],
)
def test_an_image_that_is_not_there_is_named(tmp_path: Path, image: object, words: str) -> None:
    rows = [{"question": "What?", "answer": "a", "image": image}]
    with pytest.raises(DatasetError) as caught:
        load(tmp_path, rows, fields={"images": "image"})
    assert words in str(caught.value)


def test_a_conversation_that_ends_with_its_answer_is_question_and_answer(tmp_path: Path) -> None:
    turns = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."},
        {"role": "user", "content": "What boils at 100 °C?"},
        {"role": "assistant", "content": "water"},
    ]
    fields = {"question": "messages", "answer": "messages"}
    (item,) = load(tmp_path, [{"messages": turns}], fields=fields).items
    assert item.question.text == "What boils at 100 °C?"
    assert [turn.content for turn in item.question.history] == ["Hello", "Hi."]
    assert item.gold.texts == ("water",)
    with pytest.raises(DatasetError, match="don't end with the assistant's, which would be the right answer"):
        load(tmp_path, [{"messages": turns[:-1]}], fields=fields)
    with pytest.raises(DatasetError, match=r"name the messages in dataset\.fields\.answer too"):
        load(tmp_path, [{"messages": turns, "gold": "x"}], fields=fields | {"answer": "gold"})


def test_the_speakers_of_conversations_have_other_names_in_other_formats(tmp_path: Path) -> None:
    turns = [{"from": "human", "value": "Capital of Chad?"}, {"from": "gpt", "value": "N'Djamena"}]
    (item,) = load(
        tmp_path, [{"conversations": turns}], fields={"question": "conversations", "answer": "conversations"}
    ).items
    assert (item.question.text, item.gold.texts) == ("Capital of Chad?", ("N'Djamena",))


WORDS = st.sampled_from(
    ["user", "assistant", "system", "text", "image_url", "Why?", "", "\ud800", "https://example.org/a"]
)
KEYS = st.sampled_from(["role", "content", "from", "value", "type", "text", "image_url", "url", "bytes"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(0, 9), WORDS)
PARTS = st.dictionaries(KEYS, LEAVES, max_size=3)
CONTENTS = st.one_of(LEAVES, PARTS, st.lists(st.one_of(PARTS, LEAVES), max_size=3))
MESSAGES = st.one_of(CONTENTS, st.lists(st.dictionaries(KEYS, CONTENTS, max_size=3), max_size=3))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MESSAGES, CONTENTS)
def test_whatever_stands_for_messages_or_images_is_read_or_refused(tmp_path: Path, messages: Any, image: Any) -> None:
    rows = [{"messages": messages, "image": image, "answer": "x"}]
    sentence = "data.jsonl:"
    for answer in ("answer", "messages"):
        fields = {"question": "messages", "images": "image", "answer": answer}
        try:
            (item,) = load(tmp_path, rows, fields=fields).items
        except DatasetError as error:
            sentence = str(error)
        else:
            assert all(json.loads(each.part) for each in item.attachments)
        assert sentence.startswith("data.jsonl:")
