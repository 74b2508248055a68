"""A duel of the store, judged again from the answers and verdicts that were kept; nothing is asked.

It comes out as it was printed as long as all that decided it is in the store. What is not, is named: a verdict counts
only if its key is that of the question that would be asked now, so that no verdict is taken for another's.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue as Json
from pydantic import ValidationError

from ..config.duel import DimensionConfig, DuelPrompts
from ..errors import PrtError, UsageError
from ..judging.asking import key_of, verdict_of
from ..problems import counted
from ..records import Grade
from ..store.database import Store
from ..store.hidden import kept_grades
from ..store.read import StoredRun
from ..store.runs import PRUNED, RunRecord
from ..store.schema import stored_key
from .asking import call_of, opinion_of
from .facts import facts_of, refusals_of
from .findings import Duel, compared
from .judging import (
    Judged,
    Opinion,
    Pair,
    Question,
    answer_of,
    failures_of,
    judge_all,
    judging_notes,
    make_rules,
    questions_of,
)
from .prompts import prompt_changes
from .sides import SideName, refuse_several_models
from .stored import StoredDuel

VARIABLE = "${"
ESCAPED = "$${"
NO_VERDICT = "the store has no verdict of the judge"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What the store knows of a duel.

    Attributes:
        duel: The duel; None where no dimension can be judged again.
        lacking: The dimensions that can't be, each with why.
        facts: What is known of its runs, whether or not there is a duel.
    """

    duel: Duel | None
    lacking: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptJudge:
    """Gives the verdicts that are in the store.

    Attributes:
        said: The grades of its replies, by the keys of the calls as the store has them.
        keys: What the key of a call is made with: the model's identity, and whether it was asked for a schema.
    """

    said: Mapping[bytes, Grade]
    keys: tuple[tuple[Mapping[str, Json], bool], ...]

    @classmethod
    def of(cls, store: Store, runs: Sequence[RunRecord]) -> "KeptJudge":
        """Read what the judges of a duel said; the newest of what one was asked twice."""
        said: dict[bytes, Grade] = {}
        keys: list[tuple[Mapping[str, Json], bool]] = []
        for run in runs:
            for kept in kept_grades(store, run):
                if kept.grade is not None:
                    said.setdefault(kept.key, kept.grade)
            identity = run.model.get("model")
            if isinstance(identity, dict):
                keys.append((identity, bool(run.model.get("structured"))))
        return cls(said, tuple(keys))

    def grade(self, question: Question) -> Grade | None:
        """What was kept of a question; None where nothing was."""
        call = call_of(0, question)
        keys = (key_of(identity, call, structured=structured) for identity, structured in self.keys)
        found = (self.said.get(stored_key(key)) for key in keys)
        return next((grade for grade in found if grade is not None), None)

    async def opinions(self, questions: Sequence[Question]) -> Sequence[Opinion]:
        """Give each verdict that was kept."""
        return [self._opinion(question) for question in questions]

    def _opinion(self, question: Question) -> Opinion:
        grade = self.grade(question)
        if grade is None:
            return Opinion(None, NO_VERDICT)
        return opinion_of(verdict_of(grade, call_of(0, question).prompt.form))


def rebuilt(store: Store, stored: StoredDuel) -> Rebuilt:
    """Judge a duel again from what is in the store; nothing is asked.

    Args:
        store: The results database.
        stored: The duel.

    Returns:
        The same figures as were printed, as far as the store has what they rest on.

    Raises:
        UsageError: Prompts are compared, and the answers are not of one model.
        StoreError: The store can't be read.
    """
    runs: dict[SideName, StoredRun] = {
        "baseline": StoredRun(store, stored.baseline),
        "candidate": StoredRun(store, stored.candidate),
    }
    prompts = _prompts(stored)
    items = sum(1 for _ in runs["baseline"].items())
    models: dict[SideName, str] = {side: str(run.record.environment.get("model", "")) for side, run in runs.items()}
    judge = str(stored.judges[0].environment.get("model", "")) if stored.judges else ""
    facts = tuple(facts_of(runs, models, prompts=prompts is not None, items=items, judge=judge))
    pruned = next((run.record for run in runs.values() if run.record.state == PRUNED), None)
    if pruned is not None:
        return Rebuilt(None, _all(stored, f"the answers of {pruned.id} were removed ({pruned.reason})"), facts)
    if prompts is not None:
        refuse_several_models({side: run.resolved_models() for side, run in runs.items()})
    pairs = _pairs(runs)
    kept = KeptJudge.of(store, stored.judges)
    usable, lacking = _usable(stored, pairs, kept)
    if not usable:
        return Rebuilt(None, tuple(lacking), facts)
    judged = asyncio.run(judge_all(usable, pairs, make_rules(usable, base=Path()), kept))
    duel = _duel(stored, judged, pairs)
    whole = replace(
        duel,
        notes=(*duel.notes, *refusals_of(runs.values())),
        changes=() if prompts is None else prompt_changes(prompts.baseline, prompts.candidate),
        facts=facts,
    )
    return Rebuilt(whole, tuple(lacking), facts)


def _duel(stored: StoredDuel, judged: Sequence[Judged], pairs: Sequence[Pair]) -> Duel:
    """The duel, without what is known of its runs."""
    alpha, margin = _number(stored, "alpha"), _number(stored, "margin")
    most = int(_number(stored, "failures"))
    return Duel(
        source=stored.name,
        candidate="candidate",
        baseline="baseline",
        dimensions=compared(
            {each.asked: each.pairs for each in judged},
            alpha=alpha,
            margin=margin,
            failures={each.asked.id: failures_of(each, pairs, most) for each in judged},
        ),
        alpha=alpha,
        margin=margin,
        notes=tuple(judging_notes(judged, pairs)),
    )


def _number(stored: StoredDuel, name: str) -> float:
    """A figure of its config, which has every default written out.

    Raises:
        UsageError: It has none.
    """
    value = stored.settings.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{stored.name}: the config in the store has no `{name}`, so it can't be judged again")
    return value


def _pairs(runs: Mapping[SideName, StoredRun]) -> list[Pair]:
    """The two answers to each item that both sides were asked."""
    asked = {item.id for item in runs["candidate"].items()}
    replies = {side: {each.item_id: each.reply for each in run.results()} for side, run in runs.items()}
    return [
        Pair(item, answer_of(replies["candidate"].get(item.id)), answer_of(replies["baseline"].get(item.id)))
        for item in runs["baseline"].items()
        if item.id in asked
    ]


def _prompts(stored: StoredDuel) -> DuelPrompts | None:
    """Both prompts, each as its own side has it; None where models are compared."""
    baseline, candidate = stored.baseline.config.get("prompts"), stored.candidate.config.get("prompts")
    if not isinstance(baseline, dict) or not isinstance(candidate, dict):
        return None
    both = {"baseline": baseline.get("baseline"), "candidate": candidate.get("candidate")}
    try:
        return DuelPrompts.model_validate(_plain(both))
    except ValidationError:
        raise UsageError(f"{stored.name}: the prompts in the store can't be read by this prt") from None


def _all(stored: StoredDuel, why: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, why) for name in stored.dimensions)


def _usable(
    stored: StoredDuel, pairs: Sequence[Pair], kept: KeptJudge
) -> tuple[list[DimensionConfig], list[tuple[str, str]]]:
    """The dimensions that can be judged again, and why the others can't."""
    usable: list[DimensionConfig] = []
    lacking: list[tuple[str, str]] = []
    for name, each in stored.dimensions.items():
        try:
            dimension = DimensionConfig.model_validate(_plain(each))
        except ValidationError:
            lacking.append((name, "this prt can't read it as the store has it"))
            continue
        if why := _fault(dimension, each, pairs, kept):
            lacking.append((name, why))
        else:
            usable.append(dimension)
    return usable, lacking


def _fault(dimension: DimensionConfig, written: Json, pairs: Sequence[Pair], kept: KeptJudge) -> str:
    """Why a dimension can't be judged again; empty where it can."""
    if dimension.rule is not None:
        if isinstance(dimension.rule.json_schema, str):
            return f"its rule reads the file {dimension.rule.json_schema}, which is not in the store"
        if any(VARIABLE in text.replace(ESCAPED, "") for text in _texts(written)):
            return "its rule holds a variable of the environment, which is not in the store"
        try:
            make_rules([dimension], base=Path())
        except PrtError as error:
            return str(error)
        return ""
    questions = questions_of(dimension, pairs)
    given = sum(kept.grade(question) is not None for question in questions)
    if questions and not given:
        return f"the store has no verdict of a judge on any of its {counted(len(questions), 'question')}"
    return ""


def _texts(value: Json) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        parts: Iterable[Json] = value.values() if isinstance(value, dict) else value
        for part in parts:
            yield from _texts(part)


def _plain(value: Json) -> Json:
    """What a config means, which writes `$${` for a plain `${`."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value.replace(ESCAPED, VARIABLE) if isinstance(value, str) else value
