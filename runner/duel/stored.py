"""Duels in the store: which there are. Both sides are runs of their own, and so are the verdicts of a judge.

None of them says "this is a duel": it is found by the verdicts, which name the runs of both sides, or by the config
that both runs have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ..errors import UsageError
from ..store.database import Store
from ..store.hidden import runs_graded_by
from ..store.judge_replies import OWNER
from ..store.runs import DUEL, JUDGING, RunRecord


@dataclass(frozen=True, slots=True)
class StoredDuel:
    """The runs of a duel.

    Attributes:
        baseline: The run of the baseline.
        candidate: The run of the candidate.
        judges: The hidden runs of its judges, the newest first.
    """

    baseline: RunRecord
    candidate: RunRecord
    judges: tuple[RunRecord, ...] = ()

    @property
    def name(self) -> str:
        """The duel's name."""
        return str(self.settings.get("name", "")) or self.candidate.name.removesuffix(" candidate")

    @property
    def settings(self) -> Mapping[str, Json]:
        """The config by which it was judged: that of the side which no later duel has taken over."""
        return min(self.baseline, self.candidate, key=lambda run: (run.alive_at, run.number)).config

    @property
    def dimensions(self) -> Mapping[str, Json]:
        """Its dimensions as the config writes them, by their names."""
        told = self.settings.get("dimensions")
        every = told if isinstance(told, list) else []
        return {str(each.get("id")): each for each in every if isinstance(each, dict)}


def stored_duels(store: Store) -> list[StoredDuel]:
    """All duels of a store, the newest first."""
    sides = runs_graded_by(store, DUEL)
    by_id = {run.id: run for run in sides}
    judges: dict[tuple[str, str], list[RunRecord]] = {}
    for judge in runs_graded_by(store, JUDGING):
        owner = str(judge.model.get(OWNER, "")).split(" ")
        if len(owner) == 2 and all(each in by_id for each in owner):
            judges.setdefault((owner[0], owner[1]), []).append(judge)
    found = [StoredDuel(by_id[one], by_id[other], tuple(runs)) for (one, other), runs in judges.items()]
    known = {(duel.baseline.id, duel.candidate.id) for duel in found}
    found += [duel for duel in _by_config(sides) if (duel.baseline.id, duel.candidate.id) not in known]
    return sorted(found, key=lambda duel: (duel.candidate.number, duel.baseline.number), reverse=True)


def _by_config(sides: Sequence[RunRecord]) -> Iterator[StoredDuel]:
    """Duels that need no judge to be known: a candidate, and the baseline that has its config.

    Of several such baselines it is the last one that began before the candidate did, since a duel asks it first.

    Args:
        sides: The sides of all duels, the newest first.
    """
    for run in sides:
        if run.name.endswith(" candidate"):
            name = run.name.removesuffix("candidate") + "baseline"
            same = [each for each in sides if each.name == name and each.config == run.config]
            if same:
                yield StoredDuel(next((each for each in same if each.number < run.number), same[0]), run)


def find_duel(store: Store, baseline: str, candidate: str) -> StoredDuel:
    """The duel of two runs, by their ids.

    Raises:
        UsageError: There is none.
    """
    for duel in stored_duels(store):
        if (duel.baseline.id, duel.candidate.id) == (baseline, candidate):
            return duel
    raise UsageError(f"{store.place}: these are not the runs of a duel; the list of duels has those that there are")
