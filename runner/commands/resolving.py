"""The resolved config as a run takes it: what is settled outside the schema stands where a default says nothing."""

from collections.abc import Iterator, Mapping

from ..config.loading import Row, resolved
from ..config.schema import HttpModel, LocalModel, OpenAIModel
from ..config.show import yaml_line
from ..models.base import Model
from ..models.cores import threads_for_a_model
from ..prepare import Prepared
from ..store import DEFAULT_STORE
from .opening import STORE_VARIABLE


def settled(prepared: Prepared, model: Model, env: Mapping[str, str]) -> Iterator[Row]:
    """Every value of a config, and what a run takes where the config leaves it open.

    Args:
        prepared: The config and what belongs to it.
        model: Its model.
        env: Environment variables, one of which names a store.
    """
    taken = {
        "grade": yaml_line(prepared.grader.name),
        "store": DEFAULT_STORE,
    }
    if not isinstance(prepared.config.model, OpenAIModel | HttpModel):
        taken["limits.concurrency"] = str(model.concurrency)
    if isinstance(prepared.config.model, OpenAIModel):
        taken["model.base_url"] = str(model.identity()["base_url"])
    if isinstance(prepared.config.model, LocalModel):
        taken |= {"model.path": f"null, the embedded {model.name}", "model.threads": str(threads_for_a_model())}
    for row in resolved(prepared.loaded):
        if row.key == "store" and env.get(STORE_VARIABLE):
            yield Row("store", f"${{{STORE_VARIABLE}}}", "the environment")
        elif row.value in {"null", "auto"} and row.key in taken:
            yield Row(row.key, taken[row.key], "default")
        else:
            yield row
