"""Paraphrases before anything is scored: models are asked for them, and the bundle that holds them is frozen."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ...perturbations.bundle import write_bundle
from ..bundles import bundle_target
from ..config.schema import ModelConfig
from ..errors import ParaphrasingError, UsageError
from ..models.base import Model, open_model
from ..paraphrasing.paraphrasers import model_name
from ..prepare import Prepared, prepare, with_paraphrases
from ..problems import counted
from ..reports.text import visible
from ..store.database import Store, open_store
from .interrupting import interruptible, under_way
from .opening import Allowance, store_place
from .printing import watching


def with_written_paraphrases(
    prepared: Prepared,
    told: Console,
    *,
    store: str | None = None,
    fresh: bool = False,
    allowance: Allowance | None = None,
) -> Prepared:
    """Ask models for the paraphrases that a config wants; one that wants none is given back as it is.

    Args:
        prepared: The run, prepared without a bundle.
        told: Where progress is shown.
        store: Results database, instead of the config's.
        fresh: Use no stored reply.
        allowance: What the command may do; what the config allows where not given.

    Raises:
        ParaphrasingError: Not all of them could be asked for; what came is kept in the store.
        PrtError: A model or the store can't be used.
    """
    if not prepared.unwritten():
        return prepared
    place = store_place(prepared, store)
    with open_store(place.address, base=place.base, watch=watching(told)) as opened, under_way():
        try:
            allowed = allowance or Allowance.of(prepared.config)
            return asyncio.run(_asked(prepared, opened, told, allowed, fresh=fresh))
        except ParaphrasingError as error:
            rest = f"replies are kept in {opened.place}, and the same command asks for the rest"
            raise ParaphrasingError(f"paraphrases are missing, so nothing is frozen: {error}; {rest}") from None


async def _asked(prepared: Prepared, store: Store, told: Console, allowance: Allowance, *, fresh: bool) -> Prepared:
    from ..paraphrasing.writing import write_paraphrases  # noqa: PLC0415 - few configs ask a model for paraphrases

    with interruptible(told) as stop:
        written = await write_paraphrases(
            prepared,
            store=store,
            open_model=opener(prepared, told, allowance),
            stop=stop,
            console=told,
            fresh=fresh,
            budget=allowance.budget,
        )
    return with_paraphrases(prepared, written)


def frozen_first(
    prepared: Prepared, told: Console, *, store: str | None, fresh: bool, allowance: Allowance
) -> Prepared:
    """Write the paraphrases that a run wants, freeze them, and take the run's variants from the frozen bundle.

    Args:
        prepared: The run; where nothing is left to be written it is given back as it is.
        told: Where to say what is done.
        store: Results database, instead of the config's.
        fresh: Use no stored reply.
        allowance: What the command may do.

    Raises:
        ParaphrasingError: Not all could be written; no bundle is.
        PrtError: A model, the store or the bundle's file can't be used.
    """
    if not prepared.unwritten():
        return prepared
    target = bundle_target(prepared.loaded)
    refuse_unwritable(target)
    bundle = with_written_paraphrases(prepared, told, store=store, fresh=fresh, allowance=allowance).bundle
    try:
        digest = write_bundle(target, bundle)
    except OSError as error:
        raise UsageError(f"{target}: the bundle can't be written ({error.strerror}); name another `bundle`") from None
    done = f"{target}: paraphrases frozen, hash {digest[:16]}; later runs take them from there"
    told.print(Text(done), soft_wrap=True)
    return prepare(prepared.loaded.path, env=os.environ)


def refuse_unwritable(target: Path) -> None:
    """Refuse a bundle that can't be written before anything is paid for it.

    Raises:
        UsageError: Its folder is not there or can't be written to.
    """
    if not os.access(target.parent, os.W_OK):
        raise UsageError(f"{target}: the bundle can't be written there; name another `bundle` in the config")


def opened_for_paraphrases(prepared: Prepared, told: Console) -> None:
    """Open the models that would write paraphrases, without a call, so that what they lack is told beforehand."""
    if prepared.unwritten():
        from ..paraphrasing.writing import opened_models  # noqa: PLC0415 - as above

        for paraphraser in prepared.paraphrasers:
            opened_models(paraphraser, opener(prepared, told, Allowance.of(prepared.config)))


def opener(prepared: Prepared, told: Console, allowance: Allowance) -> Callable[[ModelConfig], Model]:
    """What opens the models of a config; nothing is called, started or fetched."""
    return partial(
        open_model,
        base=prepared.loaded.base,
        env=os.environ,
        progress=lambda line: told.print(Text(line)),
        limits=allowance.limits,
    )


def unwritten_note(prepared: Prepared) -> list[str]:
    """Say that a config's paraphrases are not written yet, who will write them, and where they will stand."""
    waiting = sum(prepared.unwritten().values())
    if not waiting:
        return []
    names = ", ".join(dict.fromkeys(visible(model_name(each.model)) for each in prepared.paraphrasers))
    target, they_wait = bundle_target(prepared.loaded), "waits" if waiting == 1 else "wait"
    note = (
        f"{counted(waiting, 'variant')} {they_wait} for paraphrases that are not written yet: `prt perturb` asks "
        f"{names} for them and freezes them in {target}, and so does `prt run` before it scores."
    )
    return [note]
