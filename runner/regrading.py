"""Grading the stored replies of a run by another grader: what changes, and why; no model is asked."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue as Json

from ..perturbations.variant import Variant
from .analysis import analyse_run
from .errors import GraderError
from .findings import Report
from .graders.base import Grader, Prover
from .graders.judge import JudgeGrader
from .graders.status import judge_error
from .plan import BASELINE, answer_key
from .records import Grade, Item
from .store.read import StoredRun
from .store.regrades import Regradable, add_grades, regradable
from .store.results import NewResult
from .store.runs import grader_key

AT_ONCE = 200
"""Grades that are stored in one transaction."""
NOT_GRADED = "not graded"

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """One reply that another grader judges otherwise, or reads otherwise.

    Attributes:
        text: The reply.
        before: The grade by the run's grader; None where it has not graded the reply.
        after: The grade by the other one.
    """

    item_id: str
    condition: str
    repeat: int
    text: str
    before: Grade | None
    after: Grade


@dataclass(frozen=True, slots=True)
class Regraded:
    """What came of grading a run by another grader.

    Attributes:
        run: The run's id.
        grader: The identity of the run's grader.
        other: The identity of the other one.
        cells: Cells that have a reply or a failed call.
        transitions: How many cells go from one outcome to another: `pass`, `fail`, a status, or `not graded`.
        changes: The cells whose outcome changes.
        reread: The cells whose outcome stays, and whose answer is read otherwise.
        untrusted: The variants on which the other grader fails its proof, with the reason; their grades are
            `judge_error`.
        before: The run's report by its own grader.
        after: The same by the other one.
    """

    run: str
    grader: Mapping[str, Json]
    other: Mapping[str, Json]
    cells: int
    transitions: Mapping[tuple[str, str], int]
    changes: tuple[Change, ...]
    reread: int
    untrusted: Mapping[Place, str]
    before: Report
    after: Report


@dataclass(slots=True)
class _Proofs:
    """Whether a grader can be trusted with each variant of a run, tried once each."""

    grader: Grader
    items: Mapping[str, Item]
    variants: Mapping[Place, Variant]
    found: dict[Place, str] = field(default_factory=dict)
    provers: dict[str, Prover] = field(default_factory=dict)

    def reason(self, place: Place) -> str:
        """Why it can't be trusted with a variant; empty where it can."""
        if place not in self.found:
            self.found[place] = self._tried(place) or ""
        return self.found[place]

    def _tried(self, place: Place) -> str | None:
        item, variant = self.items[place[0]], self.variants[place]
        prover = self.provers.setdefault(item.id, Prover(self.grader, item))
        return prover.reason(answer_key(item, variant), changed=variant.gold is not None)

    def grade(self, cell: Regradable) -> Grade:
        """The grade of a cell's reply."""
        place = cell.item_id, cell.condition
        if reason := self.reason(place):
            return judge_error(f"this grader can't be trusted here: {reason}")
        return self.grader.grade(cell.reply, answer_key(self.items[cell.item_id], self.variants[place]))


def outcome(grade: Grade | None) -> str:
    """`pass`, `fail`, the status where no answer was read, or `not graded`."""
    if grade is None:
        return NOT_GRADED
    return grade.status if grade.status != "graded" else "pass" if grade.passed else "fail"


def regrade(
    run: StoredRun,
    grader: Grader,
    *,
    config: Mapping[str, Json] | None = None,
    on_done: Callable[[], None] = lambda: None,
) -> Regraded:
    """Grade every stored reply of a run by another grader, and store these grades beside the run's own.

    What the grader has graded before is not graded again, unless it could not judge it. A judge is not asked here, but
    before, by `judge_run`.

    Args:
        run: The run; its store must be open.
        grader: The other grader.
        config: The `grade` block that makes it, by which its judge is priced; None where that is not known.
        on_done: Told of each cell.

    Returns:
        What changes.

    Raises:
        GraderError: It can grade no item of the run.
        StoreError: The store can't be read or written.
    """
    identity, record = grader.identity(), run.record
    key = grader_key(identity)
    variants = {(each.item_id, each.condition): each for each in run.variants()}
    proofs = _Proofs(grader, {item.id: item for item in run.items()}, variants)
    _refuse_if_useless(proofs)
    asked = isinstance(grader, JudgeGrader)
    transitions: Counter[tuple[str, str]] = Counter()
    changes: list[Change] = []
    reread = 0
    pending: list[NewResult] = []
    for cell in regradable(run.store, record, key):
        is_final = cell.other is not None and (asked or cell.other.status != "judge_error")
        after = cell.other if cell.other and is_final else proofs.grade(cell)
        if after is not cell.other:
            pending.append(NewResult(cell.variant, cell.repeat, cell.reply_id, after))
        if len(pending) >= AT_ONCE:
            add_grades(run.store, record, key, pending)
            pending = []
        transitions[outcome(cell.grade), outcome(after)] += 1
        if outcome(cell.grade) != outcome(after) or (cell.grade and cell.grade.passed is not after.passed):
            place = cell.item_id, cell.condition, cell.repeat
            changes.append(Change(*place, cell.reply.text, cell.grade, after))
        elif cell.grade and cell.grade.extracted != after.extracted:
            reread += 1
        on_done()
    add_grades(run.store, record, key, pending)
    changed = {**record.config, "grade": None if config is None else dict(config)}
    return Regraded(
        run=record.id,
        grader=record.grader,
        other=identity,
        cells=transitions.total(),
        transitions=transitions,
        changes=tuple(changes),
        reread=reread,
        untrusted={place: reason for place, reason in proofs.found.items() if reason},
        before=analyse_run(run),
        after=analyse_run(StoredRun(run.store, replace(record, grader=identity, grader_key=key, config=changed))),
    )


def _refuse_if_useless(proofs: _Proofs) -> None:
    """Refuse a grader that fails its proof on every original."""
    reasons = [proofs.reason(place) for place in proofs.variants if place[1] == BASELINE]
    if reasons and all(reasons):
        raise GraderError(f"the grader {proofs.grader.name!r} can grade no item of this run: {reasons[0]}")
