"""The gates of a run: each is decided of each of its subjects."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..config.gates import GateConfig, Rule
from ..errors import ConfigError
from ..findings import GateEffect, GateResult, GateVerdict
from ..problems import counted
from .deciding import Terms, decide
from .evidence import Evidence
from .figures import Measured, fact, failing_items, measured, point, rows_of
from .subjects import Subject, items_of, problems_of, subjects_of
from .wording import bound_words, gate_words, reason_of

NAMED = 5

Others = Callable[[str], Evidence | None]


def no_others(name: str) -> Evidence | None:  # noqa: ARG001 - stands for a function that needs it
    """There is no other run."""
    return None


def evaluate(gates: Sequence[GateConfig], evidence: Evidence, others: Others = no_others) -> tuple[GateResult, ...]:
    """Decide the gates of a run.

    Args:
        gates: The gates, in their order.
        evidence: The run's results.
        others: Gives the results of another run that a gate is against, by what the gate calls it; None where that is
            `compared` and the command compares with none.

    Returns:
        One result for each subject of each gate; at least one a gate.

    Raises:
        ConfigError: A gate names what the run does not have.
    """
    if problems := list(problems_of(gates, evidence.world)):
        raise ConfigError(*problems)
    each = (Deciding(gate, number, evidence) for number, gate in enumerate(gates, 1))
    return tuple(result for deciding in each for result in deciding.results(others))


@dataclass(frozen=True, slots=True)
class Deciding:
    """One gate, about to be decided.

    Attributes:
        gate: The gate.
        number: Its place, from 1.
        evidence: The run's results.
    """

    gate: GateConfig
    number: int
    evidence: Evidence

    def results(self, others: Others) -> Iterator[GateResult]:
        """One result a subject."""
        gate, rule = self.gate, self.gate.rule
        subjects = subjects_of(gate, self.evidence.world)
        then = None if gate.against is None else others(gate.against)
        if gate.against is not None and then is None:
            yield self.nothing("there is no run to compare with: give `--against`, or name one in the gate")
        elif rule is None:
            yield self.of_items(subjects[0])
        elif not subjects:
            yield self.nothing("no condition that counts applies to any item")
        elif rule.kind.kind in {"point", "fact"}:
            for subject in subjects:
                yield self.of_point(rule, subject)
        else:
            yield from self.of_intervals(rule, subjects, then)

    def of_intervals(self, rule: Rule, subjects: Sequence[Subject], then: Evidence | None) -> Iterator[GateResult]:
        """Decide a figure that carries an interval, of all subjects."""
        every = [each for subject in subjects for each in measured(self.gate, rule, subject, self.evidence, then)]
        if not every:
            yield self.nothing("no right option was shown in two slots")
            return
        tests = max(sum(each.measure.n > 0 for each in every), 1)
        terms = Terms(self.evidence.world.alpha, tests, self.gate.min_n)
        for each in every:
            yield self.of_interval(rule, each, terms, subjects)

    def of_interval(self, rule: Rule, found: Measured, terms: Terms, subjects: Sequence[Subject]) -> GateResult:
        """Decide one subject."""
        decision = decide(rule, found.measure, terms, higher=rule.kind.higher)
        figure = decision.figure
        reason = reason_of(rule, found.measure, decision, terms.tests)
        if rule.figure == "always_fails" and decision.verdict != "undecided":
            reason += self.failing(found, subjects)
        return self.result(
            found.subject,
            decision.verdict,
            reason,
            estimate=figure.estimate,
            low=figure.low,
            high=figure.high,
            n=found.measure.n,
            level=figure.level,
            method=figure.method,
            enough=decision.enough,
        )

    def failing(self, found: Measured, subjects: Sequence[Subject]) -> str:
        """Which items fail under every condition."""
        if self.gate.against is not None:
            return ""
        subject = next(each for each in subjects if each.name == found.subject)
        names = failing_items(self.evidence, subject, rows_of(subject, self.evidence)[0])
        return f" ({named(names)})" if names else ""

    def of_point(self, rule: Rule, subject: Subject) -> GateResult:
        """Decide a figure without an interval."""
        if rule.kind.kind == "fact":
            value, n, method = fact(rule.figure, subject, self.evidence.usage)
        else:
            value, n, method = point(rule.figure, subject, self.evidence)
        least = self.gate.min_n if rule.kind.kind == "point" else 1
        if value is None or n < least:
            why = "it is not known" if value is None else f"n {n:,}: too few, since `min_n` is {least}"
            return self.result(subject.name, "undecided", f"{why} ({method})", estimate=value, n=n, method=method)
        bad = value > rule.bound if rule.side == "above" else value < rule.bound
        shown = f"{value:g}" if rule.kind.kind == "fact" or rule.figure == "robustness_score" else f"{100 * value:.1f}%"
        warning = "" if rule.kind.kind == "fact" else "; chance alone may have decided"
        relation = f"{'' if bad else 'not '}{rule.side} {bound_words(rule)}"
        reason = f"{shown}, n {n:,} ({method}): {relation}{warning}"
        return self.result(subject.name, "failed" if bad else "passed", reason, estimate=value, n=n, method=method)

    def of_items(self, subject: Subject) -> GateResult:
        """Decide whether some items pass under the baseline and some conditions, in each of their runs."""
        outcomes, wanted = self.evidence.outcomes, items_of(self.gate, self.evidence.world)
        places = [outcomes.items.index(item) for item in wanted]
        cells = outcomes.cells[np.ix_(places, self.evidence.columns(subject.conditions))]
        failing = [item for item, of_item in zip(wanted, cells, strict=True) if np.any(of_item == 0)]
        unknown = [item for item, of_item in zip(wanted, cells, strict=True) if np.any(of_item.max(axis=1) < 0)]
        n = len(wanted)
        verdict: GateVerdict = "failed" if failing else "undecided" if unknown else "passed"
        reasons: dict[GateVerdict, str] = {
            "failed": f"{len(failing)} of {n} fail at least once: {named(failing)}",
            "undecided": f"{len(unknown)} of {n} lack a result: {named(unknown)}",
            "passed": f"{n} of {n} pass under {counted(len(subject.conditions), 'condition')}, in every run",
        }
        share = 1.0 - len(failing) / n
        return self.result(subject.name, verdict, reasons[verdict], estimate=share, n=n, method="counted")

    def nothing(self, why: str) -> GateResult:
        """A gate that has nothing to decide on."""
        return self.result("", "undecided", why, estimate=None, n=0)

    def result(
        self,
        subject: str,
        verdict: GateVerdict,
        reason: str,
        *,
        estimate: float | None,
        n: int,
        low: float | None = None,
        high: float | None = None,
        level: float | None = None,
        method: str = "",
        enough: int | None = None,
    ) -> GateResult:
        """A result of this gate."""
        effects: dict[GateVerdict, GateEffect] = {
            "passed": "pass",
            "failed": "fail",
            "undecided": self.gate.when_undecided,
        }
        return GateResult(
            gate=gate_words(self.gate),
            subject=subject,
            verdict=verdict,
            reason=reason,
            estimate=estimate,
            low=low,
            high=high,
            n=n,
            level=level,
            method=method,
            figure="must_pass" if self.gate.rule is None else self.gate.rule.figure,
            number=self.number,
            effect=effects[verdict],
            enough=enough,
        )


def named(names: Sequence[str]) -> str:
    """A few names and how many more."""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED + 1 else ""
    return ", ".join(names[:NAMED] if rest else names) + rest
