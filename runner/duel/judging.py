"""From the answers of both sides to judgements in each dimension: by rules, and by a judge that sees one or two."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol

from ...stats import JudgedPairs
from ..config.duel import DimensionConfig
from ..records import Item, Reply
from .findings import Asked, Failure, lost
from .rules import Rule, make_rule

Score = float | None


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked: two answers to be compared in the order given, or one to be scored.

    Attributes:
        dimension: In what.
        item: What the answers answer.
        answers: The answers.
    """

    dimension: DimensionConfig
    item: Item
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge said.

    Attributes:
        score: Of two answers: 1 where the first is better, 0 where the second is, ½ where neither. Of one answer: its
            score from 0 to 1. None where the judge's reply can't be read.
        reason: The judge's own, or why its reply can't be read.
    """

    score: Score
    reason: str = ""


class Judge(Protocol):
    """A model that judges."""

    async def opinions(self, questions: Sequence[Question]) -> Sequence[Opinion]:
        """Judge each question by itself.

        Returns:
            One opinion a question, in the same order.
        """
        ...


@dataclass(frozen=True, slots=True)
class Pair:
    """The two answers to an item; None where a side has none, since its call failed."""

    item: Item
    candidate: str | None
    baseline: str | None

    @property
    def is_whole(self) -> bool:
        """Whether there are both."""
        return self.candidate is not None and self.baseline is not None

    @property
    def differs(self) -> bool:
        """Whether there are both, and they are not the same to the letter."""
        return self.is_whole and self.candidate != self.baseline

    @property
    def both(self) -> tuple[str, str]:
        """The candidate's and the baseline's; of a whole pair."""
        return self.candidate or "", self.baseline or ""


@dataclass(frozen=True, slots=True)
class Judged:
    """One dimension, judged.

    Attributes:
        asked: The dimension.
        pairs: The judgements.
        reasons: What was said of each item.
        unread: How many replies of the judge can't be read.
        example: What is wrong with the first of them.
    """

    asked: Asked
    pairs: JudgedPairs
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unread: int = 0
    example: str = ""


def answer_of(reply: Reply | None) -> str | None:
    """What a user would see: the text, or the refusal in its place; None where the call failed."""
    if reply is None or reply.error is not None:
        return None
    return reply.text if reply.text.strip() else reply.refusal


def make_rules(dimensions: Sequence[DimensionConfig], *, base: Path) -> dict[str, Rule]:
    """The rules of all dimensions that have one, by the ids of these.

    Raises:
        ConfigError: A pattern or a schema can't be used.
    """
    return {each.id: make_rule(each, base=base) for each in dimensions if each.grader == "rule"}


async def judge_all(
    dimensions: Sequence[DimensionConfig], pairs: Sequence[Pair], rules: Mapping[str, Rule], judge: Judge | None
) -> list[Judged]:
    """Judge every dimension; a judge is asked once, of all that it is to judge.

    Args:
        dimensions: The dimensions.
        pairs: The answers to each item.
        rules: The rules of those that have one.
        judge: The judge of the others; None where all have rules.
    """
    questions = {each.id: questions_of(each, pairs) for each in dimensions}
    opinions = iter(await _opinions(judge, [one for each in questions.values() for one in each]))
    judged = []
    for dimension in dimensions:
        said = list(islice(opinions, len(questions[dimension.id])))
        if dimension.id in rules:
            judged.append(by_rule(dimension, pairs, rules[dimension.id]))
        else:
            judged.append((by_pair if dimension.grader == "pairwise" else by_answer)(dimension, pairs, said))
    return judged


def questions_of(dimension: DimensionConfig, pairs: Sequence[Pair]) -> list[Question]:
    """What a judge is asked in one dimension, two questions a pair; nothing where it has a rule.

    That is each pair with the candidate first, and with the baseline first; or the candidate's answer by itself, and
    the baseline's. Answers that are the same to the letter are not compared: they are a tie.
    """
    if dimension.grader == "rule":
        return []
    if dimension.grader == "judge":
        whole = [pair for pair in pairs if pair.is_whole]
        return [Question(dimension, pair.item, (answer,)) for pair in whole for answer in pair.both]
    orders = [(pair, order) for pair in pairs if pair.differs for order in (pair.both, pair.both[::-1])]
    return [Question(dimension, pair.item, order) for pair, order in orders]


def by_rule(dimension: DimensionConfig, pairs: Sequence[Pair], rule: Rule) -> Judged:
    """Hold every pair to a rule."""
    ruled = {pair.item.id: rule(*pair.both) for pair in pairs if pair.is_whole}
    scores = {query: found.score for query, found in ruled.items()}
    reasons = {query: (found.reason,) for query, found in ruled.items()}
    return Judged(_asked(dimension), _alike(pairs, scores), reasons, sum(score is None for score in scores.values()))


def by_pair(dimension: DimensionConfig, pairs: Sequence[Pair], opinions: Sequence[Opinion]) -> Judged:
    """What a judge said of each pair that differs, with the candidate first, and with the baseline first."""
    first: dict[str, Score] = {pair.item.id: 0.5 for pair in pairs if pair.is_whole}
    second, reasons = dict(first), dict[str, tuple[str, ...]]()
    differing = [pair for pair in pairs if pair.differs]
    for pair, ours, theirs in zip(differing, opinions[::2], opinions[1::2], strict=True):
        first[pair.item.id] = ours.score
        second[pair.item.id] = None if theirs.score is None else 1.0 - theirs.score
        told = (("candidate first", ours.reason), ("baseline first", theirs.reason))
        reasons[pair.item.id] = tuple(f"{order}: {reason}" for order, reason in told if reason)
    ids = tuple(pair.item.id for pair in pairs)
    scores = (tuple(each.get(query) for query in ids) for each in (first, second))
    return Judged(_asked(dimension), JudgedPairs(ids, *scores), reasons, _unread(opinions), _example(opinions))


def by_answer(dimension: DimensionConfig, pairs: Sequence[Pair], opinions: Sequence[Opinion]) -> Judged:
    """What a judge said of each answer by itself; the higher score wins."""
    scores: dict[str, Score] = {}
    reasons: dict[str, tuple[str, ...]] = {}
    whole = [pair for pair in pairs if pair.is_whole]
    for pair, ours, theirs in zip(whole, opinions[::2], opinions[1::2], strict=True):
        scores[pair.item.id] = _higher(ours.score, theirs.score)
        sides = (("candidate", ours), ("baseline", theirs))
        reasons[pair.item.id] = tuple(_scored(side, said) for side, said in sides)
    return Judged(_asked(dimension), _alike(pairs, scores), reasons, _unread(opinions), _example(opinions))


async def _opinions(judge: Judge | None, questions: Sequence[Question]) -> Sequence[Opinion]:
    if not questions:
        return ()
    if judge is None:
        raise ValueError("there is no judge to ask; the config's validation sees to it that there is one")
    opinions = await judge.opinions(questions)
    if len(opinions) != len(questions):
        raise ValueError(f"a judge has one opinion a question; got {len(opinions)} of {len(questions)}")
    return opinions


def _unread(opinions: Sequence[Opinion]) -> int:
    return sum(opinion.score is None for opinion in opinions)


def _example(opinions: Sequence[Opinion]) -> str:
    return next((opinion.reason for opinion in opinions if opinion.score is None), "")


def _higher(ours: Score, theirs: Score) -> Score:
    if ours is None or theirs is None:
        return None
    return 0.5 if ours == theirs else float(ours > theirs)


def _scored(side: str, said: Opinion) -> str:
    score = "unreadable" if said.score is None else f"{said.score:g}"
    return ": ".join(filter(None, (f"{side} {score}", said.reason)))


def _alike(pairs: Sequence[Pair], scores: Mapping[str, Score]) -> JudgedPairs:
    """Judgements in which no order can matter: both orders have the same score."""
    ids = tuple(pair.item.id for pair in pairs)
    found = tuple(scores.get(query) for query in ids)
    return JudgedPairs(ids, found, found)


def _asked(dimension: DimensionConfig) -> Asked:
    return Asked(dimension.id, dimension.description, dimension.grader)


def failures_of(judged: Judged, pairs: Sequence[Pair], most: int) -> tuple[Failure, ...]:
    """The clearest of the queries that the candidate lost, with both answers."""
    by_id = {pair.item.id: pair for pair in pairs}
    return tuple(_failure(by_id[query], judged.reasons.get(query, ())) for query in lost(judged.pairs)[:most])


def _failure(pair: Pair, reasons: tuple[str, ...]) -> Failure:
    return Failure(pair.item.id, pair.item.question.text, *pair.both, reasons)


def judging_notes(judged: Sequence[Judged], pairs: Sequence[Pair]) -> Iterator[str]:
    """Say how many answers are missing, are the same on both sides, or could not be judged."""
    if missing := sum(not pair.is_whole for pair in pairs):
        yield f"{missing} of {len(pairs)} items lack an answer of a side, since a call failed; they are in no figure"
    same = sum(pair.is_whole and not pair.differs for pair in pairs)
    if same and any(each.asked.kind == "pairwise" for each in judged):
        yield f"{same} of {len(pairs)} items have the same answer on both sides, to the letter: a tie, without a judge"
    for each in judged:
        if each.unread:
            rule = each.asked.kind == "rule"
            what = "answers could not be held to the rule" if rule else "replies of the judge can't be read"
            first = f"; the first: {each.example}" if each.example else ""
            yield f"{each.asked.id}: {each.unread} {what}; their items are incomplete there{first}"
