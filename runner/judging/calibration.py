"""A judge beside people, on the same answers: how far it agrees, and where it doesn't."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydantic import JsonValue as Json

from ...stats import Estimate, HypothesisTest, JudgedLabels, JudgeTable
from .labels import Labelled, Labels, Place

SEED = 0
"""Of κ's interval: the same labels give the same limits."""
NO_VERDICT = "judge_error"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge made of one labelled answer.

    Attributes:
        row: The answer, with its label.
        verdict: Whether the judge passes it; None where there is no verdict.
        status: `graded` where there is one, `judge_error` where the judge's can't be read; else why it was not asked:
            `truncated`, `refused`, `unparsed`, `error` or `not_graded`.
        reason: What the judge says for it, or why there is no verdict; empty where it says nothing.
        answer: The answer, for those who read it; empty where it is not known.
    """

    row: Labelled
    verdict: bool | None
    status: str = "graded"
    reason: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a calibration file keeps of one labelled answer.

    Attributes:
        item: The item.
        condition: The condition.
        repeat: The repeat, from 0.
        content: Hash of the texts that were judged; empty where they are not known.
        label: What a person said.
        verdict: What the judge said; None where there is no verdict.
        status: As of `Judgement`.
    """

    item: str
    condition: str
    repeat: int
    content: str
    label: bool
    verdict: bool | None
    status: str = "graded"

    @property
    def place(self) -> Place:
        """Which answer it is."""
        return Place(self.item, self.condition, self.repeat)


@dataclass(frozen=True, slots=True)
class Figures:
    """How far a judge agrees with people.

    Attributes:
        table: The counts.
        agreement: Share of answers that both judge alike.
        kappa: Cohen's κ, agreement beyond chance.
        sensitivity: Share of what people pass that the judge passes too.
        specificity: Share of what people fail that the judge fails too.
        lenience: Exact test of whether the judge passes as many as people do.
        items: Different items among the answers.
        worth: How many independent answers these are worth, for the agreement; as many as there are where each is to
            another item.
    """

    table: JudgeTable
    agreement: Estimate
    kappa: Estimate
    sensitivity: Estimate
    specificity: Estimate
    lenience: HypothesisTest
    items: int
    worth: float

    @property
    def is_better_than_chance(self) -> bool:
        """Whether a rate can be corrected by it: it was seen on both sides, and sensitivity + specificity > 1."""
        found, refused = self.sensitivity.estimate, self.specificity.estimate
        return found is not None and refused is not None and found + refused > 1.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge beside people.

    Attributes:
        labels: The file of labels, as the user named it.
        sha256: Of its bytes.
        judge: The identity of the grader that judged; None where its verdicts were made elsewhere.
        name: The judge, in words; empty where it is not known.
        run: The run whose grades were compared; empty where there is none.
        kept: What was said of each labelled answer.
        unlabelled: Rows of the file without a label, which are in no figure.
    """

    labels: str
    sha256: str
    judge: Mapping[str, Json] | None
    name: str
    run: str
    kept: tuple[Kept, ...]
    unlabelled: int = 0

    @property
    def table(self) -> JudgeTable:
        """The counts over all answers with a verdict."""
        return self.judged.table

    @property
    def judged(self) -> JudgedLabels:
        """The answers with a verdict."""
        return judged_labels(self.kept)

    @property
    def unreadable(self) -> int:
        """Answers of which the judge gave no verdict that can be read."""
        return sum(each.status == NO_VERDICT for each in self.kept)

    @property
    def not_asked(self) -> dict[str, int]:
        """Answers that the judge was not asked about, by why."""
        others = (each.status for each in self.kept if each.verdict is None and each.status != NO_VERDICT)
        return dict(sorted(Counter(others).items()))

    @property
    def items(self) -> int:
        """Different items among the answers with a verdict."""
        return len({each.item for each in self.kept if each.verdict is not None})

    def figures(self, *, level: float = 0.95) -> Figures:
        """How far the judge agrees with people."""
        return figures_of(self.judged, level=level)

    def by_condition(self, *, level: float = 0.95) -> dict[str, Figures]:
        """The same under each condition; nothing where all labels are of one."""
        names = dict.fromkeys(each.condition for each in self.kept if each.verdict is not None)
        if len(names) < 2:
            return {}
        of_each = {name: judged_labels(each for each in self.kept if each.condition == name) for name in names}
        return {name: figures_of(judged, level=level) for name, judged in of_each.items()}


@dataclass(frozen=True, slots=True)
class Saved:
    """A calibration that was read from a file.

    Attributes:
        place: The file, as the user named it.
        calibration: What it holds.
    """

    place: str
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration with all that is told of it once.

    Attributes:
        calibration: What is kept.
        judgements: Each labelled answer.
        notes: What the user should read.
    """

    calibration: Calibration
    judgements: tuple[Judgement, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def disagreements(self) -> tuple[Judgement, ...]:
        """Answers that judge and people see differently, those that the judge wrongly passes first."""
        apart = [each for each in self.judgements if each.verdict is not None and each.verdict != each.row.label]
        return tuple(sorted(apart, key=lambda each: not each.verdict))


def calibrated(
    labels: Labels,
    judgements: Iterable[Judgement],
    *,
    judge: Mapping[str, Json] | None = None,
    name: str = "",
    run: str = "",
    notes: Sequence[str] = (),
) -> Calibrated:
    """Put what a judge said beside what people said.

    Args:
        labels: The file of labels.
        judgements: What the judge made of each row that has a label.
        judge: The identity of the grader that judged, where it is known.
        name: The judge, in words.
        run: The run whose grades these are.
        notes: What else the user should read.
    """
    every = tuple(judgements)
    kept = tuple(
        Kept(*each.row.place, each.row.content, each.row.label, each.verdict, each.status)
        for each in every
        if each.row.label is not None
    )
    unlabelled = sum(row.label is None for row in labels.rows)
    calibration = Calibration(labels.name, labels.sha256, judge, name, run, kept, unlabelled)
    return Calibrated(calibration, every, (*labels.notes, *notes))


def judged_elsewhere(labels: Labels) -> list[Judgement]:
    """The judgements that stand in the file itself, in its column `judge`."""
    return [judged_as_written(row) for row in labels.rows if row.label is not None]


def judged_as_written(row: Labelled) -> Judgement:
    """The judgement that stands in a row of the file."""
    status = NO_VERDICT if row.verdict is None else "graded"
    return Judgement(row, row.verdict, status, answer=row.texts.get("answer", ""))


def judged_labels(kept: Iterable[Kept]) -> JudgedLabels:
    """The answers with a verdict, with the items that they are to."""
    said = [(each.verdict, each.label, each.item) for each in kept if each.verdict is not None]
    verdicts, labels, items = zip(*said, strict=True) if said else ((), (), ())
    return JudgedLabels(verdicts, labels, items)


def figures_of(judged: JudgedLabels, *, level: float) -> Figures:
    """The figures of answers with a verdict; several answers to one item count as what they are worth."""
    return Figures(
        table=judged.table,
        agreement=judged.agreement(level=level),
        kappa=judged.kappa(rng=np.random.default_rng(SEED), level=level),
        sensitivity=judged.sensitivity(level=level),
        specificity=judged.specificity(level=level),
        lenience=judged.lenience(),
        items=len(set(judged.items)),
        worth=judged.worth(level=level),
    )
