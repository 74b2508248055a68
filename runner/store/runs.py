"""Runs in the store: beginning or resuming one, ending it, listing them.

A run is known by its fingerprint: name, model, suite and repeats. The same command again resumes the newest run of its
fingerprint, finished or not; whatever has a result costs no call. The grader is not part of it, so that another grader
grades the same replies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Literal

from pydantic import JsonValue as Json
from sqlalchemy import ColumnElement, Connection, RowMapping, insert, select, update

from ...perturbations.canonical import canonical_hash
from ...perturbations.variant import Variant
from ..encoding import suite_hash
from ..errors import UsageError
from ..records import Item
from ..safe_names import safe_name
from .database import Store
from .lease import lost, refuse_if_worked_on, seems_worked_on, watch
from .schema import runs as table
from .suites import put_suite

RunState = Literal["running", "complete", "incomplete", "stopped", "pruned"]
PRUNED: RunState = "pruned"
"""The state of a run whose replies and grades were removed; its row stays for the history of nights."""

ID_NAME_LENGTH = 60
ADAPTATIONS = "adaptations"
"""What of a run's environment says which parameters a model refused and what was done; it stays when a run goes on."""
WITHOUT_TEXTS = "texts_pruned"
"""What of a run's environment says when the texts of its replies were removed; it stays likewise."""
STAYS = frozenset({ADAPTATIONS, WITHOUT_TEXTS})
PARAPHRASER, JUDGE = "paraphrase", "paraphrase judge"
"""Names of the graders of runs that write paraphrases for others, and answer no item."""
JUDGING = "judging"
"""Name of the grader of runs that ask a judge about the answers of others."""
SCORING = "scoring"
"""Name of the grader of runs that keep the replies behind a robustness score, and grade none of them."""
DUEL = "duel"
"""Name of the grader of runs whose answers are one side of a duel, and are judged against those of the other."""
OTHERS = frozenset({PARAPHRASER, JUDGE, JUDGING, SCORING, DUEL})
"""Graders of runs that are no test of a model on items, and are not listed."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What is to be run.

    Attributes:
        name: The run's name.
        model: The model's identity: all that decides a reply besides the prompt.
        grader: The grader's identity.
        repeats: How often each cell is asked.
        config: The resolved config, without secrets.
        dataset_sha256: SHA-256 of the dataset's file.
        bundle_hash: Hash of the frozen bundle of variants.
        prt_version: Version of prt.
        environment: Versions and platform, for the record, and the folder of the config file.
    """

    name: str
    model: Mapping[str, Json]
    grader: Mapping[str, Json]
    repeats: int = 1
    config: Mapping[str, Json] = field(default_factory=dict)
    dataset_sha256: str = ""
    bundle_hash: str = ""
    prt_version: str = ""
    environment: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as the store knows it; the columns of its row, see RunSpec for those not named here.

    Attributes:
        number: The row's number, which other tables refer to.
        id: What people call it by: name, start, four hexadecimal digits.
        fingerprint: Hash of name, model, suite and repeats.
        fresh: Whether it uses no reply of another run.
        state: `running`, `complete`, `incomplete` (cells without a result), `stopped` (before the end), `pruned` (its
            results were removed).
        reason: Why it is stopped or incomplete.
        suite: Number of its items and variants.
        grader_key: Hash of the grader's identity; grades carry it.
        keys_version: The version of prt that would give all its cells the keys that they have; empty where unknown.
        owner: The process that works on it, or did so last.
        alive_at: That process's last sign of life.
    """

    number: int
    id: str
    name: str
    fingerprint: str
    fresh: bool
    state: RunState
    reason: str
    started_at: datetime
    finished_at: datetime | None
    suite: int
    repeats: int
    model: Mapping[str, Json]
    grader: Mapping[str, Json]
    grader_key: str
    config: Mapping[str, Json]
    dataset_sha256: str
    bundle_hash: str
    prt_version: str
    keys_version: str
    environment: Mapping[str, Json]
    owner: str
    alive_at: datetime

    @property
    def keys_hold(self) -> bool:
        """Whether the keys of its cells are known to be those that the prt at work would give them."""
        return bool(self.prt_version) and self.prt_version == self.keys_version

    @property
    def reuse(self) -> frozenset[str]:
        """Which replies of other runs it takes though they answer nothing: `refused`, `truncated`, `empty`, `error`."""
        kinds = self.config.get("reuse")
        return frozenset(map(str, kinds)) if isinstance(kinds, list) else frozenset()

    @property
    def adaptations(self) -> tuple[str, ...]:
        """Which parameters its models refused and what was done, a sentence each."""
        kept = self.environment.get(ADAPTATIONS)
        return tuple(map(str, kept)) if isinstance(kept, list) else ()


COLUMNS = [table.c[column.name] for column in fields(RunRecord)]


def grader_key(identity: Mapping[str, Json]) -> str:
    """Name a grader by its identity, in 16 hexadecimal digits."""
    return canonical_hash("prt.grader", dict(identity)).hex()[:16]


def run_id(name: str, started: datetime, token: str) -> str:
    """Make a run's id: `triage-20260301-120000-3fa9`, safe in a shell and as a file name.

    Args:
        name: The run's name, any text.
        started: When it starts.
        token: Four hexadecimal digits of chance, which keep runs of one second apart.
    """
    safe = safe_name(name, otherwise="run", length=ID_NAME_LENGTH)
    return f"{safe}-{started:%Y%m%d-%H%M%S}-{token}"


def open_run(
    store: Store,
    spec: RunSpec,
    *,
    items: Sequence[Item],
    variants: Sequence[Variant],
    token: str,
    fresh: bool = False,
    digest: str | None = None,
) -> RunRecord:
    """Begin a run, or resume the newest one of the same fingerprint.

    Args:
        store: The results database.
        spec: What is to be run.
        items: The items, in the order of the dataset.
        variants: All variants of all items, whatever their outcome, grouped by item.
        token: Four hexadecimal digits of chance for the id of a new run.
        fresh: Begin a new run that uses no stored reply.
        digest: The `suite_hash` of items and variants, where it is known; they are not looked at where the store holds
            them.

    Returns:
        The run, in state `running`.

    Raises:
        StoreError: The store refuses, or another process works on this run right now.
    """
    digest = digest or suite_hash(items, variants)
    fingerprint = run_fingerprint(spec, digest)
    if not fresh:
        with store.reading() as connection:
            found = newest_of(connection, fingerprint)
        watch(store, [] if found is None else [dict(found)])
    with store.writing(alone=True) as connection:
        earlier = None if fresh else newest_of(connection, fingerprint)
        if earlier is None:
            suite = put_suite(connection, digest, items, variants)
            number = begin(connection, store, spec, fingerprint=fingerprint, suite=suite, token=token, fresh=fresh)
        else:
            number = earlier["number"]
            refuse_if_worked_on(connection, store, dict(earlier))
            held = spec.prt_version if earlier["keys_version"] == spec.prt_version else ""
            kept = {key: value for key, value in earlier["environment"].items() if key in STAYS}
            environment = {**kept, **spec.environment}
            changed = {**reopened(store, spec), "keys_version": held, "environment": environment}
            connection.execute(update(table).where(table.c.number == number).values(**changed))
        return record(connection.execute(select(*COLUMNS).where(table.c.number == number)).mappings().one())


def run_fingerprint(spec: RunSpec, suite: str) -> str:
    """Hash what makes a run the same run."""
    known_by = {"name": spec.name, "model": dict(spec.model), "suite": suite, "repeats": spec.repeats}
    return canonical_hash("prt.run", known_by).hex()


def newest_of(connection: Connection, fingerprint: str) -> RowMapping | None:
    """The newest run of a fingerprint."""
    chosen = select(table).where(table.c.fingerprint == fingerprint).order_by(table.c.number.desc()).limit(1)
    return connection.execute(chosen).mappings().one_or_none()


def reopened(store: Store, spec: RunSpec) -> dict[str, object]:
    """The columns of a run that the command which works on it decides."""
    return {
        "state": "running",
        "reason": "",
        "finished_at": None,
        "grader": dict(spec.grader),
        "grader_key": grader_key(spec.grader),
        "config": dict(spec.config),
        "dataset_sha256": spec.dataset_sha256,
        "bundle_hash": spec.bundle_hash,
        "prt_version": spec.prt_version,
        "environment": dict(spec.environment),
        "owner": store.owner,
        "alive_at": store.now(),
    }


def begin(
    connection: Connection, store: Store, spec: RunSpec, *, fingerprint: str, suite: int, token: str, fresh: bool
) -> int:
    """Add a new run and give its number."""
    started = store.now()
    row = {
        "id": run_id(spec.name, started, token),
        "name": spec.name,
        "fingerprint": fingerprint,
        "fresh": fresh,
        "started_at": started,
        "suite": suite,
        "repeats": spec.repeats,
        "model": dict(spec.model),
        "keys_version": spec.prt_version,
    }
    adding = insert(table).values(**row, **reopened(store, spec)).returning(table.c.number)
    number: int = connection.execute(adding).scalar_one()
    return number


def finish_run(store: Store, run: RunRecord, state: RunState, reason: str = "") -> None:
    """Say how a run ended, unless another process has taken it over, whose part that is.

    Args:
        store: The results database.
        run: The run.
        state: `complete`, `incomplete` or `stopped`.
        reason: Why it is not complete, one sentence.
    """
    ended = {"state": state, "reason": reason, "finished_at": store.now()}
    if state == "complete":
        # Each cell was compared with its key on the way.
        ended["keys_version"] = run.prt_version
    with store.writing() as connection:
        connection.execute(update(table).where(*is_own(store, run)).values(**ended))


def go_on(store: Store, run: RunRecord) -> None:
    """Say that a run whose answers are all there is still worked on: they are judged now.

    Raises:
        TakenOverError: Another process works on it now.
    """
    going = {"state": "running", "reason": "", "finished_at": None, "alive_at": store.now()}
    with store.writing() as connection:
        changed = connection.execute(update(table).where(*is_own(store, run)).values(**going)).rowcount
        taken_over = None if changed else lost(connection, store, run.number)
    if taken_over is not None:
        raise taken_over


def is_own(store: Store, run: RunRecord) -> Sequence[ColumnElement[bool]]:
    """Whether a row is that of a run, and this process worked on it last."""
    return table.c.number == run.number, table.c.owner == store.owner


def refuse_without_texts(run: RunRecord) -> None:
    """Refuse to read the replies of a run anew whose texts were removed: all of them would seem empty.

    Raises:
        UsageError: They were.
    """
    if when := run.environment.get(WITHOUT_TEXTS):
        raise UsageError(
            f"{run.id}: the texts of its replies were removed on {str(when)[:10]} (`prt store prune --replies-only`), "
            "so there is nothing to be read anew; its grades and its report stay as they are"
        )


def keep_adaptations(store: Store, run: RunRecord, adaptations: Sequence[str]) -> None:
    """Write down which parameters the model of a run refused and what was done, beside what was written before.

    Args:
        store: The results database.
        run: The run.
        adaptations: A sentence each; with none nothing is written.
    """
    if not adaptations:
        return
    with store.writing() as connection:
        mine = table.c.number == run.number
        environment = connection.execute(select(table.c.environment).where(mine)).scalar_one()
        every = list(dict.fromkeys([*environment.get(ADAPTATIONS, ()), *adaptations]))
        connection.execute(update(table).where(mine).values(environment={**environment, ADAPTATIONS: every}))


def is_in_progress(store: Store, run: RunRecord) -> bool:
    """Whether another process seems to work on a run; a run in state `running` that none works on was cut off."""
    return seems_worked_on(store, asdict(run))


def state_now(store: Store, run: RunRecord) -> str:
    """The state of a run; `cut off` for one that is `running` by its row, while no process works on it."""
    return "cut off" if run.state == "running" and not is_in_progress(store, run) else run.state


def list_runs(store: Store) -> list[RunRecord]:
    """All runs that answer items, the newest first; not those of paraphrases, judges, scores or duels."""
    with store.reading() as connection:
        chosen = select(*COLUMNS).order_by(table.c.number.desc())
        every = [record(row) for row in connection.execute(chosen).mappings()]
    return [run for run in every if run.grader.get("name") not in OTHERS]


def record(row: RowMapping) -> RunRecord:
    """A row as a value."""
    return RunRecord(**{column.name: row[column] for column in COLUMNS})
