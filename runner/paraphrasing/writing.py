"""All the paraphrases that a config asks models for: opening the models and their runs, asking, and counting."""

import platform
import secrets
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version

from rich.console import Console
from rich.text import Text

from ...perturbations.generators.paraphrase_llm import Written, counted_reasons
from ..config.generators import given_params
from ..config.limits import completion_limit
from ..config.schema import ModelConfig
from ..engine.budget import Budget, Purse
from ..engine.giving_up import Failures
from ..engine.stopping import Stop
from ..errors import ConfigError, ModelError
from ..graders.base import Grader
from ..models.base import Model
from ..plan import BASELINE
from ..prepare import Prepared
from ..problems import counted
from ..reports.text import visible
from ..store.database import Store
from ..store.read import StoredRun
from ..store.runs import RunSpec, open_run
from .asking import Asked, Asking, Office, to_be_written
from .drafts import Account
from .paraphrasers import Paraphraser, model_name
from .reading import ProposalReader, VerdictReader
from .sampling import LateModel, nothing_else, sampling

Open = Callable[[ModelConfig], Model]


def opened_models(paraphraser: Paraphraser, open_model: Open) -> tuple[LateModel, LateModel | None]:
    """Open a paraphraser and its judge; nothing is called, started or fetched.

    Args:
        paraphraser: The paraphraser.
        open_model: Opens a model of the config.

    Raises:
        PrtError: Something that one of them needs is missing, with what to do about it.
    """
    writer = LateModel(opened(paraphraser.model, open_model, "paraphrase"), sampling(paraphraser.model))
    if paraphraser.judge is None:
        return writer, None
    return writer, LateModel(opened(paraphraser.judge, open_model, "paraphrase.judge"), nothing_else)


def opened(config: ModelConfig, open_model: Open, where: str) -> Model:
    """Open one model; its complaints speak of `model.…`, so they say first whose."""
    try:
        return open_model(config)
    except ConfigError as error:
        raise ConfigError(*(replace(each, key=f"{where}: {each.key}") for each in error.problems)) from None
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None


async def write_paraphrases(
    prepared: Prepared,
    *,
    store: Store,
    open_model: Open,
    stop: Stop,
    console: Console,
    fresh: bool,
    budget: Budget | None = None,
) -> dict[str, Written]:
    """Ask models for all paraphrases of a config.

    Args:
        prepared: The run, prepared without a bundle.
        store: The results database, where replies are kept and found.
        open_model: Opens a model of the config.
        stop: Set to stop asking.
        console: Where progress is shown.
        fresh: Use no stored reply.
        budget: What the calls may spend; without it nothing bounds them.

    Returns:
        What each paraphraser wrote, by its key.

    Raises:
        ParaphrasingError: Not all of them could be asked for; what came is kept in the store.
        PrtError: A model or the store can't be used.
    """
    config = prepared.config
    office = Office(
        store=store,
        stop=stop,
        console=console,
        budget=budget or Budget(),
        give_up_after=config.limits.give_up_after,
        seed=config.seed,
        protect=tuple(config.protect),
    )
    beginning = Beginning(prepared, office, fresh)
    models = [(each, *opened_models(each, open_model)) for each in prepared.paraphrasers]
    written: dict[str, Written] = {}
    for paraphraser, writer, judge in models:
        async with writer, judge or nullcontext():
            asking = Asking(
                office,
                paraphraser,
                beginning.asked(paraphraser, paraphraser.model, writer, ProposalReader(office.protect)),
                None if judge is None else beginning.asked(paraphraser, paraphraser.judge, judge, VerdictReader()),
            )
            written[paraphraser.key] = await asking.write(prepared.items)
        console.print(Text(visible(summary(paraphraser, asking.account()))), soft_wrap=True)
    return written


@dataclass(frozen=True, slots=True)
class Beginning:
    """What begins the runs of paraphrasers in the store.

    Attributes:
        prepared: The run that they write for.
        office: What all calls share.
        fresh: Whether they use no stored reply.
    """

    prepared: Prepared
    office: Office
    fresh: bool

    def asked(self, paraphraser: Paraphraser, config: ModelConfig | None, model: Model, reader: Grader) -> Asked:
        """Begin the run of a paraphraser or its judge, or resume it.

        Args:
            paraphraser: The paraphraser.
            config: The block of the model that is asked.
            model: That model.
            reader: What reads its replies.
        """
        prepared, office = self.prepared, self.office
        spec = RunSpec(
            name=f"{prepared.config.name}: {reader.name}",
            model={**model.identity(), "asked": paraphraser.key},
            grader=reader.identity(),
            config=prepared.loaded.public(),
            dataset_sha256=prepared.dataset_sha256,
            prt_version=version("prompt-robustness"),
            environment={"model": model.name, "python": platform.python_version(), "platform": platform.platform()},
        )
        run = open_run(
            office.store,
            spec,
            items=prepared.items,
            variants=tuple(
                place
                for each in prepared.all_variants()
                if each.condition == BASELINE
                for place in to_be_written(each, paraphraser.numbers())
            ),
            token=secrets.token_hex(2),
            fresh=self.fresh,
        )
        failures = Failures(office.give_up_after, concurrency=model.concurrency)
        limit = completion_limit(given_params(config) if config else {})
        purse = Purse(office.budget, limit, prepared.config.price_list.price(config) if config else None)
        return Asked(model, run, failures, purse, StoredRun(office.store, run).places())


def summary(paraphraser: Paraphraser, found: Account) -> str:
    """`paraphrases by m: 180 of 200 found in 312 proposals; not passed: same numbers 80, similar length 30`."""
    counts = f"{found.found} of {found.wanted} found in {counted(found.proposals, 'proposal')}"
    rejected = f"; not passed: {counted_reasons(found.rejections)}" if found.rejections else ""
    return f"paraphrases by {model_name(paraphraser.model)}: {counts}{rejected}"
