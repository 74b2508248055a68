"""Gates and their results in sentences: what is asked, what was found, and why that passes or fails."""

from ...stats import Estimate
from ..config.gates import GateConfig, Rule, names_of
from ..problems import counted
from .deciding import Decision
from .measuring import Measure

ASKED = {
    ("fail_if", "worse"): "fail if proven worse than {}",
    ("fail_unless", "worse"): "fail unless proven no worse than {}",
    ("fail_if", "below"): "fail if proven below {}",
    ("fail_if", "above"): "fail if proven above {}",
    ("fail_unless", "below"): "fail unless proven to be at least {}",
    ("fail_unless", "above"): "fail unless proven to be at most {}",
}
PLAIN = {"below": "fail if below {}", "above": "fail if above {}"}
SIGNED = frozenset({"position_effect"})
"""Rates that are differences all the same, and are told in points."""


def gate_words(gate: GateConfig) -> str:
    """A gate in words: its name, or what it asks of what."""
    if gate.name is not None:
        return gate.name
    rule = gate.rule
    if rule is None:
        conditions = f" under {of_names('condition', gate)}" if gate.conditions else " under every condition"
        return f"{quoted_names(gate.must_pass or ())} must pass{conditions}"
    figure = rule.kind.words.replace("@k", f"@{gate.k}").replace("^k", f"^{gate.k}")
    if gate.against is not None:
        whole = "pass rate" if gate.figure == "change" else figure
        figure = f"{whole} against {gate.against}"
    return f"{figure}{taken_of(gate, rule)}: {rule_words(rule)}"


def rule_words(rule: Rule) -> str:
    """What a rule asks: `fail if proven worse than 5 points`."""
    bound = bound_words(rule)
    plain = rule.kind.kind in {"point", "fact"}
    return (PLAIN[rule.side] if plain else ASKED[rule.reading, rule.side]).format(bound)


def bound_words(rule: Rule) -> str:
    """The bound of a rule in its unit."""
    if rule.kind.kind == "fact" or rule.figure == "robustness_score":
        return f"{rule.bound:g}"
    if rule.side == "worse" or rule.figure in SIGNED or rule.figure == "spread":
        return counted_points(rule.bound)
    return f"{100 * rule.bound:g}%"


def counted_points(share: float) -> str:
    """`5 points`."""
    return f"{100 * share:g} {'point' if share == 0.01 else 'points'}"


def taken_of(gate: GateConfig, rule: Rule) -> str:
    """What a gate is taken of: `, each of typo.*`."""
    parts = []
    if gate.generators is not None:
        parts.append(f"each generator of {of_names('generator', gate)}")
    elif gate.conditions is not None:
        together = gate.together or rule.kind.scope == "together"
        parts.append(f"{of_names('condition', gate)}{' together' if together else ''}")
    elif rule.kind.scope == "condition":
        parts.append("all conditions together" if gate.together or gate.clusters else "each condition")
    elif rule.kind.scope in {"slots", "control"}:
        parts.append("each slot" if rule.kind.scope == "slots" else "each control")
    if gate.clusters is not None:
        parts.append(f"each cluster of {of_names('cluster', gate)}")
    return "".join(f", {part}" for part in parts)


def of_names(kind: str, gate: GateConfig) -> str:
    """Some names of a key: `"typo.*"`."""
    return quoted_names(names_of(getattr(gate, f"{kind}s")))


def quoted_names(names: tuple[str, ...] | list[str]) -> str:
    """Names between quotes, a few of them."""
    rest = f" and {len(names) - 3} more" if len(names) > 4 else ""
    return ", ".join(f'"{name}"' for name in (names if not rest else names[:3])) + rest


def reason_of(rule: Rule, measure: Measure, decision: Decision, tests: int) -> str:
    """Why, in one sentence: the figure, its interval, n, the method, and what that shows."""
    found = figure_words(rule, measure, decision.figure, tests)
    return f"{found}: {outcome(rule, decision, 'items' if measure.units == measure.n else 'clusters')}"


def figure_words(rule: Rule, measure: Measure, figure: Estimate, tests: int) -> str:
    """`−12.0 points, 99.5% interval −19.2 to −5.9, n 400 (Tango score; 95% over 10)`."""
    items = "n 0" if not measure.n else f"n {measure.n:,}"
    if measure.units != measure.n:
        items += f" in {counted(measure.units, 'cluster')}"
    if figure.estimate is None:
        return items
    signed = rule.side == "worse" or rule.figure in SIGNED
    value = f"{signed_points(figure.estimate)} points" if signed else f"{100 * figure.estimate:.1f}%"
    number = signed_points if signed else hundredths
    interval = shared = ""
    if figure.low is not None and figure.high is not None and figure.level is not None:
        interval = f", {100 * figure.level:.4g}% interval {number(figure.low)} to {number(figure.high)}"
        if rule.reading == "fail_if" and tests > 1:
            shared = f"; one of {tests} that share {100 * (1 - figure.level) * tests:.3g}%"
    return f"{value}{counted_from(measure)}{interval}, {items} ({figure.method}{shared})"


def counted_from(measure: Measure) -> str:
    """` (12 of 400)`, where something was counted."""
    of = measure.of or (f"{measure.count:,} of {measure.n:,}" if measure.count is not None else "")
    return f" ({of})" if of else ""


def hundredths(share: float) -> str:
    """`12.3`, of a share."""
    return f"{100 * share:.1f}"


def signed_points(change: float) -> str:
    """A difference of rates in points, with its sign."""
    rounded = round(100 * change, 1)
    return "0.0" if rounded == 0 else f"{rounded:+.1f}".replace("-", "−")


def outcome(rule: Rule, decision: Decision, units: str) -> str:
    """What an interval shows of the rule, which rests on so few items or clusters."""
    bound = bound_words(rule)
    settle = f"; about {decision.enough:,} items would settle it at these rates" if decision.enough else ""
    if decision.verdict == "undecided":
        if decision.figure.estimate is None:
            return decision.too_few
        enough = f"; it takes {decision.enough:,}" if decision.enough and "min_n" not in decision.too_few else ""
        return f"too few {units} to decide: {decision.too_few}{enough}"
    if decision.unconfirmed is not None:
        return f"not proven worse than {bound}, since the exact test does not confirm it (p {decision.unconfirmed:.4f})"
    if rule.side == "worse":
        words = {
            "bad": f"proven worse than {bound}",
            "good": f"a drop of {bound} is ruled out" if rule.kind.higher else f"a rise of {bound} is ruled out",
            "neither": f"neither proven worse than {bound} nor ruled out{settle}",
        }
        return words[decision.shown]
    if rule.one_is_proof and decision.verdict == "passed":
        return "there is none" if rule.side == "above" else "there is none without it"
    opposite = "at least" if rule.side == "below" else "at most"
    words = {
        "bad": f"proven {rule.side} {bound}",
        "good": f"proven to be {opposite} {bound}",
        "neither": f"neither proven {rule.side} {bound} nor ruled out{settle}",
    }
    return words[decision.shown]
