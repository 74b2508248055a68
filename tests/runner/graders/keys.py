"""What the tests of graders are about: answer keys, graders from a config, the data files beside the tests."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prt.perturbations.question import Gold, Question
from prt.runner.config.schema import GradeConfig
from prt.runner.graders import Grader, make_grader
from prt.runner.graders.options import Options, options_of
from prt.runner.records import AnswerKey, Grade, Item, Reply
from pydantic import JsonValue as Json

HERE = Path(__file__).parent
CITIES = ("Lyon", "Paris", "Marseille", "Nice")
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ALL_STATUSES = ("unparsed", "truncated", "refused")


def data(name: str) -> Any:
    """A JSON file beside the tests."""
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def grader(name: str, **parameters: object) -> Grader:
    """The grader of a config block."""
    return grader_in(HERE, name, **parameters)


def grader_in(folder: Path, name: str, **parameters: object) -> Grader:
    """The grader of a block of a config that lies in a folder."""
    return make_grader(GradeConfig.model_validate({"grader": name, **parameters}), base=folder)


def options_key(
    options: Sequence[str] = CITIES,
    gold: Sequence[int] = (1,),
    labels: Sequence[str] = LETTERS,
    permutation: Sequence[int] | None = None,
) -> AnswerKey:
    """The key of a question with options, given in the dataset's order; the permutation says how they are shown."""
    order = tuple(permutation) if permutation is not None else tuple(range(len(options)))
    item = Item("q1", Question("Which one?", options=tuple(options)), Gold(options=tuple(gold)))
    return AnswerKey(item, tuple(labels[: len(options)]), tuple(options[index] for index in order), order)


def texts_key(*texts: str, row: Mapping[str, Json] | None = None) -> AnswerKey:
    """The key of a question that is answered by a text or a number."""
    return AnswerKey(Item("q1", Question("What is it?"), Gold(texts=texts), row=row or {}))


def options_shown(texts: Sequence[str], labels: Sequence[str]) -> Options:
    """Options in the dataset's order under these labels."""
    return options_of(tuple(labels), tuple(texts), tuple(range(len(texts))))


def graded(judge: Grader, text: str, key: AnswerKey, finish_reason: str = "stop") -> Grade:
    """The grade of a reply with this text."""
    return judge.grade(Reply(text=text, finish_reason=finish_reason), key)
