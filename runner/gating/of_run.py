"""A stored run as evidence, and the gates that its config has."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from pydantic import TypeAdapter, ValidationError

from ...stats import ControlResponse, Outcomes
from ..answers import Answers
from ..config.gates import GateConfig
from ..config.pricing import stored_prices
from ..controls import control_responses
from ..errors import UsageError
from ..findings import Usage
from ..orders import Orders
from ..plan import BASELINE
from ..positions import find_positions
from ..store.columns import Flags, VariantColumns
from ..store.runs import RunRecord
from ..tallies import Tally
from .evidence import Condition, Evidence, Mask, World


def own_gates(run: RunRecord) -> Sequence[GateConfig]:
    """The gates of a run's config.

    Raises:
        UsageError: They were written for another version of prt.
    """
    gates = run.config.get("gates")
    try:
        return TypeAdapter(list[GateConfig]).validate_python(gates) if gates else ()
    except ValidationError:
        text = f"{run.id}: its gates are for prt {run.prt_version or '(unknown)'}, unlike this one"
        raise UsageError(f"{text}; `prt report {run.id} --gates FILE` decides those of a file") from None


def evidence_of(
    run: RunRecord,
    *,
    outcomes: Outcomes,
    parsed: Outcomes,
    answers: Answers,
    statuses: Flags,
    tallies: Mapping[str, Tally],
    variants: VariantColumns,
    orders: Orders,
    chooses: bool,
    usage: Usage | None,
    alpha: float,
) -> Evidence:
    """What the gates of a run are decided on.

    Args:
        run: The run.
        outcomes: Its results, the baseline first.
        parsed: The same without what was not read from an answer.
        answers: What was read.
        statuses: How each reply was read.
        tallies: What is known of each condition besides.
        variants: The variants of its suite.
        orders: In which orders options were shown.
        chooses: Whether its answers are options.
        usage: What it took.
        alpha: Significance level.
    """
    asked = asked_cells(variants, outcomes.conditions)
    world = World(
        conditions=tuple(
            condition(name, tallies[name], asked=bool(asked[:, at].any()))
            for at, name in enumerate(outcomes.conditions)
        ),
        items=outcomes.items,
        clusters=tuple(str(label or "") for label in outcomes.clusters or [""] * len(outcomes.items)),
        repeats=run.repeats,
        alpha=alpha,
        priced=bool(stored_prices(run.config).currency),
    )
    headline = [each.name for each in world.conditions if each.role == "perturbation" and each.name != BASELINE]
    controls = [each.name for each in world.conditions if each.role == "control"]
    return Evidence(
        world=world,
        outcomes=outcomes,
        parsed=parsed,
        answers=answers.codes,
        statuses=statuses,
        asked=asked,
        usage=usage,
        positions=lambda level: find_positions(
            outcomes.select(headline), orders, answers if chooses else None, parsed=parsed, alpha=level
        ),
        control={name: partial(_response, parsed, answers, name) for name in controls},
    )


def condition(name: str, tally: Tally, *, asked: bool) -> Condition:
    """A condition of a run."""
    return Condition(name, tally.generator or name.rpartition(".")[0] or name, tally.role, idle=not asked)


def asked_cells(variants: VariantColumns, conditions: Sequence[str]) -> Mask:
    """Items × conditions: whether there was something to ask."""
    applied = np.array([outcome == "applied" for outcome, _ in variants.causes], dtype=bool)[variants.cause]
    columns = np.array([conditions.index(name) for name in variants.conditions], dtype=np.intp)
    asked = np.zeros((len(variants.items), len(conditions)), dtype=bool)
    asked[variants.item[applied], columns[variants.condition[applied]]] = True
    return asked


def _response(parsed: Outcomes, answers: Answers, name: str, alpha: float) -> ControlResponse:
    return control_responses(parsed, answers, [name], alpha=alpha)[0]
