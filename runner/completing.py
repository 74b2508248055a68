"""What a shell is offered while a command is typed: runs, baselines, series, items and conditions of the store.

The store is found as the command finds it. It is only read, never made or upgraded. Whatever goes wrong, nothing is
offered and nothing is said: what a completion prints would stand in the line that is typed. Nothing that is slow to
load is loaded.
"""

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .store import DEFAULT_STORE
from .store.names import LATEST, Names, RunName, open_names

STORE_VARIABLE = "PRT_STORE"
MOST = 200
"""Offers at most; more of the word make it fewer."""
BASELINE = "baseline"
UNFIT = re.compile(r"[^\w .,+@%/:-]")
"""What no help text holds, since shells evaluate some of it: quotes, backslashes, `$`, brackets and the like."""
BREAKS = frozenset(":=")
"""Characters at which bash takes a word apart."""


class Offer(NamedTuple):
    """One word that is offered.

    Attributes:
        value: The word.
        help: What it is.
    """

    value: str
    help: str = ""


Typed = Mapping[str, Any]
"""Arguments and options as they were typed so far, by their names."""
Source = Callable[[Names, Typed], Iterator[Offer]]
Complete = Callable[[Any, str], list[tuple[str, str]]]


def completed_by(source: Source) -> Complete:
    """Make what typer asks for the words that fit.

    Args:
        source: Gives all words by the store's names and what was typed before.
    """

    def complete(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
        try:
            typed = typed_in(ctx)
            address, base = place_of(typed)
            with open_names(address, base=base) as names:
                return [] if names is None else fitting(source(names, typed), incomplete)
        except Exception:  # noqa: BLE001 - whatever it is, there is no place to say it: see above
            return []

    return complete


def typed_in(ctx: Any) -> Typed:
    """The arguments and options that were typed so far.

    Where the value of an option is completed, the option has none yet, and the parser goes no further: arguments are
    left over then, and belong to those of the command in their order.

    Args:
        ctx: The context of the command, as typer gives it.
    """
    typed, left = dict(ctx.params), [*ctx.args]
    for each in ctx.command.params:
        if each.param_type_name == "argument" and left and not typed.get(each.name):
            typed[each.name], left = (left, []) if each.nargs < 0 else (left[0], left[1:])
    return typed


def fitting(offers: Iterator[Offer], incomplete: str) -> list[tuple[str, str]]:
    """The words that begin with what was typed and that a shell takes as they are."""
    found: dict[str, str] = {}
    for offer in offers:
        if len(found) == MOST:
            break
        if offer.value.startswith(incomplete) and is_plain(offer.value):
            found.setdefault(offer.value, UNFIT.sub(" ", offer.help))
    return [*found.items()]


def is_plain(word: str) -> bool:
    """Whether a word means itself in every shell, without quotes, and is no option."""
    return shlex.quote(word) == word and not BREAKS & {*word} and not word.startswith("-")


def place_of(typed: Typed) -> tuple[str, Path | None]:
    """The store: of the option, the environment, the config, or the default; and where a relative file starts."""
    later = typed.get("store_b") if typed.get("runs") else None
    if given := later or typed.get("store") or os.environ.get(STORE_VARIABLE):
        return str(given), None
    config = typed.get("config")
    if config is not None and isinstance(named := read_config(Path(config)).get("store"), str):
        return filled(named), Path(config).parent
    return DEFAULT_STORE, None


def filled(text: str) -> str:
    """A text of a config with the environment's values in the place of `${NAME}`."""
    return re.sub(r"\$\{(\w+)\}", lambda match: os.environ[match[1]], text)


def read_config(file: Path) -> Mapping[str, Any]:
    """A config as plain data, not checked.

    Raises:
        OSError: It can't be read.
        yaml.YAMLError: It is no YAML.
    """
    import yaml  # noqa: PLC0415 - few completions need it

    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found if isinstance(found, dict) else {}


def _runs(names: Names, _typed: Typed) -> Iterator[Offer]:
    every = names.runs()
    yield from (Offer(run.id, words_of(run)) for run in every)
    if every:
        yield Offer(LATEST, f"the newest run, {every[0].id}")
    yield from (Offer(name, f"the baseline {name}, {of}") for name, of in names.baselines().items())


def words_of(run: RunName) -> str:
    """A run in words: `triage, complete, 2026-03-01 12:00`."""
    return f"{run.name}, {run.state}, {run.started[:16].replace('T', ' ')}"


def _baselines(names: Names, _typed: Typed) -> Iterator[Offer]:
    yield from (Offer(name, f"is {of}") for name, of in names.baselines().items())


def _series(names: Names, _typed: Typed) -> Iterator[Offer]:
    yield from (Offer(name, f"{nights} {'night' if nights == 1 else 'nights'}") for name, nights in names.series())


def _conditions(names: Names, typed: Typed) -> Iterator[Offer]:
    run = names.run(str(typed.get("run") or LATEST))
    if run is not None:
        yield from (Offer(name, f"of {run.id}") for name in names.conditions(run) if name != BASELINE)


def _items(names: Names, typed: Typed) -> Iterator[Offer]:
    run = names.run(str(typed.get("run") or LATEST))
    if run is not None:
        yield from (Offer(item, f"of {run.id}") for item in names.items(run))


def planned_conditions(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """The conditions that the perturbations of a config make, as far as they can be told without making variants."""
    try:
        listed = read_config(Path(typed_in(ctx)["config"])).get("perturbations")
        return fitting(_planned(listed if isinstance(listed, list) else []), incomplete)
    except Exception:  # noqa: BLE001 - as above
        return []


def _planned(entries: list[Any]) -> Iterator[Offer]:
    numbers: Counter[str] = Counter()
    for entry in entries:
        steps = entry if isinstance(entry, list) else [entry]
        blocks = [{step: None} if isinstance(step, str) else step for step in steps]
        name = "+".join(next(iter(block)) for block in blocks)
        keys = [value if isinstance(value, dict) else {} for block in blocks for value in [next(iter(block.values()))]]
        variants = max(int(each.get("variants", 1)) for each in keys)
        for _ in range(variants):
            numbers[name] += 1
            yield Offer(f"{name}.{numbers[name]}", "of the config")


runs = completed_by(_runs)
baselines = completed_by(_baselines)
series = completed_by(_series)
conditions = completed_by(_conditions)
items = completed_by(_items)
