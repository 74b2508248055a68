"""A duel before its first call: both sides, their models, the rules and the judge."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.duel_loading import LoadedDuel, load_duel
from ..config.limits import completion_limit
from ..config.schema import ModelConfig
from ..duel.judging import make_rules
from ..duel.rules import Rule
from ..duel.sides import Side, SideName, sides_of, unshared_note
from ..judging.asking import Judge
from ..judging.structured import takes_schema
from ..models.base import Model, open_model
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


def prepare(path: Path, *, told: Console, alarming: Console) -> Prepared:
    """Load a duel and open its models, before any call.

    Raises:
        UsageError: Something can't be used.
        ModelError: A model lacks something.
    """
    loaded = load_duel(path, env=os.environ)
    config = loaded.config
    rules = make_rules(config.dimensions, base=loaded.base)
    sides = sides_of(loaded)
    print_notes([*dict.fromkeys(note for side in sides for note in side.notes)], sides[0].skipped, told)
    print_notes(unshared_note(sides), (), told)
    allowance = Allowance.of(config)
    models: dict[SideName, Model] = {}
    for side in sides:
        same = config.models is None and models
        models[side.name] = models["baseline"] if same else opened_model(side.model, loaded, allowance, told)
    judge = open_judge(loaded, allowance, told)
    return Prepared(loaded, sides, rules, models, judge, allowance, told, alarming)


def opened_model(block: ModelConfig, loaded: LoadedDuel, allowance: Allowance, told: Console) -> Model:
    """Make a model; nothing is called, started or fetched."""
    return open_model(
        block,
        base=loaded.base,
        env=os.environ,
        progress=lambda line: told.print(Text(line)),
        limits=allowance.limits,
    )


def open_judge(loaded: LoadedDuel, allowance: Allowance, told: Console) -> Judge | None:
    """Open the judge of the dimensions that have no rule; None where all have one. Nothing is called."""
    block = loaded.config.judge
    if block is None:
        return None
    model = opened_model(block, loaded, allowance, told)
    address = str(model.identity().get("base_url", ""))
    limit = completion_limit(getattr(block, "params", {}))
    return Judge(model=model, structured=takes_schema(block, address), completion_limit=limit)
