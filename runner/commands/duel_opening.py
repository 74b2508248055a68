"""A duel before its first call: both sides, their models, the rules and the judge."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from ..config.duel_loading import LoadedDuel, load_duel
from ..config.generators import given_params
from ..config.limits import completion_limit
from ..config.schema import ModelConfig
from ..duel.judging import make_rules
from ..duel.rules import Rule
from ..duel.sides import Side, SideName, sides_of, unshared_note
from ..errors import UsageError
from ..graders.judge import with_room
from ..judging.asking import Judge
from ..judging.structured import takes_schema
from ..models.base import Model, open_model
from ..paraphrasing.writing import opened
from .judged import which
from .opening import Allowance
from .printing import print_notes


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a duel needs before its first call.

    Attributes:
        loaded: The config.
        sides: The baseline and the candidate.
        rules: The rules of the dimensions that have one.
        models: The model of each side; one model where prompts are compared.
        judge: The judge of the dimensions without a rule; None where there are none.
        allowance: What the command may do.
        told: Where progress is shown.
        alarming: Where failed calls are told of.
    """

    loaded: LoadedDuel
    sides: tuple[Side, Side]
    rules: Mapping[str, Rule]
    models: Mapping[SideName, Model]
    judge: Judge | None
    allowance: Allowance
    told: Console
    alarming: Console


class Read(NamedTuple):
    """A duel as its files say it: the config, both sides, and the rules of the dimensions that have one."""

    loaded: LoadedDuel
    sides: tuple[Side, Side]
    rules: Mapping[str, Rule]


def read_duel(path: Path, told: Console) -> Read:
    """Load a duel and all that it names but its models.

    Args:
        path: The config file.
        told: Where to say what was skipped and the like.

    Raises:
        UsageError: Something can't be used.
    """
    loaded = load_duel(path, env=os.environ)
    rules = make_rules(loaded.config.dimensions, base=loaded.base)
    sides = sides_of(loaded)
    print_notes([*dict.fromkeys(note for side in sides for note in side.notes)], sides[0].skipped, told)
    print_notes(unshared_note(sides), (), told)
    return Read(loaded, sides, rules)


def prepare(path: Path, *, told: Console, alarming: Console) -> Prepared:
    """Load a duel and open its models, before any call.

    Raises:
        UsageError: Something can't be used.
        ModelError: A model lacks something.
    """
    loaded, sides, rules = read_duel(path, told)
    config = loaded.config
    allowance = Allowance.of(config)
    models: dict[SideName, Model] = {}
    for side in sides:
        same = config.models is None and models
        where = "model" if config.models is None else f"models.{side.name}"
        models[side.name] = models["baseline"] if same else opened_model(side.model, where, loaded, allowance, told)
    judge = open_judge(loaded, models, allowance, told)
    return Prepared(loaded, sides, rules, models, judge, allowance, told, alarming)


def opened_model(block: ModelConfig, where: str, loaded: LoadedDuel, allowance: Allowance, told: Console) -> Model:
    """Make a model; nothing is called, started or fetched.

    Args:
        block: Its block.
        where: The block's key.
        loaded: The config.
        allowance: What the command may do.
        told: Where to say, while the model is used, what takes long.
    """
    opening = partial(
        open_model,
        base=loaded.base,
        env=os.environ,
        progress=lambda line: told.print(Text(line)),
        limits=allowance.limits,
    )
    return opening(block) if where == "model" else opened(block, opening, where)


def open_judge(
    loaded: LoadedDuel, parties: Mapping[SideName, Model], allowance: Allowance, told: Console
) -> Judge | None:
    """Open the judge of the dimensions that have no rule; None where all have one. Nothing is called.

    Raises:
        UsageError: It is one of the models whose answers it judges, and the config does not say that it may be.
    """
    if loaded.config.judge is None:
        return None
    block = with_room(loaded.config.judge)
    model = opened_model(block, "judge", loaded, allowance, told)
    identity = model.identity()
    if not loaded.config.same_model and which(identity) in [which(each.identity()) for each in parties.values()]:
        raise UsageError(
            f"judge: it is the model whose answers it judges ({model.name}), and models favour their own; name "
            "another, or say `same_model: true`"
        )
    limit = completion_limit(given_params(block))
    structured = takes_schema(block, str(identity.get("base_url", "")))
    return Judge(model=model, structured=structured, completion_limit=limit, prices=allowance.prices.price(block))
