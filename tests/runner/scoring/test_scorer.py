"""What the score of one row is made of, by models that are functions."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.question import Message, Question
from prt.runner.config.score import KINDS, ScoreConfig, ScoreSettings, VariantKind
from prt.runner.errors import BudgetSpentError
from prt.runner.problems import RowError
from prt.runner.records import Reply
from prt.runner.scoring.pooling import Pool
from prt.runner.scoring.result import Pair, RowParts, Scored
from prt.runner.scoring.rows import ScoreRow
from prt.runner.scoring.scorer import Desks, score_row
from prt.runner.scoring.stored import score_outcomes
from prt.runner.scoring.variants import perturbed
from prt.stats import Outcomes, summarise

pytestmark = pytest.mark.storeless

ROW = ScoreRow("a", Question("Which number comes after seven, please?", answer_form="none"), response="8")
Says = Callable[[tuple[Message, ...], str], str]


@dataclass
class Fake:
    """A model that is a function of what it is asked, and counts what is in flight."""

    says: Says
    asked: list[tuple[str, int]] = field(default_factory=list)
    flying: list[int] = field(default_factory=lambda: [0, 0])

    async def ask(self, messages: tuple[Message, ...], *, item: str, condition: str, sample: int = 0) -> Reply:  # noqa: ARG002
        self.asked.append((condition, sample))
        self.flying[0] += 1
        self.flying[1] = max(self.flying)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.flying[0] -= 1
        return Reply(text=self.says(messages, condition))


def judge(correct: float = 1.0, robust: float = 1.0) -> Says:
    def says(messages: tuple[Message, ...], _: str) -> str:
        return json.dumps({"score": robust if "<answer-A " in messages[-1].content else correct})

    return says


def no_paraphrase(_messages: tuple[Message, ...], condition: str) -> str:
    return "8" if condition == "reference" else "I'd rather not."


def score(
    says: Says = lambda _messages, condition: condition,
    judging: Says | None = None,
    writing: Says = no_paraphrase,
    row: ScoreRow = ROW,
    **settings: object,
) -> tuple[RowParts, Desks]:
    desks = Desks(Fake(says), Fake(judging or judge()), Fake(writing))
    config = ScoreConfig.model_validate(settings)
    return asyncio.run(score_row(row, config, desks)), desks


def fake(desk: object) -> Fake:
    assert isinstance(desk, Fake)
    return desk


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_calls_of_a_row_in_flight_are_bounded(limit: int) -> None:
    shared = [0, 0]
    desks = Desks(*(Fake(says, flying=shared) for says in (lambda _m, c: c, judge(), no_paraphrase)))
    config = ScoreConfig(num_pairs=12, sub_call_concurrency_limit=limit)
    asyncio.run(score_row(ROW, config, desks))
    assert shared == [0, limit]


@pytest.mark.parametrize("num_pairs", [1, 2, 3, 7, 32])
def test_there_are_as_many_pairs_as_wanted_and_all_differ(num_pairs: int) -> None:
    parts, _ = score(num_pairs=num_pairs)
    assert len(parts.pairs) == num_pairs
    assert len({pair.prompt for pair in parts.pairs} | {ROW.question.text}) == num_pairs + 1


def test_a_kind_that_does_not_apply_makes_room_for_the_next() -> None:
    """One question alone has no layout to change, and this generator writes no paraphrase."""
    parts, desks = score(num_pairs=5)
    assert [pair.condition for pair in parts.pairs] == ["typo.1", "style.1", "noise.1", "typo.2", "style.2"]
    assert [condition for condition, _ in fake(desks.generator).asked].count("paraphrase.1") == 3


def test_a_given_answer_and_a_given_reference_are_not_asked_for() -> None:
    given_row = ScoreRow("a", ROW.question, response="8", reference="8")
    _, desks = score(row=given_row, perturbations=["typo"])
    assert {condition for condition, _ in fake(desks.sut).asked} == {"typo.1", "typo.2", "typo.3"}
    assert fake(desks.generator).asked == []
    parts, desks = score(row=ScoreRow("a", ROW.question), reference_answer="8", perturbations=["typo"])
    assert ("baseline", 0) in fake(desks.sut).asked
    assert (parts.base_response, parts.reference) == ("baseline", "given")


def test_an_equal_answer_is_as_robust_as_can_be_without_a_question() -> None:
    parts, desks = score(says=lambda _messages, _condition: " 8\n", judging=judge(robust=0.0))
    assert {pair.robustness for pair in parts.pairs} == {1.0}
    assert len(fake(desks.judge).asked) == 1 + 3


def test_a_pair_without_a_result_is_left_out_and_told() -> None:
    parts, _ = score(says=lambda _messages, condition: "" if condition == "typo.1" else condition, n_sut_retries=2)
    assert [pair.condition for pair in parts.pairs] == ["style.1", "noise.1"]
    assert [(each.condition, each.reason) for each in parts.missing] == [("typo.1", "the reply is empty")]


def test_retries_ask_for_another_sample_each() -> None:
    with pytest.raises(RowError, match=r"^typo\.1: the reply is empty; style\.1: the reply is empty; noise\.1"):
        score(says=lambda _messages, _condition: "", n_sut_retries=2)
    desks = Desks(Fake(lambda _m, _c: ""), Fake(judge()), Fake(no_paraphrase))
    with pytest.raises(RowError):
        asyncio.run(score_row(ROW, ScoreConfig(n_sut_retries=2, num_pairs=1), desks))
    assert fake(desks.sut).asked == [("typo.1", 0), ("typo.1", 1), ("typo.1", 2)]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"judging": lambda _m, _c: "I can't say."},
            "the answer to the original is not judged: the judge gave no score",
        ),
        ({"writing": lambda _m, _c: ""}, "the generator wrote no reference answer: the reply is empty"),
        ({"row": ScoreRow("a", ROW.question), "says": lambda _m, _c: ""}, "the original has no answer: the reply is"),
        (
            {"row": ScoreRow("a", Question("?", answer_form="none"), "x"), "perturbations": ["style"]},
            "no variant of its",
        ),
    ],
)
def test_a_row_without_a_score_says_why(changed: dict[str, object], message: str) -> None:
    with pytest.raises(RowError, match=message):
        score(**changed)  # type: ignore[arg-type]  # each as the function takes it


def test_a_row_whose_original_can_t_be_judged_asks_nothing_of_its_variants() -> None:
    desks = Desks(Fake(lambda _m, condition: condition), Fake(lambda _m, _c: "I can't say."), Fake(no_paraphrase))
    with pytest.raises(RowError, match="the answer to the original is not judged"):
        asyncio.run(score_row(ROW, ScoreConfig(), desks))
    assert [condition for condition, _ in fake(desks.judge).asked] == ["baseline"]
    assert fake(desks.sut).asked == []


def test_what_nothing_can_go_on_after_is_no_matter_of_the_row() -> None:
    def broke(_messages: tuple[Message, ...], _condition: str) -> str:
        raise BudgetSpentError("no money left")

    with pytest.raises(BudgetSpentError, match="no money left"):
        score(says=broke)


kinds_drawn = st.lists(st.sampled_from(KINDS), min_size=1, max_size=6)


@given(kinds_drawn, st.integers(1, 6), st.integers(0, 3))
def test_more_pairs_leave_the_first_ones_as_they_were(kinds: list[VariantKind], wanted: int, seed: int) -> None:
    fewer = perturbed(ROW, kinds, wanted, seed=seed)
    more = perturbed(ROW, kinds, wanted + 1, seed=seed)
    assert more[: len(fewer)] == fewer
    assert len({each.messages for each in more}) == len(more)


pairs_drawn = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6)


def parts_of(base: float, drawn: Sequence[tuple[float, float]], weight: float = 1.0) -> RowParts:
    made = (Pair(f"typo.{at}", "", "", correct, robust, base - correct) for at, (robust, correct) in enumerate(drawn))
    return RowParts(weight, "", base, tuple(made))


@given(st.floats(0, 1), pairs_drawn)
def test_the_composite_lies_between_0_and_1_and_is_what_it_says(base: float, drawn: list[tuple[float, float]]) -> None:
    parts = parts_of(base, drawn)
    robust, drop = float(np.mean([each for each, _ in drawn])), float(np.mean([base - each for _, each in drawn]))
    assert parts.score == pytest.approx(0.5 * robust + 0.5 * (1 - max(0.0, drop)))
    assert 0.0 <= parts.score <= 1.0 + 1e-12


@given(st.floats(0, 1), pairs_drawn, st.data())
def test_a_firmer_pair_never_lowers_the_composite_and_order_is_nothing(
    base: float, drawn: list[tuple[float, float]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(drawn) - 1))
    robust, correct = drawn[at]
    better = [*drawn]
    better[at] = data.draw(st.floats(robust, 1)), data.draw(st.floats(correct, 1))
    assert parts_of(base, better).score >= parts_of(base, drawn).score - 1e-12
    assert parts_of(base, drawn[::-1]).score == pytest.approx(parts_of(base, drawn).score)


finite = st.floats(-100, 100)


@given(finite, st.floats(0.001, 100), st.floats(0, 1), st.floats(0, 1))
def test_the_scale_keeps_the_order_and_inverting_it_turns_it_round(
    low: float, width: float, one: float, other: float
) -> None:
    plain, turned = (ScoreSettings(min=low, max=low + width, inverted=inverted) for inverted in (False, True))
    assert plain.scaled(0.0) == pytest.approx(low)
    assert plain.scaled(1.0) == pytest.approx(low + width)
    assert plain.scaled(one) + turned.scaled(one) == pytest.approx(plain.min + plain.max)
    if one < other:
        assert plain.scaled(one) <= plain.scaled(other) + 1e-9
        assert turned.scaled(one) >= turned.scaled(other) - 1e-9


@given(st.lists(st.tuples(st.floats(0, 1), pairs_drawn), min_size=1, max_size=5))
def test_the_pooled_score_counts_each_row_once_by_its_weight(
    drawn: list[tuple[float, list[tuple[float, float]]]],
) -> None:
    once, twice = Pool(), Pool()
    for base, pairs in drawn:
        once.add(Scored("x", None, parts_of(base, pairs, weight=2.0)))
        twice.add(Scored("x", None, parts_of(base, [*pairs, *pairs])))
    first, second = once.summary(seed=0), twice.summary(seed=0)
    assert first.pooled.estimate == pytest.approx(second.pooled.estimate)
    assert first.pooled.n == len(drawn)


def test_nothing_pooled_is_nothing_and_reasons_are_counted() -> None:
    pool = Pool()
    for reason in ("odd", "odd", "late"):
        pool.add(Scored("x", None, None, reason))
    found = pool.summary(seed=0)
    assert (found.pooled.estimate, found.pooled.n, found.means, found.scored) == (None, 0, None, 0)
    assert found.unscored == {"odd": 2, "late": 1}


results = st.integers(1, 6).flatmap(
    lambda items: st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=items, max_size=items)
)


@given(results)
def test_the_score_of_a_run_is_the_one_in_its_report_where_nothing_is_missing(cells: list[list[bool]]) -> None:
    outcomes = Outcomes.from_array(np.array(cells, dtype=np.int8))
    pool = Pool()
    for scored in score_outcomes(outcomes):
        pool.add(scored)
    assert pool.summary(seed=0).pooled.estimate == pytest.approx(summarise(outcomes).overall.robustness_score)


def test_missing_results_of_a_run_are_left_out_and_told() -> None:
    outcomes = Outcomes.from_array(np.array([[1, 0, -1], [-1, 1, 1], [1, -1, -1]], dtype=np.int8))
    partial, no_original, no_pair = score_outcomes(outcomes)
    assert partial.parts is not None
    assert [(pair.robustness, pair.drop) for pair in partial.parts.pairs] == [(0.0, 1.0)]
    assert len(partial.parts.missing) == 1
    assert (no_original.reason, no_pair.reason) == ("its original has no result", "none of its variants has a result")


def test_items_of_a_cluster_are_drawn_together() -> None:
    cells = np.array([[1, 1]] * 6 + [[1, 0]] * 4, dtype=np.int8)
    names = tuple("aabbccddee")
    items = tuple(str(at) for at in range(10))
    pools = {clusters: Pool() for clusters in (None, names)}
    for clusters, pool in pools.items():
        for scored in score_outcomes(Outcomes(cells[:, :, None], items, ("baseline", "typo.1"), clusters)):
            pool.add(scored)
    alone, together = (pool.summary(seed=0).pooled for pool in pools.values())
    assert ("over clusters" in alone.method, "over clusters" in together.method) == (False, True)
    assert alone.estimate == together.estimate
    assert alone.low is not None
    assert together.low is not None
    assert together.low < alone.low
