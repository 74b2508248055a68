"""What two runs hold alike: the items with the same text and right answer, and under each condition the same wording.

What is said around a question (system prompt, instruction, examples, closing line, template) may be another one, since
two versions of a prompt are what many comparisons are about. All else has to be the same, or is left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..analysis import Results
from ..plan import BASELINE
from ..store.columns import VariantColumns, narrow
from ..store.overlap import item_payloads, suite_digest, variant_payloads
from ..store.read import StoredRun

AROUND = frozenset({"system", "instruction", "examples", "answer_form", "answer_instruction", "template"})
"""The parts of a question that are said around it."""
ITEM_PARTS = ("gold", "attachments")
VARIANT_PARTS = ("layout", "permutation", "gold")

Mask = NDArray[np.bool_]
Hashes = NDArray[np.int64]
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """What two runs hold alike.

    Attributes:
        items: Ids of the items that are alike, in the order of the earlier run.
        conditions: Names of the perturbations that both have, the baseline first.
        unlike: Items × conditions: whether the two wordings differ.
        only: How many items only the earlier, and only the later run has.
        changed: Ids of shared items whose text or right answer differs.
        rows: How many of the alike items have another row, apart from the fields that a question is made of.
        around: For how many of the alike items what is said around the question differs.
        asked: In how many places both runs ask under a condition other than the baseline.
        left_out: Names of the perturbations of only one of the runs.
        remade: Conditions of one name that were made otherwise, with what differs.
    """

    items: tuple[str, ...]
    conditions: tuple[str, ...]
    unlike: Mask
    only: tuple[int, int] = (0, 0)
    changed: tuple[str, ...] = ()
    rows: int = 0
    around: int = 0
    asked: int = 0
    left_out: tuple[str, ...] = ()
    remade: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def reworded(self) -> int:
        """In how many places the wordings differ."""
        return int(np.count_nonzero(self.unlike))


@dataclass(frozen=True, slots=True)
class _ItemTexts:
    """Hashes of what an item is."""

    core: int
    around: int
    row: int


def match_runs(before: tuple[StoredRun, Results], after: tuple[StoredRun, Results]) -> Match:
    """Find what two runs hold alike.

    Args:
        before: The earlier run and its results.
        after: The later.

    Raises:
        StoreError: A store can't be read.
    """
    (first, one), (second, other) = before, after
    conditions, left_out = shared_conditions(one, other)
    ids = one.outcomes.items
    remade = {
        name: (one.tallies[name].parameters, other.tallies[name].parameters)
        for name in conditions[1:]
        if one.tallies[name].parameters != other.tallies[name].parameters
    }
    if suite_digest(first) == suite_digest(second):
        unlike = np.zeros((len(ids), len(conditions)), dtype=np.bool_)
        return Match(ids, conditions, unlike, asked=_asked_both(one, other, ids, conditions), left_out=left_out)
    texts, theirs = (
        dict(zip(results.outcomes.items, map(_item_texts, item_payloads(run)), strict=True))
        for run, results in (before, after)
    )
    shared = [item for item in ids if item in theirs]
    alike = tuple(item for item in shared if texts[item].core == theirs[item].core)
    same_around = np.array([texts[item].around == theirs[item].around for item in alike], dtype=np.bool_)
    return Match(
        items=alike,
        conditions=conditions,
        unlike=_unlike(before, after, alike, conditions, same_around),
        only=(len(ids) - len(shared), len(other.outcomes.items) - len(shared)),
        changed=tuple(item for item in shared if texts[item].core != theirs[item].core),
        rows=sum(texts[item].row != theirs[item].row for item in alike),
        around=int(np.count_nonzero(~same_around)),
        asked=_asked_both(one, other, alike, conditions),
        left_out=left_out,
        remade=remade,
    )


def shared_conditions(one: Results, other: Results) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The perturbations that both runs have, the baseline first; and those of only one."""
    first, second = one.named("perturbation"), other.named("perturbation")
    shared = [name for name in first if name in second]
    return (BASELINE, *shared), tuple(sorted(set(first) ^ set(second)))


def _item_texts(text: str) -> _ItemTexts:
    item = json.loads(text)
    core, around = _question_hashes(item["question"])
    return _ItemTexts(
        hash((core, *(_canonical(item.get(part)) for part in ITEM_PARTS))), around, hash(_canonical(item.get("row")))
    )


def _question_hashes(question: Payload) -> tuple[int, int]:
    """Hashes of what a question is, and of what is said around it."""
    asked = {key: value for key, value in question.items() if key not in AROUND and value}
    around = {key: value for key, value in question.items() if key in AROUND and value}
    return hash(_canonical(asked)), hash(_canonical(around))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True) if value else ""


class _Grid:
    """Where each variant of a run's suite stands among the items and conditions that are compared."""

    def __init__(self, variants: VariantColumns, items: tuple[str, ...], conditions: tuple[str, ...]) -> None:
        row_of = {item: place for place, item in enumerate(items)}
        column_of = {name: place for place, name in enumerate(conditions)}
        rows = narrow([row_of.get(item, -1) for item in variants.items])
        columns = narrow([column_of.get(name, -1) for name in variants.conditions])
        applied = np.array([outcome == "applied" for outcome, _ in variants.causes], dtype=np.bool_)
        self.row, self.column = rows[variants.item], columns[variants.condition]
        self.compared = (self.row >= 0) & (self.column >= 0) & applied[variants.cause]
        self.shape = len(items), len(conditions)

    def asked(self) -> Mask:
        """Items × conditions: whether there is something to ask."""
        asked = np.zeros(self.shape, dtype=np.bool_)
        asked[self.row[self.compared], self.column[self.compared]] = True
        return asked

    def hashes(self, texts: Iterator[str], of: Callable[[str, int], int], wanted: Mask) -> Hashes:
        """Items × conditions: a hash of each wanted variant's JSON, 0 elsewhere."""
        found = np.zeros(self.shape, dtype=np.int64)
        for text, row, column, compared in zip(texts, self.row, self.column, self.compared, strict=True):
            if compared and wanted[row, column]:
                found[row, column] = of(text, int(row))
        return found


def _asked_both(one: Results, other: Results, items: tuple[str, ...], conditions: tuple[str, ...]) -> int:
    first, second = (_Grid(each.variants, items, conditions).asked() for each in (one, other))
    return int(np.count_nonzero((first & second)[:, 1:]))


def _unlike(
    before: tuple[StoredRun, Results],
    after: tuple[StoredRun, Results],
    items: tuple[str, ...],
    conditions: tuple[str, ...],
    same_around: Mask,
) -> Mask:
    """Where both runs ask, but not in the same wording.

    Whole texts are looked at first, and parsed where they differ.
    """
    runs = before[0], after[0]
    grids = [_Grid(results.variants, items, conditions) for _, results in (before, after)]
    wanted = grids[0].asked() & grids[1].asked()

    def differing(of: Callable[[str, int], int], among: Mask) -> Mask:
        first, second = (grid.hashes(variant_payloads(run), of, among) for grid, run in zip(grids, runs, strict=True))
        return np.asarray(first != second)

    texts = differing(lambda text, _: hash(text), wanted)
    if not texts.any():
        return texts
    return differing(lambda text, row: _wording(text, around=bool(same_around[row])), texts)


def _wording(text: str, *, around: bool) -> int:
    """A hash of what a variant asks; of what is said around it too where the originals have the same there."""
    variant = json.loads(text)
    asked, said = _question_hashes(variant["question"])
    return hash((asked, said if around else 0, *(_canonical(variant.get(part)) for part in VARIANT_PARTS)))
