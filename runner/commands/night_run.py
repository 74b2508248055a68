"""One night of a series, from its config to its row in the history."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from rich.console import Console
from rich.text import Text

from ...perturbations.canonical import canonical_hash
from ..analysis import analyse_run, read_results_of
from ..config.gates import COMPARED, GateConfig
from ..config.loading import LoadedConfig
from ..errors import UsageError
from ..gating.of_run import own_gates
from ..idle import refuse_idle
from ..masking import masked
from ..nightly.deciding import Settings, Side, decided, told
from ..nightly.lock import night_lock
from ..nightly.summary import History, NightSummary, read_history, summary_json
from ..prepare import Prepared
from ..problems import quoted
from ..reports.text import visible
from ..store.baselines import Baseline, find_baseline, refuse_unfit, set_baseline
from ..store.database import Store, open_store
from ..store.nights import NIGHT, REFERENCE, list_nights, put_night, run_of, suite_hash_of
from ..store.read import StoredRun
from ..store.runs import RunRecord
from .freezing import frozen_first
from .gates import refuse_unknown_gates, refuse_unknown_runs
from .night_asking import Asked, Desk, ask_run, ready
from .night_ending import Decided, Ended, end_night, keep_nights
from .opening import Allowance, place_of
from .preparing import prepared_or_known
from .printing import print_notes, watching


class Night:
    """One night of a series, from its config to its row in the history."""

    def __init__(
        self,
        loaded: LoadedConfig,
        *,
        restart: bool,
        store: str | None,
        html: bool | None,
        told: Console,
        alarming: Console,
    ) -> None:
        """Get ready; nothing is opened.

        Args:
            loaded: The config.
            restart: Count looks anew from this night.
            store: Results database, instead of the config's.
            html: Whether to write pages; None leaves it to the config.
            told: Where progress is shown.
            alarming: Where errors are told of.
        """
        self._loaded = loaded
        self._restart = restart
        self._override = store
        self._html = html
        self._told = told
        self._alarming = alarming
        self._nightly = loaded.config.nightly
        self._series = loaded.config.name
        analysis = loaded.config.analysis
        self._settings = Settings(analysis.alpha, analysis.margin, self._nightly)

    def run(self) -> Ended:
        """Run it.

        Raises:
            PrtError: It can't be run, or not now.
        """
        allowance = Allowance.of(self._loaded.config)
        prepared = prepared_or_known(self._loaded.path, store=self._override)
        refuse_unknown_gates(prepared)
        print_notes(prepared.notes, prepared.skipped, self._told)
        refuse_idle(prepared, self._loaded.path)
        prepared = frozen_first(prepared, self._told, store=self._override, fresh=False, allowance=allowance)
        refuse_idle(prepared, self._loaded.path)
        place = place_of(self._loaded, self._override)
        with (
            open_store(place.address, base=place.base, watch=watching(self._told)) as store,
            night_lock(store, self._series) as left_behind,
        ):
            if left_behind is not None:
                self._say(f"the night of process {left_behind} did not end by itself")
            return self._held(prepared, store, allowance)

    def _held(self, prepared: Prepared, store: Store, allowance: Allowance) -> Ended:
        """The night, once its lock is held."""
        refuse_unknown_runs(prepared, store)
        stored = list_nights(store, self._series)
        history = read_history(stored)
        pinned = self._baseline(store, prepared)
        if pinned is not None:
            self._refuse_beyond(history, reference_key(pinned.run))
        complete = {
            night.run for night, each in zip(stored, history.nights, strict=True) if each.verdict != "incomplete"
        }
        desk = Desk(
            store=store,
            told=self._told,
            alarming=self._alarming,
            allowance=allowance,
            decided=complete,
        )
        own = ready(prepared, NIGHT, desk)
        model = self._nightly.reference_model
        other = None if model is None else ready(prepared, REFERENCE, desk, model)
        tonight = ask_run(own, desk, since=store.now() - timedelta(hours=self._nightly.resume_h))
        reference = None
        if other is not None and tonight.summary.complete:
            # One that began before tonight's run is that of another night.
            reference = ask_run(other, desk, since=tonight.run.started_at)
        number = next((night.night for night in stored if night.run == tonight.run.number), None)
        before = [each for each in history.nights if number is None or each.night < number]
        night = self._decided(store, tonight, reference, History(tuple(before)), pinned)
        row = put_night(store, self._series, tonight.run.number, summary_json(night.summary), night=number)
        night = replace(night, summary=replace(night.summary, night=row.night))
        previous = before[-1] if before else None
        ended = end_night(self._loaded, night, previous, html=self._html, say=self._say, warn=self._warn)
        keep_nights(store, self._series, self._nightly.keep, say=self._say, warn=self._warn)
        return ended

    def _baseline(self, store: Store, prepared: Prepared) -> Baseline | None:
        """The pinned baseline; None where there is none yet, or tonight becomes it.

        Raises:
            UsageError: What is pinned can't be compared with tonight, or the name can't be that of a baseline.
        """
        if self._nightly.reference == "fresh":
            return None
        name = self._baseline_name
        try:
            with store.reading() as connection:
                refuse_unfit(connection, name)
        except UsageError as error:
            raise UsageError(f"{error} (`nightly.baseline`, or else `name`, names it)") from None
        pinned = None if self._restart else find_baseline(store, name)
        if pinned is not None:
            refuse_other_suite(store, pinned, prepared)
        return pinned

    @property
    def _baseline_name(self) -> str:
        return self._nightly.baseline or self._series

    def _refuse_beyond(self, history: History, key: str) -> None:
        looks, nights = len(history.looks(key)), self._nightly.nights
        if nights is not None and looks >= nights:
            raise UsageError(
                f"nightly.nights: alpha was split over {nights} nights, and {looks} were held against this baseline; "
                "pin another one (`prt baseline set`), or begin anew from tonight with --restart"
            )

    def _decided(
        self, store: Store, tonight: Asked, reference: Asked | None, history: History, pinned: Baseline | None
    ) -> Decided:
        """What the night came to; the first complete one is pinned where that is wanted."""
        run = StoredRun(store, run_of(store, tonight.run.number))
        beside = None if reference is None else StoredRun(store, run_of(store, reference.run.number))
        both = [each.summary for each in (tonight, reference) if each is not None]
        last = last_side(store, history, run)
        if pinned is not None and pinned.run.number == tonight.run.number:
            pinned = None  # it was pinned by a command that ended before it could note the night
        against = side_of(store, pinned) if beside is None else fresh_side(beside)
        results = read_results_of(run)
        compared = None if against is None else against.run
        report = analyse_run(run, results=results, gates=gates_of(run, against), compared=compared)
        summary = told(
            self._series,
            run,
            report,
            cells=sum(each.total for each in both),
            missing=sum(each.missing for each in both),
            reference=None if beside is None else analyse_run(beside),
        )
        if reference is not None and not reference.summary.complete:
            reason = f"the reference: {reference.summary.reason}"
            summary = replace(summary, state=reference.summary.state, reason=reason, verdict="incomplete")
        if summary.verdict != "incomplete":
            sides = {"against": against, "last": last}
            summary = decided(summary, run, history, self._settings, **sides, restarted=self._restart)
            summary = summary if against is not None else self._pinned(store, summary, run)
        return Decided(summary, run, report, results)

    def _pinned(self, store: Store, summary: NightSummary, run: StoredRun) -> NightSummary:
        """Pin the night as the baseline of those to come."""
        set_baseline(store, self._baseline_name, run.record)
        return replace(
            summary,
            pinned=True,
            baseline=self._baseline_name,
            reference_run=run.record.id,
            reference_key=reference_key(run.record),
        )

    def _say(self, line: str) -> None:
        self._told.print(Text(f"note: {visible(masked(line))}"), soft_wrap=True)

    def _warn(self, line: str) -> None:
        """Say what went wrong, which a schedule's quiet nights are to log, too."""
        self._alarming.print(Text(f"warning: {visible(masked(line))}"), soft_wrap=True)


def gates_of(run: StoredRun, against: Side | None) -> Sequence[GateConfig]:
    """The gates of the config; without those against a run to compare with, where there is none yet."""
    return [gate for gate in own_gates(run.record) if against is not None or gate.against != COMPARED]


def reference_key(run: RunRecord) -> str:
    """What tells a stored baseline from others."""
    return f"run {run.id}"


def refuse_other_suite(store: Store, pinned: Baseline, prepared: Prepared) -> None:
    """Refuse a baseline of other items or variants before any call.

    Raises:
        UsageError: It is one.
    """
    if suite_hash_of(store, pinned.run.suite) != prepared.suite_hash:
        raise UsageError(
            f"{store.place}: the baseline {quoted(pinned.name)} ({pinned.run.id}) was asked other items or variants "
            "than this config has; pin a run of these (`prt baseline set`), or pin tonight's with --restart"
        )


def side_of(store: Store, pinned: Baseline | None) -> Side | None:
    """The stored baseline as what tonight is held against."""
    if pinned is None:
        return None
    return Side(f"the baseline {pinned.name}", StoredRun(store, pinned.run), reference_key(pinned.run))


def fresh_side(run: StoredRun) -> Side:
    """Tonight's reference as what tonight is held against."""
    name = str(run.record.environment.get("model", "the reference"))
    return Side(f"the reference {name}", run, canonical_hash("prt.reference", dict(run.record.model)).hex())


def last_side(store: Store, history: History, tonight: StoredRun) -> Side | None:
    """The last complete night; None where its items or variants are others, or nothing is left of its results."""
    if not history.complete:
        return None
    last = history.complete[-1]
    found = next(night for night in list_nights(store, last.series) if night.night == last.night)
    record = run_of(store, found.run)
    if record.state == "pruned" or record.suite != tonight.record.suite:
        return None
    return Side(f"night {last.night}", StoredRun(store, record))
