"""Rules that two answers are held to without a model: length, keywords, JSON, patterns."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ...perturbations.question import Gold, Question
from ..config.duel import DimensionConfig, RuleConfig
from ..config.schema import GradeConfig
from ..errors import ConfigError, GraderError, Problem
from ..graders.base import make_grader
from ..graders.json_text import Kind, find_json
from ..graders.json_value import Check, JsonGrader
from ..graders.text import blank_reasoning
from ..graders.timed import SearchTimeoutError, TimedPattern
from ..problems import counted, quoted
from ..records import AnswerKey, Item, Reply

WIN, TIE, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a rule says of two answers.

    Attributes:
        score: 1 where the candidate's is better, 0 where the baseline's is, ½ where neither; None where that can't be
            told.
        reason: What it rests on, one clause.
    """

    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Held:
    """Whether one answer keeps to a rule; `reason` says how, or why not."""

    passed: bool
    reason: str


Holds = Callable[[str], Held]
Rule = Callable[[str, str], Ruled]
"""Of the candidate's answer and the baseline's. Each is seen by itself, so no order can matter."""


def make_rule(dimension: DimensionConfig, *, base: Path) -> Rule:
    """The rule of a dimension; reasoning before an answer does not count as part of it.

    Args:
        dimension: The dimension; its grader is `rule`.
        base: The config's folder, which a schema's file is relative to.

    Raises:
        ConfigError: Its pattern or schema can't be used.
    """
    rule = dimension.rule
    if rule is None:
        raise ValueError(f"the dimension {dimension.id!r} has no rule")
    if rule.wins is not None:
        return _by_length(rule)
    try:
        return _by_passing(_MAKERS[rule.kind](rule, base))
    except GraderError as error:
        text = str(error).replace("grade.", "rule.")
        raise ConfigError(Problem(text, key=f"dimensions: {dimension.id}")) from None


def _by_passing(holds: Holds) -> Rule:
    """The one of two answers that keeps to the rule wins."""

    def ruled(candidate: str, baseline: str) -> Ruled:
        try:
            ours, theirs = holds(blank_reasoning(candidate).strip()), holds(blank_reasoning(baseline).strip())
        except SearchTimeoutError as error:
            return Ruled(None, str(error))
        score = TIE if ours.passed == theirs.passed else WIN if ours.passed else LOSS
        return Ruled(score, f"candidate: {ours.reason}; baseline: {theirs.reason}")

    return ruled


def _by_length(rule: RuleConfig) -> Rule:
    """The shorter, or the longer, of two answers wins."""

    def ruled(candidate: str, baseline: str) -> Ruled:
        ours, theirs = (_length(blank_reasoning(text).strip(), rule) for text in (candidate, baseline))
        reason = f"candidate: {_counted(ours, rule)}; baseline: {_counted(theirs, rule)}"
        if ours == theirs:
            return Ruled(TIE, reason)
        return Ruled(WIN if (ours < theirs) == (rule.wins == "shorter") else LOSS, reason)

    return ruled


def _length(text: str, rule: RuleConfig) -> int:
    return len(text.split() if rule.unit == "words" else text)


def _counted(count: int, rule: RuleConfig) -> str:
    return counted(count, rule.unit.removesuffix("s"))


def _within_bounds(rule: RuleConfig, base: Path) -> Holds:
    del base
    fewest, most = rule.min or 0, rule.max

    def holds(text: str) -> Held:
        count = _length(text, rule)
        return Held(fewest <= count and (most is None or count <= most), _counted(count, rule))

    return holds


def _with_keywords(rule: RuleConfig, base: Path) -> Holds:
    grader = make_grader(GradeConfig(grader="contains", ignore_case=rule.ignore_case), base=base)
    wanted, unwanted = ([_only(word) for word in words or ()] for words in (rule.present, rule.absent))

    def has(text: str, word: AnswerKey) -> bool:
        return grader.grade(Reply(text=text), word).passed is True

    def holds(text: str) -> Held:
        lacking = [quoted(word.item.id) for word in wanted if not has(text, word)]
        too_much = [quoted(word.item.id) for word in unwanted if has(text, word)]
        parts = [f"{verb} {', '.join(words)}" for verb, words in (("lacks", lacking), ("has", too_much)) if words]
        return Held(not parts, " and ".join(parts) or "keeps to the words")

    return holds


def _only(word: str) -> AnswerKey:
    """A key whose one right answer is a word."""
    return AnswerKey(Item(word, Question(word), Gold(texts=(word,))))


def _as_json(rule: RuleConfig, base: Path) -> Holds:
    check = None if rule.json_schema is None else _schema(rule, base)
    kinds: tuple[Kind, ...] = ("object", "array") if rule.around else ()

    def holds(text: str) -> Held:
        found = find_json(text, kinds)
        if found.reason:
            return Held(passed=False, reason=found.reason)
        complaint = check.complaint(found.value) if check else ""
        return Held(not complaint, complaint or "is JSON" + (" of the schema" if check else ""))

    return holds


def _schema(rule: RuleConfig, base: Path) -> Check | None:
    grader = make_grader(GradeConfig(grader="json", json_schema=rule.json_schema, fields=[]), base=base)
    return grader.check if isinstance(grader, JsonGrader) else None


def _with_pattern(rule: RuleConfig, base: Path) -> Holds:
    del base
    pattern = TimedPattern.of(rule.pattern or "", ignore_case=rule.ignore_case)

    def holds(text: str) -> Held:
        found = pattern.last(text)
        told = "the pattern is nowhere" if found is None else f"has {quoted(text[found[0] : found[1]])}"
        return Held((found is not None) == rule.found, told)

    return holds


_MAKERS: dict[str, Callable[[RuleConfig, Path], Holds]] = {
    "length": _within_bounds,
    "keyword": _with_keywords,
    "json": _as_json,
    "regex": _with_pattern,
}
