"""Before anything is spent on a score: calls and tokens of each model, cost, and how sure so many rows can be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt

from ...perturbations.question import Message
from ..config.limits import CHARACTERS_PER_TOKEN
from ..config.score import ScoreConfig
from ..costs import CostAtMost, all_together, cost_at_most
from ..judging.prompts import Matter
from ..paraphrasing.prompts import paraphrase_messages
from .prompts import conversation, correctness, pair_robustness, reference_messages
from .rows import Read, ScoreRow
from .scorer import ATTEMPTS
from .variants import original, paraphrases_wanted, proposal_seed

FEWEST_ROWS = 10
"""The interval was tried from so many rows on."""
QUANTILE = 1.96
WIDEST = 0.5
"""Standard deviation of scores of which half are 0 and half are 1: none have a larger one."""
USUAL = 0.2
WHO = {"sut": "the system under test", "judge": "the judge", "generator": "the generator"}


@dataclass(slots=True)
class Asked:
    """What one model is asked.

    Attributes:
        role: `sut`, `judge` or `generator`.
        model: Its name.
        limit: The most tokens of a reply, by its block; None where that sets no limit.
        calls: Its calls at the most.
        prompt_tokens: Tokens in at 4 characters each, without answers that are yet to come.
        answers: How many answers that are yet to come stand in its prompts.
    """

    role: str
    model: str
    limit: int | None
    calls: int = 0
    prompt_tokens: int = 0
    answers: int = 0

    def add(self, messages: Sequence[Message], calls: int, *, answers: int = 0) -> None:
        """Count so many calls with a prompt, each with so many answers in it."""
        self.calls += calls
        self.prompt_tokens += calls * ceil(sum(len(each.content) for each in messages) / CHARACTERS_PER_TOKEN)
        self.answers += calls * answers

    @property
    def completion_tokens(self) -> int | None:
        """Tokens out at the most; None without a limit."""
        return None if self.limit is None else self.limit * self.calls


@dataclass(frozen=True, slots=True)
class RowCalls:
    """The calls for one row, at the most.

    Attributes:
        sut: Of the system under test, where the row has no answer of its own.
        judge: Of the judge.
        generator: Of the generator, where the row has no reference.
    """

    sut: int
    judge: int
    generator: int


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """What a score would ask, cost and show.

    Attributes:
        name: The work's name.
        num_pairs: Variants of each row.
        per_row: The calls for one row.
        rows: Rows that can be scored; None where no file of rows was given.
        unusable: Rows that can't be read, with what is wrong with the first; none where no file was given.
        asked: What each model is asked for these rows; nothing where no file was given.
        answer_tokens: Tokens at the most of answers that stand in the judge's prompts; None where the system sets no
            limit.
        costs: What each model that is asked costs at the most, by its own prices; nothing without rows.
        cost: All of them together; None without rows, or where any is not known, without prices or limits on tokens.
        currency: What the prices are in.
        widest: Half the width of the pooled score's interval, where half of the rows score 0 and half 1; None without
            rows.
        usual: The same where scores have a standard deviation of .2.
        enough: Whether there are as many rows as the interval was tried with; None without rows.
    """

    name: str
    num_pairs: int
    per_row: RowCalls
    rows: int | None = None
    unusable: int = 0
    first_unusable: str = ""
    asked: tuple[Asked, ...] = ()
    answer_tokens: int | None = None
    costs: tuple[CostAtMost, ...] = ()
    cost: float | None = None
    currency: str = ""
    widest: float | None = None
    usual: float | None = None
    enough: bool | None = None


@dataclass(slots=True)
class _Counted:
    """Rows as they are counted."""

    rows: int = 0
    unusable: int = 0
    first: str = ""
    without_reference: int = 0
    asked: dict[str, Asked] = field(default_factory=dict)


def per_row(config: ScoreConfig) -> RowCalls:
    """The calls for one row, at the most."""
    pairs = config.num_pairs
    proposals = ATTEMPTS * paraphrases_wanted(config.perturbations, pairs)
    return RowCalls(
        sut=(pairs + 1) * (config.n_sut_retries + 1),
        judge=1 + 2 * pairs,
        generator=proposals + (config.reference_answer is None),
    )


def plan_score(
    config: ScoreConfig,
    reads: Iterable[Read] | None = None,
    *,
    models: Mapping[str, tuple[str, int | None]] | None = None,
) -> ScorePlan:
    """Reckon a score.

    Args:
        config: Its config.
        reads: The rows; None where they are not known.
        models: Name and limit on the tokens of a reply, by role; needed for rows.
    """
    if reads is None or models is None:
        return ScorePlan(config.name, config.num_pairs, per_row(config))
    counted = _Counted(asked={role: Asked(role, *known) for role, known in models.items()})
    for read in reads:
        if read.row is None:
            counted.unusable += 1
            counted.first = counted.first or f"line {read.line.line}: {read.reason}"
        else:
            counted.rows += 1
            _add(read.row, config, counted.asked)
    asked = tuple(counted.asked.values())
    sut = counted.asked["sut"]
    seen = None if sut.limit is None else sut.limit * counted.asked["judge"].answers
    costs = _costs(config, asked, seen)
    return ScorePlan(
        config.name,
        config.num_pairs,
        per_row(config),
        rows=counted.rows,
        unusable=counted.unusable,
        first_unusable=counted.first,
        asked=asked,
        answer_tokens=seen,
        costs=costs,
        cost=all_together(costs),
        currency=config.price_list.currency,
        widest=half_width(counted.rows, WIDEST),
        usual=half_width(counted.rows, USUAL),
        enough=counted.rows >= FEWEST_ROWS,
    )


def half_width(rows: int, deviation: float) -> float | None:
    """Half the width of a mean's 95% interval, at most one half."""
    return min(QUANTILE * deviation / sqrt(rows), 0.5) if rows else None


def _add(row: ScoreRow, config: ScoreConfig, asked: Mapping[str, Asked]) -> None:
    """Count the calls for one row; a variant is taken for as long as its original."""
    pairs, tries = config.num_pairs, config.n_sut_retries + 1
    is_answered = bool(row.response.strip())
    asked["sut"].add(original(row), (pairs + (not is_answered)) * tries)
    reference = row.reference or config.reference_answer or ""
    context = row.context or config.groundtruth_context or ""
    matter = Matter(conversation(row), (reference,), context)
    judge = asked["judge"]
    judge.add(correctness(row.response, matter).messages, 1, answers=int(not is_answered))
    judge.add(correctness("", matter).messages, pairs, answers=1)
    judge.add(pair_robustness(row.response, "", matter).messages, pairs, answers=1 + (not is_answered))
    generator = asked["generator"]
    if not reference:
        generator.add(reference_messages(row, context), 1)
    for messages in _paraphrasing(row, config):
        generator.add(messages, ATTEMPTS)


def _paraphrasing(row: ScoreRow, config: ScoreConfig) -> Iterator[tuple[Message, ...]]:
    for number in range(1, paraphrases_wanted(config.perturbations, config.num_pairs) + 1):
        seed = proposal_seed(config.seed, number, 0)
        yield paraphrase_messages(row.question.text, formality="kept", seed=seed)


def _costs(config: ScoreConfig, asked: Sequence[Asked], seen: int | None) -> tuple[CostAtMost, ...]:
    """What each model that is asked costs at the most, by its own prices."""
    blocks = {"sut": config.sut, "judge": config.judge, "generator": config.writer}
    costs = []
    for each in asked:
        block, prompt = blocks[each.role], each.prompt_tokens
        prices = None if block is None else config.price_list.price(block)
        in_all = prompt if each.role != "judge" else None if seen is None else prompt + seen
        if each.calls:
            costs.append(cost_at_most(WHO[each.role], prices, prompt=in_all, completion=each.completion_tokens))
    return tuple(costs)
