"""Comparisons whose verdict is known beforehand: by these `prt duel --self-test` checks the way it was installed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...stats import DuelVerdict
from ..errors import DatasetError
from ..results.read import pasted
from .comparisons import OVERALL, Contestants, comparisons_of
from .elsewhere import duel_of
from .findings import Duel

A, B = "candidate", "baseline"
Both = tuple[float | None, float | None]
"""What the first shown got where the candidate was first, and where the baseline was."""

WON: Both = (1, 0)
LOST: Both = (0, 1)
TIED: Both = (0.5, 0.5)
FIRST: Both = (1, 1)


@dataclass(frozen=True, slots=True)
class Case:
    """Comparisons, and what they have to come to.

    Attributes:
        name: What they are, in words.
        text: The file.
        verdicts: The verdict of each dimension; empty where the file has to be refused.
        refusal: What the refusal has to say; empty where the file is to be read.
        biased: The dimensions in which the judge favours a place.
        exit_code: The code that the command ends with.
        candidate: The candidate's name.
    """

    name: str
    text: str
    verdicts: Mapping[str, DuelVerdict] = field(default_factory=dict)
    refusal: str = ""
    biased: frozenset[str] = frozenset()
    exit_code: int = 2
    candidate: str = A


@dataclass(frozen=True, slots=True)
class Checked:
    """A case and what it came to; `wrong` says in what it is not as it has to be, and is empty where all is."""

    case: Case
    wrong: str


def csv_of(dimensions: Mapping[str, Sequence[Both]]) -> str:
    """Comparisons as CSV, the queries of each dimension numbered from 1."""
    lines = ["id,model_a,model_b,score,dimension"]
    for dimension, queries in dimensions.items():
        for number, (first, second) in enumerate(queries, 1):
            lines.append(f"q{number},{A},{B},{_cell(first)},{dimension}")
            lines.append(f"q{number},{B},{A},{_cell(second)},{dimension}")
    return "\n".join(lines) + "\n"


def _cell(score: float | None) -> str:
    return "null" if score is None else f"{score:g}"


def overall(queries: Sequence[Both]) -> str:
    """Comparisons in one dimension."""
    return csv_of({OVERALL: queries})


def _one_order(count: int) -> str:
    return "id,model_a,model_b,score\n" + "".join(f"q{number},{A},{B},0.5\n" for number in range(count))


def _one_query(times: int, *, numbered: bool) -> str:
    """One query that was judged many times, in both orders."""
    lines = ["id,model_a,model_b,score" + (",repeat" if numbered else "")]
    for time in range(times):
        lines += [f"q1,{one},{other},{score}" for one, other, score in ((A, B, 1), (B, A, 0))]
        if numbered:
            lines[-2:] = [f"{line},{time}" for line in lines[-2:]]
    return "\n".join(lines) + "\n"


def _strange_signs(count: int) -> str:
    """JSON lines behind a byte order mark, whose ids hold a line separator that ends no line."""
    rows = [
        {"id": f"q{number}\u2028x", "model_a": one, "model_b": other, "score": score}
        for number in range(count)
        for one, other, score in ((A, B, 1), (B, A, 0))
    ]
    return "\ufeff" + "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _score_is(score: str) -> str:
    return f"id,model_a,model_b,score\nq1,{A},{B},{score}\nq1,{B},{A},0\n"


def _verdict(verdict: DuelVerdict) -> dict[str, DuelVerdict]:
    return {OVERALL: verdict}


BIASED = frozenset({OVERALL})

CASES = (
    Case("a judge that always picks the first", overall([FIRST] * 20), _verdict("INCONCLUSIVE"), biased=BIASED),
    Case("all ties, 40 queries", overall([TIED] * 40), _verdict("TIED")),
    Case("all ties, 20 queries are too few to say so", overall([TIED] * 20), _verdict("INCONCLUSIVE")),
    Case("30 ties in one order only", _one_order(30), refusal="in both orders", exit_code=1),
    Case("5 queries in both orders", overall([WON] * 5), _verdict("INSUFFICIENT_EVIDENCE")),
    Case("one query repeated 10 times", _one_query(10, numbered=False), refusal="stands there already", exit_code=1),
    Case("the same, the repeats numbered", _one_query(10, numbered=True), _verdict("INSUFFICIENT_EVIDENCE")),
    Case(
        "10 of 20 queries won and 10 flipped",
        overall([WON] * 10 + [FIRST] * 10),
        _verdict("BETTER"),
        biased=BIASED,
        exit_code=0,
    ),
    Case(
        "BETTER beside a losing dimension of 8 queries",
        csv_of({"correct": [WON] * 20, "kind": [LOST] * 8}),
        {"correct": "BETTER", "kind": "INSUFFICIENT_EVIDENCE"},
        exit_code=0,
    ),
    Case(
        "BETTER in one dimension and WORSE in another",
        csv_of({"correct": [WON] * 20, "kind": [LOST] * 20}),
        {"correct": "BETTER", "kind": "WORSE"},
    ),
    Case("a wrong name", overall([WON] * 20), refusal="stands in no row", exit_code=1, candidate="canditate"),
    Case("a score that is no number", _score_is("NaN"), refusal="a number from 0 to 1", exit_code=1),
    Case("a score out of range", _score_is("1.2"), refusal="a number from 0 to 1", exit_code=1),
    Case("a missing score, 10 complete queries", overall([WON] * 10 + [(None, 0)]), _verdict("BETTER"), exit_code=0),
    Case("a missing score, 9 complete queries", overall([WON] * 9 + [(None, 0)]), _verdict("INSUFFICIENT_EVIDENCE")),
    Case("a byte order mark and line separators in ids", _strange_signs(12), _verdict("BETTER"), exit_code=0),
    Case(
        "34 won, 18 lost, 46 ties: 51% to 65%",
        overall([WON] * 34 + [LOST] * 18 + [TIED] * 46),
        _verdict("BETTER"),
        exit_code=0,
    ),
    Case("25 won, 54 lost, 39 ties: 31% to 45%", overall([WON] * 25 + [LOST] * 54 + [TIED] * 39), _verdict("WORSE")),
)


def self_test(cases: Sequence[Case] = CASES) -> tuple[Checked, ...]:
    """Analyse each case, and compare what comes out with what has to."""
    return tuple(Checked(case, _wrong(case)) for case in cases)


def _wrong(case: Case) -> str:
    try:
        duel = duel_of(
            comparisons_of(pasted(case.text, "self-test"), Contestants(case.candidate, B)), alpha=0.05, margin=0.05
        )
    except DatasetError as error:
        return "" if case.refusal and case.refusal in str(error) else f"refused: {error}"
    return _unlike(case, duel)


def _unlike(case: Case, duel: Duel) -> str:
    verdicts = {each.asked.id: each.found.verdict for each in duel.dimensions}
    biased = {each.asked.id for each in duel.dimensions if each.is_biased}
    if verdicts != dict(case.verdicts):
        return f"found {verdicts}"
    if biased != case.biased:
        return f"position bias found in {sorted(biased)}"
    return "" if duel.exit_code == case.exit_code else f"exit code {duel.exit_code}"
