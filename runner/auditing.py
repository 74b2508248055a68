"""How often a run's grades are wrong, as far as a person judges a random sample of them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import cycle, islice

from pydantic import JsonValue as Json

from ..perturbations.canonical import canonical_hash
from ..perturbations.variant import Variant
from ..stats import Estimate, Stratum, stratified_share
from .config.schema import GradeConfig
from .graders.judges import judge_name
from .graders.suspicion import KINDS, Kind, suspicion
from .plan import answer_key
from .records import Grade, Item, Reply
from .regrading import outcome
from .store.read import StoredRun
from .store.regrades import Regradable, regradable
from .store.verdicts import JudgedReply, Verdict

LEFT_OUT = ("error", "judge_error")


@dataclass(frozen=True, slots=True)
class Case:
    """A grade that a person may be asked about.

    Attributes:
        reply: Which reply it is of.
        kind: What stands out about it.
        outcome: `pass`, `fail`, or the status where no answer was read.
    """

    reply: JudgedReply
    kind: Kind
    outcome: str

    def is_wrong(self, verdict: Verdict) -> bool:
        """Whether the grade passes what a person does not, or the other way round."""
        return (self.outcome == "pass") is not (verdict == "pass")


@dataclass(frozen=True, slots=True)
class Graded:
    """All grades of a run that can be audited.

    Attributes:
        cases: In the order of the dataset.
        left_out: How many can't be: failed calls, replies that could not be judged, and those not graded yet.
    """

    cases: tuple[Case, ...]
    left_out: Mapping[str, int]

    def of_kind(self) -> dict[Kind, list[Case]]:
        """The cases of each kind that has any, in the order of `KINDS`."""
        found: dict[Kind, list[Case]] = {}
        for kind in KINDS:
            cases = [case for case in self.cases if case.kind == kind]
            if cases:
                found[kind] = cases
        return found


@dataclass(frozen=True, slots=True)
class CaseView:
    """All that a person needs to judge a case."""

    case: Case
    item: Item
    variant: Variant
    reply: Reply
    grade: Grade


@dataclass(frozen=True, slots=True)
class KindCount:
    """What was judged of one kind.

    Attributes:
        replies: How many grades of the run are of it.
        judged: How many of these a person judged.
        wrong: How many of the judged are wrong.
    """

    kind: Kind
    replies: int
    judged: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit came to.

    Attributes:
        run: The run's id.
        grader: Its grader's name.
        parameters: What its grader has otherwise than by default.
        kinds: What was judged of each kind.
        wrong: Share of all grades that pass what should not, or do not pass what should.
        false_passes: Share of all grades that pass what should not.
        false_fails: Share of all grades that do not pass what should.
        misread: Judged grades that rightly do not pass, but take a wrong answer for none, or none for a wrong answer.
        left_out: Cells that can't be audited, by why.
        judged_elsewhere: Replies of these that were judged while another grader was under audit, and not since.
    """

    run: str
    grader: str
    kinds: tuple[KindCount, ...]
    wrong: Estimate
    false_passes: Estimate
    false_fails: Estimate
    misread: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Json] = field(default_factory=dict)
    judged_elsewhere: int = 0

    @property
    def unjudged(self) -> tuple[Kind, ...]:
        """The kinds of which nothing was judged, so that there is no estimate."""
        return tuple(each.kind for each in self.kinds if not each.judged)


def right_words(view: CaseView) -> str:
    """What counts as right where a case was shown: options with their labels, or the accepted texts."""
    key = answer_key(view.item, view.variant)
    gold = key.item.gold
    shown = zip(key.labels, key.options, key.permutation, strict=True)
    options = (f"{label}: {text}" for label, text, option in shown if option in gold.options)
    return " | ".join((*options, *gold.texts))


def graded_cases(run: StoredRun, *, on_done: Callable[[], None] = lambda: None) -> Graded:
    """Find what stands out about each grade of a run.

    Args:
        run: The run.
        on_done: Called with each reply that was looked at.

    Raises:
        StoreError: The store can't be read.
    """
    items = {item.id: item for item in run.items()}
    variants = {(each.item_id, each.condition): each for each in run.variants()}
    grader = str(run.record.grader.get("name", ""))
    cases: list[Case] = []
    left_out: Counter[str] = Counter()
    for cell in regradable(run.store, run.record, run.record.grader_key):
        on_done()
        if cell.grade is None or cell.grade.status in LEFT_OUT:
            left_out[outcome(cell.grade)] += 1
            continue
        key = answer_key(items[cell.item_id], variants[cell.item_id, cell.condition])
        kind = suspicion(cell.grade, cell.reply, key, grader)
        cases.append(Case(judged_reply(cell), kind, outcome(cell.grade)))
    return Graded(tuple(cases), left_out)


def judged_reply(cell: Regradable) -> JudgedReply:
    """Which reply a cell has."""
    return JudgedReply(cell.variant, cell.item_id, cell.condition, cell.repeat, cell.reply_id)


def drawn(graded: Graded, *, n: int, seed: int) -> tuple[Case, ...]:
    """Draw a sample: by turns an ordinary grade and one of the suspicious kinds, each kind in random order.

    So within each kind it is a simple random sample, and a larger sample holds each smaller one.

    Args:
        graded: The grades.
        n: How many at most.
        seed: Decides the order within each kind.
    """
    kinds = {kind: sorted(cases, key=lambda case: _rank(case, seed)) for kind, cases in graded.of_kind().items()}
    ordinary = iter(kinds.pop("ordinary", []))
    suspicious = _in_turn(list(kinds.values()))
    return tuple(islice(_alternating(ordinary, suspicious), n))


def _rank(case: Case, seed: int) -> bytes:
    reply = case.reply
    return canonical_hash("prt.audit", [seed, reply.item_id, reply.condition, reply.repeat])


def _in_turn(kinds: Sequence[Sequence[Case]]) -> Iterator[Case]:
    """One of each kind by turns, as long as it has any."""
    for place in range(max(map(len, kinds), default=0)):
        yield from (cases[place] for cases in kinds if place < len(cases))


def _alternating(*sources: Iterator[Case]) -> Iterator[Case]:
    """One of each source by turns, and what one has left when the other has none."""
    left = list(sources)
    for source in cycle(sources):
        if not left:
            return
        if source in left:
            case = next(source, None)
            if case is None:
                left.remove(source)
            else:
                yield case


def views(run: StoredRun, cases: Sequence[Case]) -> dict[JudgedReply, CaseView]:
    """Read what is shown of some cases."""
    wanted = {case.reply: case for case in cases}
    ids = {reply.item_id for reply in wanted}
    items = {item.id: item for item in run.items() if item.id in ids}
    variants = {(each.item_id, each.condition): each for each in run.variants() if each.item_id in ids}
    found: dict[JudgedReply, CaseView] = {}
    for cell in regradable(run.store, run.record, run.record.grader_key):
        reply = judged_reply(cell)
        if reply in wanted and cell.grade is not None:
            variant = variants[cell.item_id, cell.condition]
            found[reply] = CaseView(wanted[reply], items[cell.item_id], variant, cell.reply, cell.grade)
    return found


def concluded(
    run: StoredRun,
    graded: Graded,
    said: Mapping[JudgedReply, Verdict],
    *,
    elsewhere: Collection[JudgedReply] = (),
    level: float = 0.95,
) -> Audit:
    """Estimate how often the grades are wrong.

    Args:
        run: The run.
        graded: Its grades.
        said: What a person said of some of them.
        elsewhere: The replies of which anything was said while another grader was under audit.
        level: Confidence level.
    """
    of_kind = graded.of_kind()
    judged = {
        kind: [(case, said[case.reply]) for case in cases if case.reply in said] for kind, cases in of_kind.items()
    }

    def share(*, passes: bool | None) -> Estimate:
        strata = [
            Stratum(len(cases), len(judged[kind]), sum(_counts(*each, passes=passes) for each in judged[kind]))
            for kind, cases in of_kind.items()
        ]
        return stratified_share(strata, level=level)

    return Audit(
        run=run.record.id,
        grader=str(run.record.grader.get("name", "")),
        kinds=tuple(
            KindCount(
                kind, len(cases), len(judged[kind]), sum(case.is_wrong(verdict) for case, verdict in judged[kind])
            )
            for kind, cases in of_kind.items()
        ),
        wrong=share(passes=None),
        false_passes=share(passes=True),
        false_fails=share(passes=False),
        misread=sum(_is_misread(*each) for each_kind in judged.values() for each in each_kind),
        left_out=graded.left_out,
        parameters=parameters_of(run.record.grader),
        judged_elsewhere=sum(case.reply in elsewhere and case.reply not in said for case in graded.cases),
    )


def parameters_of(grader: Mapping[str, Json]) -> dict[str, Json]:
    """The parameters of a grader, by its identity, that are otherwise than a config's defaults."""
    defaults = {name: field.default for name, field in GradeConfig.model_fields.items() if name != "grader"}
    found = {key: value for key, value in grader.items() if key in defaults and not _is_default(value, defaults[key])}
    return found | {"model": judge_name(grader)} if "model" in found else found


def _is_default(value: Json, default: object) -> bool:
    if isinstance(value, list) and isinstance(default, list):
        return sorted(map(str, value)) == sorted(map(str, default))
    if isinstance(default, float) and isinstance(value, str | int | float):
        return Fraction(str(value)) == Fraction(str(default))  # exact numbers, which identities hold as texts
    return value == default


def _counts(case: Case, verdict: Verdict, *, passes: bool | None) -> bool:
    """Whether a case is wrong in this way: passes what should not, fails what should, or either."""
    return case.is_wrong(verdict) and passes in {None, case.outcome == "pass"}


def _is_misread(case: Case, verdict: Verdict) -> bool:
    return "pass" not in {case.outcome, verdict} and (case.outcome == "fail") is not (verdict == "fail")
