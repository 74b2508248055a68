"""Whether two runs can be held against each other: each thing that makes it unfair, by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ..errors import UsageError
from ..graders.judges import judge_name
from ..problems import counted
from ..store.earlier import progress_of
from ..store.overlap import shared_replies
from ..store.read import StoredRun
from ..store.runs import RunRecord, state_now
from .differences import block, changes, several
from .findings import Caveat, Weight
from .matching import Match

ENOUGH = 0.8
"""The share of items, and of wordings, that has to be alike for the rest to be just left out."""
READS_ROWS = frozenset({"python", "code"})
"""Graders that may look at all of a row; a judge does where it is given a `context`."""
GRAVITY: tuple[Weight, ...] = ("refusal", "caution", "warning", "note")
SUBJECTS: Mapping[str, str] = {
    "model": "the model differs",
    "parameters": "the parameters differ",
    "prompt": "the prompt differs",
}
"""What a comparison may be about, by the kind of its caveat."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Two runs with what people call them, and what they hold alike.

    Attributes:
        before: The earlier run.
        after: The later.
        match: What they hold alike.
    """

    before: StoredRun
    after: StoredRun
    match: Match

    @property
    def records(self) -> tuple[RunRecord, RunRecord]:
        """The rows of both."""
        return self.before.record, self.after.record


def caveats_of(sides: Sides) -> tuple[Caveat, ...]:
    """All that makes a comparison unfair, or that a reader has to know, the gravest first."""
    found = [
        *same_run(sides),
        *items(sides.match),
        *wordings(sides.match),
        *graders(sides),
        *what_differs(sides),
        *states(sides),
        *drift(sides),
        *reused(sides),
        *others(sides),
    ]
    return tuple(sorted(found, key=lambda each: GRAVITY.index(each.weight)))


class UnfairError(UsageError):
    """Runs that are not compared.

    Attributes:
        caveats: Why, each with its weight; where none is a refusal, they are compared if that is allowed.
    """

    def __init__(self, text: str, caveats: Sequence[Caveat]) -> None:
        super().__init__(text)
        self.caveats = tuple(caveats)

    @property
    def can_be_allowed(self) -> bool:
        """Whether they can be compared at all."""
        return all(each.weight == "caution" for each in self.caveats)


def refuse_unfair(caveats: Sequence[Caveat], *, allow: bool) -> None:
    """Refuse what can't be compared, and what should not be unless it is allowed.

    Args:
        caveats: What makes the comparison unfair.
        allow: Whether cautions are let pass.

    Raises:
        UnfairError: With each reason in one sentence.
    """
    refused = [each for each in caveats if each.weight == "refusal"]
    cautions = [each for each in caveats if each.weight == "caution"]
    if refused:
        raise UnfairError(f"these runs can't be compared: {'; '.join(each.text for each in refused)}", refused)
    if cautions and not allow:
        raise UnfairError(
            f"comparing these runs would not be fair: {'; '.join(each.text for each in cautions)}. "
            "`prt compare … --allow` compares what both hold alike all the same",
            cautions,
        )


def same_run(sides: Sides) -> Iterator[Caveat]:
    """Say that a run is held against itself."""
    if is_same_run(sides.before, sides.after):
        yield Caveat("same_run", "note", "both are the same run, so nothing can differ")


def is_same_run(before: StoredRun, after: StoredRun) -> bool:
    """Whether both are one run."""
    return before.record.id == after.record.id and before.store.place == after.store.place


def items(match: Match) -> Iterator[Caveat]:
    """Which items one of the runs lacks, or has with another text or right answer."""
    before, after = (len(match.items) + len(match.changed) + only for only in match.only)
    alike, most = len(match.items), max(before, after)
    if not alike:
        yield Caveat("items", "refusal", f"of {before} and {after} items none is alike in both; items go by their ids")
        return
    share = f"{alike} of {most}"
    if any(match.only):
        weight: Weight = "warning" if alike + len(match.changed) >= ENOUGH * most else "caution"
        only = f"{counted(match.only[0], 'item')} only in the earlier run, {match.only[1]} only in the later"
        yield Caveat("items", weight, f"{only}; {share} are compared")
    if match.changed:
        weight = "warning" if len(match.changed) <= (1 - ENOUGH) * most else "caution"
        named = several([f"`{each}`" for each in match.changed])
        verb = "has" if len(match.changed) == 1 else "have"
        yield Caveat(
            "texts",
            weight,
            f"{counted(len(match.changed), 'item')} {verb} another text or right answer ({named}) and "
            f"{'is' if len(match.changed) == 1 else 'are'} left out; {share} are compared",
        )


def wordings(match: Match) -> Iterator[Caveat]:
    """Which conditions and wordings differ."""
    if match.left_out:
        names = several([f"`{name}`" for name in match.left_out])
        yield Caveat("conditions", "warning", f"only one of the runs has {names}; compared is what both have")
    differ = match.reworded
    if differ:
        weight: Weight = "warning" if differ <= (1 - ENOUGH) * match.asked else "caution"
        made = several([f"`{name}`" for name in match.remade])
        why = f" ({made}: made with other parameters)" if made else ""
        yield Caveat(
            "variants",
            weight,
            f"{differ} of {counted(match.asked, 'variant')} are worded otherwise{why} and left out; a frozen `bundle` "
            "keeps them the same",
        )


def graders(sides: Sides) -> Iterator[Caveat]:
    """Whether both were graded alike."""
    first, second = (dict(record.grader) for record in sides.records)
    judges = first.pop("model", None), second.pop("model", None)
    advice = "grade both alike by `prt grade`"
    if differ := changes(first, second):
        yield Caveat("grader", "caution", f"they were graded otherwise ({several(differ)}); {advice}")
    if judges[0] != judges[1]:
        names = " → ".join(judge_name(record.grader) or "none" for record in sides.records)
        found = several(changes(block(judges[0]), block(judges[1])))
        yield Caveat("judge", "caution", f"another judge decided what passes ({names}: {found}); {advice}")
    if sides.match.rows and (first.get("name") in READS_ROWS or first.get("context")):
        yield Caveat(
            "rows",
            "caution",
            f"{counted(sides.match.rows, 'item')} have other data in their rows, which the grader "
            f"`{first['name']}` may read",
        )


def what_differs(sides: Sides) -> Iterator[Caveat]:
    """What the comparison is about: the model, its parameters, the prompt; and whether it is about several at once."""
    first, second = (dict(record.model) for record in sides.records)
    params = [block(each.pop("params", None)) for each in (first, second)]
    prompts = [block(record.config.get("prompt")) for record in sides.records]
    differ = {"model": changes(first, second), "parameters": changes(*params), "prompt": changes(*prompts)}
    if sides.match.around and not differ["prompt"]:
        differ["prompt"] = [f"what is said around the questions of {counted(sides.match.around, 'item')}"]
    named = {kind: several(found) for kind, found in differ.items() if found}
    for kind, found in named.items():
        weight: Weight = "note" if kind == "model" else "warning"
        yield Caveat(kind, weight, f"{SUBJECTS[kind]}: {found}")
    if len(named) > 1:
        names = " and ".join(f"the {kind}" for kind in named)
        yield Caveat("several", "warning", f"{names} differ at once, so a change can't be put down to one of them")
    if sides.records[0].repeats != sides.records[1].repeats:
        asked = " and ".join(str(record.repeats) for record in sides.records)
        yield Caveat(
            "repeats", "warning", f"prompts were asked {asked} times; tests count as many of each run as both have"
        )


def states(sides: Sides) -> Iterator[Caveat]:
    """Whether both are complete."""
    for run, name in ((sides.before, "earlier"), (sides.after, "later")):
        state = state_now(run.store, run.record)
        if state == "complete":
            continue
        done, total = progress_of(run.store, run.record)
        weight: Weight = "caution" if state == "running" else "warning"
        reason = f": {run.record.reason}" if run.record.reason else ""
        yield Caveat(
            "state", weight, f"the {name} run is {state}, {done} of {counted(total, 'cell')} have a result{reason}"
        )


def drift(sides: Sides) -> Iterator[Caveat]:
    """Whether one run was answered by several models, or machineries."""
    seen = [run.machinery() for run in (sides.before, sides.after)]
    for machinery, name in zip(seen, ("earlier", "later"), strict=True):
        for part, noun in (("model", "models"), ("fingerprint", "fingerprints")):
            counts: dict[str, int] = {}
            for each in machinery:
                counts[getattr(each, part)] = counts.get(getattr(each, part), 0) + each.replies
            counts.pop("", None)
            if len(counts) > 1:
                found = several([f"`{value}` {n} times" for value, n in counts.items()])
                yield Caveat(
                    "drift",
                    "warning",
                    f"within the {name} run the endpoint answered as {len(counts)} {noun} ({found}), so it may have "
                    "changed meanwhile",
                )
    if sides.records[0].model == sides.records[1].model:
        models = [{each.model for each in machinery if each.model} for machinery in seen]
        prints = [{each.fingerprint for each in machinery if each.fingerprint} for machinery in seen]
        yield from moved(models[0], models[1], "model")
        yield from moved(prints[0], prints[1], "fingerprint")


def moved(before: set[str], after: set[str], noun: str) -> Iterator[Caveat]:
    """Say that an endpoint names another model, or machinery, than before, though the same was asked for."""
    if before and after and before != after:
        first, second = (several(sorted(f"`{name}`" for name in names)) for names in (before, after))
        yield Caveat(
            "model", "note", f"the same model was asked for, and the endpoint names another {noun}: {first} → {second}"
        )


def reused(sides: Sides) -> Iterator[Caveat]:
    """Whether the later run took replies of the earlier, which can't differ."""
    if is_same_run(sides.before, sides.after):
        return
    shared = shared_replies(sides.before, sides.after)
    if shared:
        yield Caveat(
            "reused",
            "warning",
            f"{shared} of {counted(sides.after.replied(), 'reply').replace('replys', 'replies')} of the later run are "
            "the earlier run's own, taken from the store, and can't differ; `prt run --fresh` asks anew",
        )


def others(sides: Sides) -> Iterator[Caveat]:
    """What else differs."""
    versions: list[Json] = [record.prt_version for record in sides.records]
    if versions[0] != versions[1]:
        yield Caveat("version", "note", f"prt {versions[0]} made the earlier run, prt {versions[1]} the later")
