"""Dataset files to items: fields, golds, ids, samples, and what is said of bad rows."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from prt.perturbations.question import Example, Message
from prt.runner.datasets.load import SKIP
from prt.runner.errors import ConfigError, DatasetError

from .dataset_files import load

Row = dict[str, object]


def mcq(number: int, answer: object = "B", **more: object) -> Row:
    return {"question": f"Question {number}?", "options": ["red", "green", "blue"], "answer": answer, **more}


def refused(folder: Path, rows: Sequence[Row], **config: Any) -> list[str]:
    """The lines of the error, without how to leave such rows out."""
    with pytest.raises(DatasetError) as caught:
        load(folder, rows, **config)
    return str(caught.value).removesuffix(f"; {SKIP}").split("\n")


def test_how_to_leave_bad_rows_out_is_said_where_others_can_be_used(tmp_path: Path) -> None:
    good, bad = {"question": "Why?", "answer": "So."}, {"question": "", "answer": "So."}
    with pytest.raises(DatasetError, match=r"is empty; `dataset\.on_bad_item: skip` leaves such rows out$"):
        load(tmp_path, [good, bad])
    with pytest.raises(DatasetError, match=r"the question is empty$"):
        load(tmp_path, [bad, bad])


def test_a_row_becomes_a_typed_question(tmp_path: Path) -> None:
    row = {
        "key": "t-1",
        "ticket": {"text": "Where is my parcel?"},
        "labels": [{"text": "shipping"}, {"text": "billing"}],
        "gold": "shipping",
        "customer": 17,
        "mail": ["first mail", "second mail"],
        "role": "You sort tickets.",
    }
    fields = {
        "id": "key",
        "question": "ticket.text",
        "options": "labels[].text",
        "answer": "gold",
        "cluster": "customer",
        "context": "mail",
        "system": "role",
    }
    prompt = {"instruction": "Choose one.", "answer": "Answer with {labels}.", "template": None}
    item = load(tmp_path, [row], fields=fields, prompt=prompt).items[0]
    assert item.id == "t-1"
    assert item.question.text == "Where is my parcel?"
    assert item.question.options == ("shipping", "billing")
    assert item.question.context == ("first mail", "second mail")
    assert item.question.system == "You sort tickets."
    assert item.question.instruction == "Choose one."
    assert item.question.answer_form == "label"
    assert item.question.answer_instruction == "Answer with {labels}."
    assert item.gold.options == (0,)
    assert item.cluster == "17"
    assert item.row == row
    assert item.number == 1


def test_a_question_may_be_put_together(tmp_path: Path) -> None:
    row = {"premise": "It {broke}.", "question": "cause", "choice1": "Rain.", "choice2": "Sun.", "label": 0}
    other = row | {"label": 1}
    fields = {
        "question": "{premise} What was the {question}?",
        "options": ["choice1", "choice2"],
        "answer": "label",
    }
    items = load(tmp_path, [row, other], fields=fields).items
    assert items[0].question.text == "It {broke}. What was the cause?"
    assert [item.gold.options for item in items] == [(0,), (1,)]


def test_a_chat_gives_system_prompt_history_and_question(tmp_path: Path) -> None:
    chat = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."},
        {"role": "user", "content": "Which?\n(A) x\n(B) y\nAnswer:"},
    ]
    fields = {"question": "input", "options": {"inside": "input"}, "answer": "ideal"}
    loaded = load(tmp_path, [{"input": chat, "ideal": "[B]"}], fields=fields, prompt={"system": "Be kind."})
    question = loaded.items[0].question
    assert question.system == "Be brief."
    assert question.history == (Message("user", "Hello"), Message("assistant", "Hi."))
    assert (question.text, question.options) == ("Which?", ("x", "y"))
    assert loaded.items[0].gold.options == (1,)
    assert "a system prompt of the row's own takes the place of prompt.system in 1 item" in loaded.notes
    assert any('closing cue behind the options was taken away in 1 item ("Answer:")' in note for note in loaded.notes)


TURNS = [
    {"role": "system", "content": "Answer in one word."},
    {"role": "user", "content": "What boils at 100 °C?"},
    {"role": "assistant", "content": "water"},
]


def test_a_chat_may_stand_in_a_cell_of_a_table(tmp_path: Path) -> None:
    cell = json.dumps(TURNS).replace('"', '""')
    loaded = load(tmp_path, f'turns\n"{cell}"\n', "items.csv", fields={"question": "turns", "answer": "turns"})
    (item,) = loaded.items
    assert (item.question.system, item.question.text) == ("Answer in one word.", "What boils at 100 °C?")
    assert item.gold.texts == ("water",)


def test_options_stand_inside_a_chat_in_a_cell(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Which is a metal?\n(A) iron\n(B) salt"}]
    fields = {"question": "turns", "options": {"inside": "turns"}}
    (item,) = load(tmp_path, [{"turns": json.dumps(turns), "answer": "A"}], fields=fields).items
    assert (item.question.text, item.question.options) == ("Which is a metal?", ("iron", "salt"))


@pytest.mark.parametrize("text", ["[1, 2, 3]", '["role"]', "[{'role': 'user'}]", '[{"name": "x"}]', "[broken"])
def test_a_text_that_only_looks_like_a_chat_is_a_question(tmp_path: Path, text: str) -> None:
    (item,) = load(tmp_path, [{"question": text, "answer": "x"}]).items
    assert item.question.text == text


def test_a_row_may_bring_its_own_examples_which_stand_instead_of_the_configs(tmp_path: Path) -> None:
    own = [{"question": "Own?", "options": ["x", "y"], "answer": "B"}]
    items = load(
        tmp_path,
        [mcq(1, shots=own), mcq(2, "C")],
        fields={"examples": "shots"},
        prompt={"examples": [{"question": "Shared?", "answer": "yes"}]},
    ).items
    assert items[0].question.examples == (Example("Own?", ("x", "y"), 1),)
    assert items[1].question.examples == (Example("Shared?", (), "yes"),)


@pytest.mark.parametrize(
    ("shots", "sentence"),
    [
        ("Own?", "the examples are a text, where a list of {question, options, answer} is needed"),
        ([{"question": "Own?"}], "example 0 is"),
        ([{"question": "Own?", "options": ["x"], "answer": "z"}], 'example 0: the answer "z" is no option'),
    ],
)
def test_examples_of_a_row_that_cannot_be_used_name_the_row(tmp_path: Path, shots: object, sentence: str) -> None:
    (line,) = refused(tmp_path, [mcq(1, shots=shots)], fields={"examples": "shots"})
    assert "data.jsonl:1: shots: " in line
    assert sentence in line


@pytest.mark.parametrize(
    ("chat", "words"),
    [
        ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], "don't end with the user's"),
        ([{"role": "bot", "content": "a"}], 'a message\'s role is "bot"'),
        ([{"role": "user", "content": [{"type": "image_url"}]}], "a message has no text among its parts"),
        ([{"role": "user", "content": "a"}, {"role": "system", "content": "b"}], "a system message stands among"),
    ],
)
def test_a_chat_that_asks_nothing_is_refused(tmp_path: Path, chat: object, words: str) -> None:
    assert words in refused(tmp_path, [{"question": chat, "answer": "x"}])[0]


def test_options_that_stand_inside_another_field_leave_the_question_alone(tmp_path: Path) -> None:
    row = {"question": "Which?", "block": "Pick one.\n(A) x\n(B) y", "answer": "A"}
    question = load(tmp_path, [row], fields={"options": {"inside": "block"}}).items[0].question
    assert (question.text, question.options) == ("Which?", ("x", "y"))


def test_options_may_be_the_same_in_every_row(tmp_path: Path) -> None:
    rows = [{"question": "a", "answer": "True"}, {"question": "b", "answer": False}]
    items = load(tmp_path, rows, fields={"options": {"fixed": ["True", "False"]}}).items
    assert [item.gold.options for item in items] == [(0,), (1,)]


def test_without_options_the_gold_is_text(tmp_path: Path) -> None:
    rows = [
        {"question": "a", "answer": 51.0},
        {"question": "b", "answer": ["6 geese", " six geese ", "6 geese"]},
        {"question": "c", "answer": True},
        {"question": "d", "answer": "1,000"},
    ]
    loaded = load(tmp_path, rows)
    assert [item.gold.texts for item in loaded.items] == [("51",), ("6 geese", "six geese"), ("true",), ("1,000",)]
    assert loaded.items[0].question.answer_form == "text"


def test_a_pattern_finds_the_answer_in_its_field(tmp_path: Path) -> None:
    rows: list[Row] = [{"question": "a", "answer": "2 * 9 = <<2*9=18>>18\n#### 1,018"}]
    assert load(tmp_path, rows, answer_pattern="#### (.+)").items[0].gold.texts == ("1,018",)
    lines = refused(tmp_path, [*rows, {"question": "b", "answer": "no mark"}], answer_pattern="#### (.+)")
    assert lines == ['data.jsonl:2: answer: row 2: dataset.answer_pattern finds no answer in "no mark"']


def test_several_fields_may_hold_right_answers(tmp_path: Path) -> None:
    row = {"question": "a", "answer": "x", "also": "y", "more": None}
    assert load(tmp_path, [row], fields={"answer": ["answer", "also", "more"]}).items[0].gold.texts == ("x", "y")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "the answer is null"),
        ("", "the answer is empty"),
        ([], "the answer is an empty list"),
        (["x", None], "an answer is null"),
        ({"text": ["x"]}, "an answer is an object with the keys `text`"),
    ],
)
def test_an_answer_that_is_none_is_named(tmp_path: Path, answer: object, words: str) -> None:
    line = refused(tmp_path, [{"question": "a", "answer": "x"}, {"question": "b", "answer": answer}])[0]
    assert line.startswith(f"data.jsonl:2: answer: row 2: {words}")


def test_a_gold_that_is_no_option_is_named_with_the_options(tmp_path: Path) -> None:
    assert refused(tmp_path, [mcq(1), mcq(2, "yellow")]) == [
        'data.jsonl:2: row 2: the answer "yellow" is none of the options A: "red"; B: "green"; C: "blue"'
    ]


def test_a_gold_is_read_as_the_config_says(tmp_path: Path) -> None:
    line = refused(tmp_path, [mcq(1, 3)], answer_as="index")[0]
    assert 'the answer "3" as a 0-based index is none of 3 options' in line
    assert load(tmp_path, [mcq(1, 3)], answer_as="index1").items[0].gold.options == (2,)


def test_golds_with_two_readings_name_the_row_both_readings_and_the_key(tmp_path: Path) -> None:
    assert refused(tmp_path, [mcq(1, 1), mcq(2, 2)]) == [
        (
            'data.jsonl:1: answer: row 1: the answer "1" can be read in two ways: as a 0-based index it means option 2,'
            " as a 1-based index it means option 1; say what answers are by dataset.answer_as: label, index, index1 or"
            " text"
        )
    ]


def test_an_index_needs_options(tmp_path: Path) -> None:
    line = refused(tmp_path, [{"question": "a", "answer": 1}], answer_as="index")[0]
    assert line.endswith("there are no options, so the answer can't be a 0-based index (dataset.answer_as)")


def test_rows_beyond_the_limit_still_decide_how_golds_are_read(tmp_path: Path) -> None:
    assert load(tmp_path, [mcq(1, 1), mcq(2, 0)], limit=1).items[0].gold.options == (1,)


def test_bad_rows_may_be_skipped_and_are_counted(tmp_path: Path) -> None:
    loaded = load(tmp_path, [mcq(1), mcq(2, ""), mcq(3, "yellow"), mcq(4)], on_bad_item="skip")
    assert [item.id for item in loaded.items] == ["1", "4"]
    assert [problem.line for problem in loaded.skipped] == [2, 3]
    assert loaded.rows == 4


def test_bad_rows_met_by_a_sample_are_named_in_the_files_order(tmp_path: Path) -> None:
    lines = refused(tmp_path, [mcq(number, "yellow" if number < 9 else "A") for number in range(10)], sample=10)
    assert [line.split(":")[1] for line in lines] == [" rows 1, 2, 3 and 6 more"]


def test_a_file_with_only_bad_rows_is_refused_even_when_they_may_be_skipped(tmp_path: Path) -> None:
    assert len(refused(tmp_path, [mcq(1, "yellow"), mcq(2, None)], on_bad_item="skip")) == 2


def test_bad_rows_of_one_kind_are_shown_once_with_the_places_of_the_others(tmp_path: Path) -> None:
    lines = refused(tmp_path, [mcq(number, f"colour {number}") for number in range(30)] + [mcq(31)])
    assert len(lines) == 4
    assert lines[-1].startswith("data.jsonl: rows 4, 5, 6 and 24 more: the answer … is none of the options")


def test_one_mistake_in_many_rows_is_one_line_with_the_first_rows_and_their_number(tmp_path: Path) -> None:
    rows: list[Row] = [{"question": "Half \0?" + "!" * number, "answer": "x"} for number in range(30)]
    assert refused(tmp_path, [mcq(0), mcq(0, None), *rows, mcq(1, None)]) == [
        "data.jsonl: rows 2 and 33: answer: the answer is null",
        (
            "data.jsonl: rows 3, 4, 5 and 27 more: question: this is a text with a NUL character (\\x00), which can't"
            " be sent"
        ),
    ]


def test_a_position_beyond_the_options_is_one_line_for_many_rows_of_different_options(tmp_path: Path) -> None:
    rows = [
        mcq(number, 7) | {"options": [f"it is {word}", "none"]} for number, word in enumerate(("dry", "wet", "icy"))
    ]
    assert refused(tmp_path, [*rows, mcq(4, 0)]) == [
        'data.jsonl: rows 1, 2 and 3: the answer "7" is none of 2 options, by label, text or position'
    ]


def test_objects_where_texts_are_needed_name_the_path_that_the_config_must_write(tmp_path: Path) -> None:
    choices = [{"key": "A", "value": "iron"}, {"key": "B", "value": "salt"}]
    row: Row = {"q": {"stem": "Which?", "choices": choices}, "gold": {"id": "1", "texts": ["iron"]}}
    rows = [row] * 3
    fields = {"question": "q.stem", "options": "q.choices", "answer": "gold.texts"}
    assert refused(tmp_path, rows, fields=fields) == [
        (
            "data.jsonl: rows 1, 2 and 3: q.choices: an option is an object with the keys `key`, `value`, where a text"
            " is needed; name the key of its text: `q.choices[].value`"
        )
    ]
    fields["options"] = "q.choices[].value"
    assert load(tmp_path, rows, fields=fields).items[0].question.options == ("iron", "salt")
    for key, path, words in (
        ("question", "q", "`q.stem`"),
        ("answer", "gold", "`gold.texts`"),
        ("context", "q.choices", "`q.choices[].value`"),
    ):
        assert refused(tmp_path, [row], fields=fields | {key: path})[0].endswith(words)


def test_a_file_without_answers_says_so_and_lists_its_keys(tmp_path: Path) -> None:
    assert refused(tmp_path, [{"question": "a", "passage": "p", "idx": 0}]) == [
        (
            "data.jsonl: dataset.fields.answer: no row has an answer: `answer` is in no row; the rows have `question`,"
            " `passage`, `idx`; without right answers there is nothing to grade"
        )
    ]


def test_every_field_that_is_in_no_row_is_named_with_what_was_probably_meant(tmp_path: Path) -> None:
    lines = refused(
        tmp_path, [mcq(1, topic="t")], fields={"question": "qestion", "cluster": "Topic", "context": "page"}
    )
    assert lines == [
        (
            "data.jsonl: dataset.fields.question: `qestion` is in no row; the rows have `question`, `options`,"
            " `answer`, `topic`; did you mean `question`?"
        ),
        (
            "data.jsonl: dataset.fields.context: `page` is in no row; the rows have `question`, `options`, `answer`,"
            " `topic`"
        ),
        (
            "data.jsonl: dataset.fields.cluster: `Topic` is in no row; the rows have `question`, `options`, `answer`,"
            " `topic`; did you mean `topic`?"
        ),
    ]


def test_a_field_that_ends_within_a_row_says_where(tmp_path: Path) -> None:
    line = refused(tmp_path, [{"question": {"stem": "a"}, "answer": "x"}], fields={"question": "question.stm"})[0]
    assert line.endswith("in row 1: no `stm` in `question`; there is `stem`; did you mean `stem`?")


def test_a_field_missing_in_one_row_names_that_row(tmp_path: Path) -> None:
    line = refused(tmp_path, [mcq(1), {"answer": "B"}])[0]
    assert line.startswith("data.jsonl:2: question: row 2: no `question`; there is `answer`")


def test_optional_fields_may_be_missing_or_null_in_a_row(tmp_path: Path) -> None:
    rows = [mcq(1, page="p", topic="t"), mcq(2, page=None), mcq(3)]
    items = load(tmp_path, rows, fields={"context": "page", "cluster": "topic"}).items
    assert [item.question.context for item in items] == [("p",), (), ()]
    assert [item.cluster for item in items] == ["t", "", ""]


def test_a_column_called_options_may_be_none(tmp_path: Path) -> None:
    rows: list[Row] = [{"question": "Wie spät ist es?", "options": "--verbose", "answer": "noon"}]
    assert refused(tmp_path, rows)[0].endswith("; if these are no options, set dataset.fields.options: []")
    item = load(tmp_path, rows, fields={"options": []}).items[0]
    assert (item.question.options, item.gold.texts) == ((), ("noon",))


def test_an_empty_question_is_named(tmp_path: Path) -> None:
    assert "the question is empty" in refused(tmp_path, [{"question": " \n", "answer": "x"}])[0]


def test_a_lone_surrogate_is_named_by_row_and_field(tmp_path: Path) -> None:
    rows: list[Row] = [mcq(1), mcq(2) | {"question": "Half \ud83d?"}]
    assert refused(tmp_path, rows) == [
        (
            "data.jsonl:2: question: row 2: this is a text with a lone surrogate, half of a character (\\ud83d), which"
            " can't be sent"
        )
    ]


def test_a_whole_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    content = '{"question": "\\ud83d\\ude00?", "answer": "x"}\n'
    assert load(tmp_path, content).items[0].question.text == "😀?"


def test_ids_come_from_their_field_from_id_or_from_the_row(tmp_path: Path) -> None:
    rows = [mcq(1, id="a", doc="d", n=1), mcq(2, id="b", doc="d", n=2)]
    for spec, ids in ((None, ["a", "b"]), ("n", ["1", "2"]), ("{doc}-{n}", ["d-1", "d-2"]), ("#", ["1", "2"])):
        assert [item.id for item in load(tmp_path, rows, fields={"id": spec}).items] == ids
    assert [item.id for item in load(tmp_path, [mcq(1), mcq(2)]).items] == ["1", "2"]


def test_equal_ids_are_refused_with_both_rows(tmp_path: Path) -> None:
    lines = refused(tmp_path, [mcq(1, id=7), mcq(2, id="8"), mcq(3, id="7")])
    assert lines == [
        (
            'data.jsonl:3: id: rows 1 and 3 have the same id "7"; name a field that is unique in dataset.fields.id, or'
            " `#` for the row's number"
        )
    ]


def test_an_empty_id_is_refused_where_one_is_promised(tmp_path: Path) -> None:
    assert "the id is empty" in refused(tmp_path, [mcq(1, key="a"), mcq(2, key="")], fields={"id": "key"})[0]


def test_a_limit_takes_the_first_usable_rows(tmp_path: Path) -> None:
    rows = [mcq(number) for number in range(9)]
    assert [item.id for item in load(tmp_path, rows, limit=2).items] == ["1", "2"]
    assert [item.id for item in load(tmp_path, [mcq(1), mcq(2, "yellow"), mcq(3)], limit=1).items] == ["1"]


def test_a_larger_sample_holds_each_smaller_one_in_the_files_order(tmp_path: Path) -> None:
    rows = [mcq(number, id=f"q{number}") for number in range(60)]
    samples = [[item.id for item in load(tmp_path, rows, sample=size).items] for size in (5, 20, 60)]
    assert set(samples[0]) < set(samples[1]) < set(samples[2])
    assert samples[1] == sorted(samples[1], key=lambda key: int(key[1:]))
    assert samples[1] != [row["id"] for row in rows[:20]]


def test_a_sample_hangs_on_the_seed_and_not_on_the_order_of_rows(tmp_path: Path) -> None:
    rows = [mcq(number, id=f"q{number}") for number in range(40)]
    drawn = {item.id for item in load(tmp_path, rows, sample=10).items}
    assert {item.id for item in load(tmp_path, rows[::-1], sample=10).items} == drawn
    assert {item.id for item in load(tmp_path, rows, sample=10, seed=1).items} != drawn


def test_a_sample_larger_than_the_file_says_so(tmp_path: Path) -> None:
    loaded = load(tmp_path, [mcq(1), mcq(2, "C")], sample=5)
    assert loaded.notes == ("dataset.sample asks for 5 items, and 2 can be used",)


def test_golds_in_one_slot_are_noted(tmp_path: Path) -> None:
    loaded = load(tmp_path, [mcq(number, "A") for number in range(5)])
    assert loaded.notes == (
        (
            "the right answer is option 1 in each of the 5 items with options, so a model that always picks it looks"
            " perfect; `dataset.shuffle_options: true` mixes the options"
        ),
    )


def test_shuffled_options_carry_their_golds(tmp_path: Path) -> None:
    rows = [mcq(number, "A") for number in range(40)]
    loaded = load(tmp_path, rows, shuffle_options=True)
    orders = {item.question.options for item in loaded.items}
    assert len(orders) == 6
    assert all(item.question.options[item.gold.options[0]] == "red" for item in loaded.items)
    assert loaded.notes == ()


def test_shuffling_hangs_on_seed_and_item_alone(tmp_path: Path) -> None:
    rows = [mcq(number, "A", id=f"q{number}") for number in range(20)]
    first = {item.id: item.question.options for item in load(tmp_path, rows, shuffle_options=True).items}
    again = {item.id: item.question.options for item in load(tmp_path, rows[::-1], shuffle_options=True).items}
    other = {item.id: item.question.options for item in load(tmp_path, rows, shuffle_options=True, seed=1).items}
    assert first == again
    assert first != other


def test_none_of_the_above_is_shuffled_to_the_end(tmp_path: Path) -> None:
    rows = [mcq(number, "A") | {"options": ["None of the above", "x", "y"]} for number in range(12)]
    loaded = load(tmp_path, rows, shuffle_options=True)
    assert {item.question.options[-1] for item in loaded.items} == {"None of the above"}
    assert {item.gold.options for item in loaded.items} == {(2,)}


def test_options_that_name_each_other_name_them_after_the_shuffle(tmp_path: Path) -> None:
    rows = [mcq(number) | {"options": ["x", "y", "z", "Both A and C"]} for number in range(30)]
    orders = {item.question.options for item in load(tmp_path, rows, shuffle_options=True).items}
    assert len(orders) > 10
    for options in orders:
        named = next(text for text in options if text.startswith("Both "))
        labels = sorted("ABCD"[options.index(text)] for text in ("x", "z"))
        assert sorted(named.removeprefix("Both ").split(" and ")) == labels


def test_options_that_name_each_other_by_place_keep_their_order(tmp_path: Path) -> None:
    options = ["x", "the option above", "y"]
    loaded = load(tmp_path, [mcq(number) | {"options": options} for number in range(4)], shuffle_options=True)
    assert {item.question.options for item in loaded.items} == {tuple(options)}
    assert any("keep their order in 4 items, such as: an option speaks of others" in note for note in loaded.notes)


def test_where_one_of_two_equal_options_is_right_both_are(tmp_path: Path) -> None:
    loaded = load(tmp_path, [mcq(1) | {"options": ["x", "y", "y"]}])
    assert loaded.items[0].gold.options == (1, 2)
    assert loaded.notes == ("two options have the same text in 1 item; where one is right, both are",)


def test_right_answers_that_are_all_the_same_are_noted(tmp_path: Path) -> None:
    rows = [{"question": f"Is it {number}?", "answer": "yes"} for number in range(5)]
    note = 'the right answer is "yes" in each of the 5 items, so a model that always says it looks perfect'
    assert load(tmp_path, rows).notes == (note,)
    assert load(tmp_path, rows[:4]).notes == ()
    assert load(tmp_path, [*rows, {"question": "Is it 6?", "answer": "no"}]).notes == ()


EXAMPLES = [
    {"question": "question  2?", "options": ["y", "x"], "answer": "B"},
    {"question": "Other?", "options": ["x", "y"], "answer": 0},
    {"question": "Free?", "answer": "yes"},
]


def test_examples_are_typed(tmp_path: Path) -> None:
    loaded = load(tmp_path, [mcq(1)], prompt={"examples": EXAMPLES})
    assert loaded.items[0].question.examples == (
        Example("question  2?", ("y", "x"), 1),
        Example("Other?", ("x", "y"), 0),
        Example("Free?", (), "yes"),
    )
    assert loaded.notes == ()


def test_an_item_that_stands_among_its_examples_is_refused_or_skipped(tmp_path: Path) -> None:
    given = {"question": "question  2?", "options": mcq(2)["options"], "answer": "B"}
    rows = [mcq(1), mcq(2, "C")]
    with pytest.raises(DatasetError, match="its question is one of the few-shot examples, which tell its answer"):
        load(tmp_path, rows, prompt={"examples": [given]})
    loaded = load(tmp_path, rows, prompt={"examples": [given]}, on_bad_item="skip")
    assert [item.id for item in loaded.items] == ["1"]
    assert len(loaded.skipped) == 1


def test_the_same_question_with_other_options_or_about_a_passage_is_another(tmp_path: Path) -> None:
    rows = [mcq(1), mcq(2, "C")]
    assert len(load(tmp_path, rows, prompt={"examples": EXAMPLES}).items) == 2
    given = {"question": "question 2?", "options": mcq(2)["options"], "answer": "B"}
    told = [row | {"passage": f"passage {number}"} for number, row in enumerate(rows)]
    fields = {"context": "passage"}
    assert len(load(tmp_path, told, prompt={"examples": [given]}, fields=fields).items) == 2


@pytest.mark.parametrize("answer", [2, -1, "z"])
def test_an_examples_answer_that_is_no_option_is_a_config_error(tmp_path: Path, answer: object) -> None:
    examples = [{"question": "Other?", "options": ["x", "y"], "answer": answer}]
    with pytest.raises(ConfigError, match=r"prompt\.examples\[0\]\.answer: the answer .* is no option"):
        load(tmp_path, [mcq(1)], prompt={"examples": examples})


def test_a_blank_instruction_is_none_and_a_blank_closing_line_leaves_it_out(tmp_path: Path) -> None:
    question = load(tmp_path, [mcq(1)], prompt={"instruction": " \n", "answer": ""}).items[0].question
    assert question.instruction == ""
    assert question.answer_form == "none"
    assert question.answer_instruction == ""


def test_a_template_that_leaves_the_options_out_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"prompt\.template: The template has no field \{options\}"):
        load(tmp_path, [mcq(1)], prompt={"template": "Q: {question}"})


def test_an_address_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="is an address, where a file is needed"):
        load(tmp_path, [mcq(1)], "data.jsonl", path="https://example.org/data.jsonl")


def test_json_in_a_cell_is_opened_by_a_path(tmp_path: Path) -> None:
    cell = json.dumps({"choices": ["x", "y"], "gold": 1}).replace('"', '""')
    content = f'question,data\na,"{cell}"\nb,"{cell.replace("1", "0")}"\n'
    items = load(tmp_path, content, "data.csv", fields={"options": "data.choices", "answer": "data.gold"}).items
    assert [item.gold.options for item in items] == [(1,), (0,)]


def test_a_right_answer_that_looks_like_none_is_noted_with_what_to_do(tmp_path: Path) -> None:
    table = "id,question,answer\na,One?,7\nb,Two?,nan\nc,Three?,N/A\nd,Four?,nan\n"
    (note,) = load(tmp_path, table, "data.csv").notes
    assert note == (
        'the right answer is "nan" or "N/A" in 3 of 4 items, and is taken as that text; where it stands for no answer,'
        " `filter: {answer: {not_in: ['nan', 'N/A']}}` under `dataset` leaves such rows out"
    )
    kept = load(tmp_path, table, "data.csv", filter={"answer": {"not_in": ["nan", "N/A"]}})
    assert [item.id for item in kept.items] == ["a"]
    assert kept.notes == ("dataset.filter keeps 1 of 4 rows",)


def test_a_label_none_is_an_answer(tmp_path: Path) -> None:
    assert load(tmp_path, "question,answer\nOne?,none\nTwo?,some\n", "data.csv").notes == ()
    rows = [{"question": "One?", "options": ["None", "Some"], "answer": "None"}]
    assert load(tmp_path, rows).notes == ()
