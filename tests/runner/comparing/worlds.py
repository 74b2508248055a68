"""Runs as they might have been, put into a store without asking anything."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from prt.perturbations.question import Question
from prt.perturbations.variant import Variant
from prt.runner.comparing.versions import Named
from prt.runner.records import Grade, Item, Reply, ReplyError, Status
from prt.runner.store.database import Store
from prt.runner.store.read import load_run
from prt.runner.store.results import NewReply, NewResult, add_results
from prt.runner.store.runs import RunSpec, RunState, finish_run, open_run
from pydantic import JsonValue as Json

from ..run_fakes import make_item, make_variant

MODEL: Mapping[str, Json] = {"provider": "openai", "name": "m", "params": {"temperature": 0}}
GRADER: Mapping[str, Json] = {"name": "exact", "version": 1, "ignore_case": True}

Chance = Callable[[str, str], float]


def always(share: float) -> Chance:
    """The same chance for every item and condition."""
    return lambda item, condition: share  # noqa: ARG005 - the form of a chance


MOSTLY, NEVER = always(0.9), always(0.0)


@dataclass(frozen=True, slots=True)
class Made:
    """A run to be put into a store.

    Attributes:
        name: Its name, and the seed of its luck.
        items: How many items.
        conditions: The conditions besides the baseline.
        passes: The chance to pass, by item and condition.
        troubled: The chance of a reply that is no answer.
        trouble: What such a reply is.
        reworded: A condition under which each prompt has one more word.
        changed_items: How many items have another text.
        first_item: The number of the first item.
        clusters: How many items share a cluster.
        system: The system prompt.
        row_note: What the rows hold besides.
        answered_by: Model name and fingerprint, by the number of the item.
        state: How the run ended.
        missing: How many items have no results.
    """

    name: str
    items: int = 120
    conditions: Sequence[str] = ("typo.1", "typo.2", "style.1")
    passes: Chance = MOSTLY
    troubled: Chance = NEVER
    trouble: Status = "truncated"
    repeats: int = 1
    model: Mapping[str, Json] = field(default_factory=lambda: MODEL)
    grader: Mapping[str, Json] = field(default_factory=lambda: GRADER)
    config: Mapping[str, Json] = field(default_factory=dict)
    reworded: str = ""
    changed_items: int = 0
    first_item: int = 0
    clusters: int = 1
    system: str = ""
    row_note: str = ""
    answered_by: Callable[[int], tuple[str, str]] = lambda number: ("m-1", "fp_1")  # noqa: ARG005 - as above
    state: RunState = "complete"
    missing: int = 0
    prt_version: str = "1.0"

    def all_items(self) -> list[Item]:
        """The items."""
        numbers = range(self.first_item, self.first_item + self.items)
        return [self._item(number, changed=place < self.changed_items) for place, number in enumerate(numbers)]

    def _item(self, number: int, *, changed: bool) -> Item:
        item = make_item(number, text=f"What is {number}, then?" if changed else "")
        cluster = f"c{number // self.clusters}" if self.clusters > 1 else ""
        row = {**item.row, "note": self.row_note}
        return replace(item, cluster=cluster, question=replace(item.question, system=self.system), row=row)

    def all_variants(self) -> list[Variant]:
        """All variants, grouped by item."""
        return [self._variant(item, name) for item in self.all_items() for name in ("baseline", *self.conditions)]

    def _variant(self, item: Item, name: str) -> Variant:
        text = item.question.text if name == "baseline" else f"{item.question.text} ({name})"
        more = " please" if name == self.reworded else ""
        question = Question(text + more, system=self.system)
        return replace(make_variant(item, name, text), question=question)


def put(store: Store, made: Made, *, number: int = 0) -> Named:
    """Put a run into a store; the number tells its id from others."""
    variants = made.all_variants()
    spec = RunSpec(
        name=made.name,
        model=made.model,
        grader=made.grader,
        repeats=made.repeats,
        config={"name": made.name, **made.config},
        prt_version=made.prt_version,
        environment={"model": str(made.model.get("name", ""))},
    )
    run = open_run(store, spec, items=made.all_items(), variants=variants, token=f"{number:04x}", fresh=True)
    skipped = {f"q{number}" for number in range(made.first_item, made.first_item + made.missing)}
    places = [
        (position, variant, repeat)
        for position, variant in enumerate(variants)
        for repeat in range(made.repeats)
        if variant.item_id not in skipped
    ]
    outcomes = [outcome(made, variant, repeat) for _, variant, repeat in places]
    keys = [sha256(f"{made.name} {position} {repeat}".encode()).hexdigest() for position, _, repeat in places]
    ids = add_results(store, run, [NewReply(key, reply) for key, (reply, _) in zip(keys, outcomes, strict=True)], [])
    results = [
        NewResult(position, repeat, number, grade)
        for (position, _, repeat), number, (_, grade) in zip(places, ids, outcomes, strict=True)
    ]
    add_results(store, run, [], results)
    if made.state != "running":
        finish_run(store, run, made.state, "" if made.state == "complete" else "the budget is spent")
    return Named(made.name, load_run(store, run.id))


def outcome(made: Made, variant: Variant, repeat: int) -> tuple[Reply, Grade]:
    """A reply and its grade."""
    luck = random.Random(f"{made.name}/{variant.item_id}/{variant.condition}/{repeat}")  # noqa: S311 - luck of a test
    model, fingerprint = made.answered_by(int(variant.item_id[1:]))
    if luck.random() < made.troubled(variant.item_id, variant.condition):
        if made.trouble == "error":
            return Reply(error=ReplyError("timeout", "no answer")), Grade(None, "error", reason="no answer")
        return Reply("…", model=model, fingerprint=fingerprint), Grade(False, made.trouble)  # noqa: FBT003 - a record in its own order
    passed = luck.random() < made.passes(variant.item_id, variant.condition)
    text = variant.item_id[1:] if passed else "?"
    return Reply(text, model=model, fingerprint=fingerprint), Grade(passed, "graded", text, text)
