"""What a comparison allows to say, in sentences."""

from collections.abc import Sequence

from ...stats import Estimate, Verdict
from ..problems import counted
from ..reports.text import p_value, percent, points, points_interval, visible
from .findings import Claim, ClaimName, ConditionChange, Kind, KindChange

NAMED = 6
CALLED = {"regressed": "proven worse", "improved": "proven better", "suggestive": "a hint, not proven"}
KIND_WORDS: dict[Kind, str] = {
    "error": "failed calls",
    "judge_error": "replies without a verdict of the judge",
    "unparsed": "unparsed replies",
    "truncated": "truncated replies",
    "refused": "refused replies",
}
CAUSES: dict[ClaimName, str] = {
    "model": "the model",
    "perturbation_effect": "the effect of the perturbations",
    "infrastructure": "the infrastructure",
}


def verdict_said(verdict: Verdict, margin: float) -> str:
    """`proven worse`, `no worse by 5 points or more`, …."""
    if verdict == "no_worse":
        return f"no worse by {100 * margin:g} points or more"
    if verdict == "too_few":
        return "too few items for a verdict"
    return CALLED.get(verdict, "neither a change nor its absence is shown")


def claim_sentence(claim: Claim, kind: KindChange | None, *, margin: float, tests: int) -> str:
    """Answer one of the four questions.

    Args:
        claim: The answer in figures.
        kind: The kind of reply whose change is the clearest, for the infrastructure.
        margin: The largest drop that would not matter.
        tests: Over how many questions the p-value is adjusted.
    """
    subject, nothing = SUBJECTS[claim.name]
    if claim.name == "infrastructure":
        if kind is None:
            return f"{subject}: {nothing}."
        more = "" if claim.verdict not in {"regressed", "improved"} else ", proven"
        return (
            f"{subject}: {KIND_WORDS[kind.kind]} went from {kind.before} to {kind.after} of "
            f"{counted(kind.cells, 'cell')} ({in_brackets(claim, tests)}): {_kind_said(claim.verdict)}{more}."
        )
    if claim.change.estimate is None:
        return f"{subject}: {nothing}."
    return f"{_changed(claim)} ({in_brackets(claim, tests)}): {verdict_said(claim.verdict, margin)}."


SUBJECTS: dict[ClaimName, tuple[str, str]] = {
    "overall": ("Overall", "no item has a result in both runs"),
    "model": ("Model", "no original prompt has an answer that was read in both runs"),
    "perturbation_effect": (
        "Perturbation effect",
        "no item has answers that were read under all conditions of both runs",
    ),
    "infrastructure": ("Infrastructure", "every reply was read in both runs"),
}
"""What each question is called, and what is said where there is nothing to answer it."""


def _kind_said(verdict: Verdict) -> str:
    if verdict == "too_few":
        return "too few items for a verdict"
    if verdict == "suggestive":
        return "a hint, not proven"
    return {"regressed": "more", "improved": "fewer"}.get(verdict, "no change is proven in any kind")


def _changed(claim: Claim) -> str:
    change = claim.change.estimate or 0.0
    if claim.name == "overall":
        return f"Overall, the mean pass rate over all wordings changed by {points(change)} points"
    if claim.name == "model":
        where = "under the original prompts, among answers read in both runs"
        return f"Model: {where}, the pass rate changed by {points(change)} points"
    lost = "more is lost than" if change < 0 else "less is lost than" if change > 0 else "as much is lost as"
    gap = "the distance from the original to the variants changed by"
    return f"Perturbation effect: {gap} {points(change)} points, {lost} before"


def in_brackets(claim: Claim, tests: int) -> str:
    """Interval, n and p-values."""
    interval = points_interval(claim.change)
    level = "" if claim.change.level is None or not interval else f"{100 * claim.change.level:g}% interval {interval}"
    adjusted = f", Holm over {counted(tests, 'question')} {p_value(claim.holm_p)}" if tests > 1 else ""
    parts = (level, counted(claim.change.n, "item"), f"p {p_value(claim.exact.pvalue)}{adjusted}")
    return "; ".join(filter(None, parts))


def conclusion(
    before: str, after: str, claims: Sequence[Claim], conditions: Sequence[ConditionChange], *, margin: float
) -> str:
    """Say what is proven, in a few sentences."""
    overall, *causes = claims
    parts = [_overall(before, after, overall, margin), *_causes(overall, causes)]
    for verdict, word in (("regressed", "worse"), ("improved", "better")):
        named = [visible(each.condition) for each in conditions if each.verdict == verdict]
        if named:
            shown = ", ".join(named[:NAMED]) + (f" and {len(named) - NAMED} more" if len(named) > NAMED else "")
            parts.append(f"Proven {word} by itself: {shown}.")
    return " ".join(parts)


def _overall(before: str, after: str, claim: Claim, margin: float) -> str:
    after, before = visible(after), visible(before)
    change = points(claim.change.estimate)
    if claim.verdict in {"regressed", "improved"}:
        word = "worse" if claim.verdict == "regressed" else "better"
        return f"{after} is proven {word} than {before}: {change} points over all wordings."
    if claim.verdict == "suggestive":
        return f"{after} may differ from {before} ({change} points over all wordings), which is not proven."
    if claim.verdict == "no_worse":
        return f"{after} is no worse than {before} by {100 * margin:g} points or more; no change is proven overall."
    if claim.verdict == "too_few":
        return f"Too few items for a verdict on {after} against {before}: 10 are needed, or 10 clusters of them."
    return f"Neither a change from {before} to {after} nor its absence is shown over all wordings."


def _causes(overall: Claim, causes: Sequence[Claim]) -> Sequence[str]:
    found = [each for each in causes if each.verdict in {"regressed", "improved"}]
    if found:
        words = [f"{CAUSES[each.name]} is {'worse' if each.verdict == 'regressed' else 'better'}" for each in found]
        return (f"Proven of the three causes: {', '.join(words)}.",)
    if overall.verdict in {"regressed", "improved"}:
        return ("None of the three causes is proven by itself.",)
    return ()


def versions_conclusion(reference: str, said: Sequence[tuple[str, Verdict, Estimate]], margin: float) -> str:
    """Say of several versions which are proven worse or better than the reference."""
    parts = []
    for verdict, word in (("regressed", "worse"), ("improved", "better")):
        names = [
            f"{visible(name)} ({points(change.estimate)} points)" for name, found, change in said if found == verdict
        ]
        if names:
            parts.append(f"Proven {word} than {visible(reference)}, over all wordings: {', '.join(names)}.")
    rest = [visible(name) for name, found, _ in said if found not in {"regressed", "improved"}]
    if rest:
        safe = [visible(name) for name, found, _ in said if found == "no_worse"]
        shown = f" ({', '.join(safe)} no worse by {100 * margin:g} points or more)" if safe else ""
        parts.append(f"No change proven: {', '.join(rest)}{shown}.")
    return " ".join(parts)


def rate_words(rate: Estimate) -> str:
    """`71.0% (n 200)`."""
    return f"{percent(rate.estimate)} (n {rate.n})"
