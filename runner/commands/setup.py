"""`prt init` and `prt schema`: what helps to write a config."""

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import JsonValue as Json

from ..config.json_schema import json_schema
from ..config.json_schema_kinds import duel_schema, score_schema
from ..config.starter import write_starter
from ..reports.compared_json import comparison_schema
from ..reports.machine import report_schema


def init_command(path: Path) -> None:
    """Write a starter config, and items to run it on where there are none."""
    for written in write_starter(path):
        sys.stdout.write(f"wrote {written}\n")
    shown = shlex.quote(str(path))
    sys.stdout.write(
        "next:\n"
        f"  prt perturb {shown}   look at the variants of the items, and at what counts as right\n"
        f"  prt check {shown}     see that all is ready; nothing is called\n"
        f"  prt run {shown}       ask the model that `model:` names, and report\n"
    )


SCHEMAS: Mapping[str, Callable[[], dict[str, Json]]] = {
    "config": json_schema,
    "duel": duel_schema,
    "score": score_schema,
    "report": report_schema,
    "comparison": comparison_schema,
}


def schema_command(of: str) -> None:
    """Print a JSON Schema."""
    sys.stdout.write(json.dumps(SCHEMAS[of](), indent=2) + "\n")
