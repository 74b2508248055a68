"""The models of a score, opened before the first call."""

import os
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from ..config.models import ModelConfig
from ..config.score import timed
from ..config.score_loading import LoadedScore
from ..errors import UsageError
from ..graders.judge import with_room
from ..judging.prompts import PROMPT_VERSION as JUDGE_PROMPT_VERSION
from ..judging.structured import in_schema, takes_schema
from ..models.base import Model, open_model
from ..paraphrasing.sampling import Extra, nothing_else
from ..paraphrasing.writing import opened
from ..scoring.prompts import PROMPT_VERSION
from ..store.runs import JUDGING
from .judged import which
from .opening import Allowance


@dataclass(frozen=True, slots=True)
class Role:
    """One of the models, opened and not entered.

    Attributes:
        name: What it is to the score.
        model: The model.
        config: Its block.
        extra: Further parameters of its requests.
        asked: What decides its replies besides its identity and what it is sent.
    """

    name: str
    model: Model
    config: ModelConfig
    extra: Extra
    asked: tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The models of a score."""

    sut: Role
    judge: Role
    generator: Role


def named_models(loaded: LoadedScore) -> tuple[ModelConfig, ModelConfig, ModelConfig]:
    """The blocks of system, judge and generator.

    Raises:
        UsageError: The config names no system under test or no judge.
    """
    config = loaded.config
    if config.sut is None or config.judge is None or config.writer is None:
        lacking = "sut" if config.sut is None else "judge"
        where = loaded.path or "no config is given"
        raise UsageError(
            f"{where}: rows need `sut`, the system under test, and `judge`, a model that judges, and there is no "
            f"`{lacking}`; write both into a config: --config score.yaml"
        )
    return config.sut, config.judge, config.writer


def open_roles(loaded: LoadedScore, allowance: Allowance, told: Console) -> Roles:
    """Open the models of a config; nothing is called, started or fetched.

    Raises:
        UsageError: The config names no system under test or no judge, or both are the same model.
        PrtError: Something that a model needs is missing.
    """
    config = loaded.config
    sut_config, judge_config, writer_config = named_models(loaded)

    def opening(block: ModelConfig, name: str) -> tuple[Model, ModelConfig]:
        within = timed(block, config.timeout_seconds)
        model = opened(
            within,
            lambda each: open_model(
                each,
                base=loaded.base,
                env=os.environ,
                progress=lambda line: told.print(Text(line)),
                limits=allowance.limits,
            ),
            name,
        )
        return model, within

    sut, sut_block = opening(sut_config, "sut")
    judge, judge_block = opening(with_room(judge_config), "judge")
    generator, generator_block = opening(with_room(writer_config), "generator" if config.generator else "judge")
    if which(judge.identity()) == which(sut.identity()) and not config.same_model:
        raise UsageError(
            f"judge: it is the system under test ({sut.name}), and models favour their own answers; name another, or "
            "say `same_model: true`"
        )
    structured = takes_schema(judge_block, str(judge.identity().get("base_url", "")))
    sut_params, generator_params = config.sut_params(), config.writer_params()
    return Roles(
        Role("sut", sut, sut_block, lambda _: sut_params, ("sut", *sut_params.values())),
        Role(
            "judge",
            judge,
            judge_block,
            in_schema if structured else nothing_else,
            (JUDGING, JUDGE_PROMPT_VERSION, structured),
        ),
        Role(
            "generator",
            generator,
            generator_block,
            lambda _: generator_params,
            ("generator", PROMPT_VERSION, *generator_params.values()),
        ),
    )
