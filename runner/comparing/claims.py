"""From the figures to what may be said: the four questions and the conditions, each family held to alpha by Holm.

A test in either direction holds alpha for each of the two families. A false "worse" takes one of the two sides in one
of the two families, so that all of them together stay at alpha.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from ...stats import Verdict, decide_verdict, holm
from .evidence import Evidence
from .findings import Claim, ClaimName, ConditionChange
from .words import claim_sentence

NAMES: tuple[ClaimName, ...] = ("overall", "model", "perturbation_effect", "infrastructure")
T = TypeVar("T")


def claims_of(evidence: Sequence[Evidence], *, alpha: float, margin: float) -> list[tuple[Claim, ...]]:
    """Answer the four questions about each later version.

    Args:
        evidence: The figures of each version against the reference.
        alpha: Significance level over all questions about all versions.
        margin: The largest drop that would not matter, as a rate.
    """
    asked = [question for each in evidence for question in each.questions()]
    adjusted = holm([question.test.pvalue for question in asked])
    verdicts: list[Verdict] = [
        decide_verdict(each.change, each.score, p, alpha=alpha, margin=margin, units=min(each.units, each.change.n))
        for each, p in zip(asked, adjusted, strict=True)
    ]
    tests = sum(p is not None for p in adjusted)
    groups = zip(evidence, _groups(adjusted, len(NAMES)), _groups(verdicts, len(NAMES)), strict=True)
    return [tuple(_claims(each, ps, found, margin=margin, tests=tests)) for each, ps, found in groups]


def _claims(
    evidence: Evidence, adjusted: Sequence[float | None], verdicts: Sequence[Verdict], *, margin: float, tests: int
) -> Iterator[Claim]:
    for name, question, p, verdict in zip(NAMES, evidence.questions(), adjusted, verdicts, strict=True):
        change = evidence.infrastructure()[0] if name == "infrastructure" else question.change
        kind = evidence.foremost_kind if name == "infrastructure" else None
        claim = Claim(name, verdict, change, question.test, p, "")
        sentence = claim_sentence(claim, kind, margin=margin, tests=tests)
        yield Claim(name, verdict, change, question.test, p, sentence)


def condition_changes(
    evidence: Sequence[Evidence], aligned: Sequence[Sequence[str]], *, alpha: float, margin: float
) -> list[tuple[ConditionChange, ...]]:
    """Judge each condition of each later version.

    Args:
        evidence: The figures of each version against the reference.
        aligned: The generators of the conditions of each.
        alpha: Significance level over all conditions of all versions.
        margin: The largest drop that would not matter, as a rate.
    """
    every = [each.figures for one in evidence for each in one.counted.conditions]
    adjusted = iter(holm([figures.exact.pvalue for figures in every]))
    found = []
    for one, generators in zip(evidence, aligned, strict=True):
        pairs = zip(one.counted.conditions, one.read.conditions, generators, strict=True)
        changes = []
        for counted, read, generator in pairs:
            figures, p = counted.figures, next(adjusted)
            verdict = decide_verdict(
                figures.change, figures.change_score, p, alpha=alpha, margin=margin, units=figures.units
            )
            parsed = read.figures.change
            changes.append(ConditionChange(counted.condition, generator, verdict, figures, p, counted.max_t_p, parsed))
        found.append(tuple(changes))
    return found


def _groups(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]
