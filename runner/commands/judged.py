"""The judge of a config's `grade: judge`: opened before the first call, and asked once the answers are there."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import JsonValue as Json
from rich.console import Console
from rich.text import Text

from ..config.generators import given_params
from ..config.limits import PricesConfig, completion_limit
from ..engine.spent import Spender
from ..engine.summary import RunSummary, verdict
from ..errors import UsageError
from ..graders.base import Grader
from ..graders.judge import JudgeGrader, with_room
from ..judging.answers import JudgedRun, judge_run
from ..judging.asking import Judge, Session
from ..judging.structured import takes_schema
from ..models.base import open_model
from ..paraphrasing.writing import opened
from ..reports.text import visible
from ..store.read import StoredRun
from ..store.runs import RunRecord, finish_run, go_on
from .opening import Allowance

PARAMETERS = ("params", "threads", "context")
"""What may differ between two identities of one model."""


def opened_judge(
    grader: Grader, *, base: Path, told: Console, allowance: Allowance, under_test: Mapping[str, Json]
) -> tuple[Grader, Judge | None]:
    """Open the judge of a grader; nothing is called, started or fetched.

    Args:
        grader: The grader; one without a judge is given back as it is.
        base: The folder that relative paths start from.
        told: Where to say, while the judge is used, what takes long.
        allowance: What the command may do.
        under_test: The identity of the model whose answers are judged.

    Returns:
        The grader with its judge opened, and the judge; None where the grader has none.

    Raises:
        UsageError: The judge is the model under test, and the config does not say that it may be.
        PrtError: Something that it needs is missing, with what to do about it.
    """
    if not isinstance(grader, JudgeGrader):
        return grader, None
    opening = partial(
        open_model, base=base, env=os.environ, progress=lambda line: told.print(Text(line)), limits=allowance.limits
    )
    config = with_room(grader.model)
    model = opened(config, opening, "grade")
    identity = model.identity()
    if which(identity) == which(under_test) and not grader.same_model:
        raise UsageError(
            f"grade.model: the judge is the model under test ({model.name}), and models favour their own answers; name "
            "another, or say `same_model: true`"
        )
    structured = grader.structured
    if structured is None:
        structured = takes_schema(config, str(identity.get("base_url", "")))
    limit = completion_limit(given_params(config))
    judge = Judge(
        model=model, structured=structured, completion_limit=limit, prices=allowance.prices.price(grader.model)
    )
    return grader.by(identity, structured=structured), judge


def which(identity: Mapping[str, Json]) -> dict[str, Json]:
    """What of an identity tells one model from another, whatever its parameters."""
    return {key: value for key, value in identity.items() if key not in PARAMETERS}


async def judged_summary(
    summary: RunSummary,
    grader: JudgeGrader,
    judge: Judge,
    *,
    run: RunRecord,
    session: Session,
    max_error_rate: float | None,
) -> RunSummary:
    """Judge the answers of a run that this process works on, and write down how it ended.

    Args:
        summary: How asking for the answers ended; where it was stopped nothing is judged before it goes on.
        grader: The grader, with its judge opened.
        judge: The judge.
        run: The run.
        session: What all judging of the command shares.
        max_error_rate: Share of cells that may stay without a result.

    Returns:
        How the run ended.
    """
    if summary.state == "stopped":
        return summary
    store = session.store
    await asyncio.to_thread(go_on, store, run)
    judged = await judge_run(StoredRun(store, run), grader, judge=judge, session=session, alive=True)
    total = with_verdicts(summary, judged, max_error_rate=max_error_rate)
    await asyncio.to_thread(finish_run, store, run, total.state, total.reason)
    return total


def with_verdicts(summary: RunSummary, judged: JudgedRun, *, max_error_rate: float | None) -> RunSummary:
    """How a run ended whose answers were judged.

    Args:
        summary: How asking for the answers ended.
        judged: What came of judging them.
        max_error_rate: Share of cells that may stay without a result.
    """
    asked = judged.summary
    missing = summary.missing + judged.unjudged
    halted = f"the judge: {asked.reason}" if asked is not None and asked.state == "stopped" else None
    state, reason = verdict(missing, total=summary.total, halted=halted, max_error_rate=max_error_rate)
    if state == "incomplete" and judged.unjudged:
        reason += f"; for {judged.unjudged} of these the judge gave no verdict that can be read"
    return replace(summary, state=state, reason=reason, missing=missing, judging=asked)


def spenders_of(summary: RunSummary, model: str, prices: PricesConfig | None, judge: Judge | None) -> list[Spender]:
    """Who was asked in a run, this time.

    Args:
        summary: How the run ended.
        model: The name of the model under test.
        prices: What its tokens cost, the way that it was asked.
        judge: The judge; None where there is none.
    """
    found = [Spender(f"model under test, {visible(model)}", summary, prices)]
    if judge is not None and summary.judging is not None:
        found.append(judge_spender(judge, summary.judging))
    return found


def judge_spender(judge: Judge, summary: RunSummary) -> Spender:
    """A judge that was asked."""
    return Spender(f"judge, {visible(judge.model.name)}", summary, judge.prices)
