"""`prt compare` and `prt baseline`: runs held against one another, and runs that keep a name."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from ..comparing.findings import Comparison, VersionsComparison
from ..comparing.versions import Named, Settings, compare_pair, compare_versions
from ..config.impact import ImpactConfig
from ..errors import UsageError
from ..problems import quoted
from ..reports.compared import print_comparison
from ..reports.compared_json import comparison_json
from ..reports.compared_markdown import comparison_markdown
from ..reports.compared_versions import print_versions
from ..reports.tables import narrow_table
from ..reports.text import visible
from ..store.baselines import list_baselines, remove_baseline, set_baseline
from ..store.database import open_store
from ..store.find import find_run
from ..store.read import load_run
from .gates import exit_code, pair_gates, tell_failed
from .printing import output_console

WORSE = 1
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a comparison is shown.

    Attributes:
        as_json: As JSON, instead of text.
        markdown: As Markdown, instead of text.
        html: A file that is written as a page besides.
    """

    as_json: bool = False
    markdown: bool = False
    html: Path | None = None


def compare_command(
    runs: Sequence[str],
    *,
    store: str,
    store_b: str | None,
    settings: Settings,
    shown: Shown,
    fail_if_worse: bool,
    gates: Path | None = None,
) -> int:
    """Compare stored runs.

    Args:
        runs: What the person calls them, the reference first.
        store: Results database of the reference, and of the others unless another is named.
        store_b: Results database of the others.
        settings: How they are compared.
        shown: How the comparison is shown.
        fail_if_worse: Whether a version that is proven worse ends the command with 1.
        gates: A file of gates on the later of two runs; without it those of its config that are against `compared`.

    Returns:
        The exit code.

    Raises:
        UsageError: Fewer than two runs are named, one is not there, or they can't be compared.
    """
    if len(runs) < 2:
        raise UsageError(
            "name two runs or more, the reference first: `prt compare BEFORE AFTER`; `prt runs` lists what there is"
        )
    with ExitStack() as stack:
        first = stack.enter_context(open_store(store, may_create=False))
        other = first if store_b is None else stack.enter_context(open_store(store_b, may_create=False))
        reference = Named(runs[0], load_run(first, runs[0]))
        versions = [Named(name, load_run(other, name)) for name in runs[1:]]
        if len(versions) > 1:
            if gates is not None:
                raise UsageError("--gates: gates are decided on two runs; name one run beside the reference")
            found: Comparison | VersionsComparison = compare_versions(reference, versions, settings)
        else:
            pair = compare_pair(reference, versions[0], settings)
            found = replace(pair, gates=pair_gates(reference.run, versions[0].run, gates))
    show_comparison(found, shown)
    if shown.html is not None:
        write_comparison_page(found, shown.html)
    decided = found.gates if isinstance(found, Comparison) else ()
    tell_failed(decided, Console(stderr=True, highlight=False))
    return exit_code(decided, WORSE if fail_if_worse and found.is_worse else 0)


def show_comparison(found: Comparison | VersionsComparison, shown: Shown, out: TextIO | None = None) -> None:
    """Print a comparison for a person or for a program."""
    if shown.as_json:
        (out or sys.stdout).write(comparison_json(found) + "\n")
    elif shown.markdown:
        (out or sys.stdout).write(comparison_markdown(found))
    elif isinstance(found, Comparison):
        print_comparison(found, output_console(out))
    else:
        print_versions(found, output_console(out))


def write_comparison_page(found: Comparison | VersionsComparison, path: Path) -> None:
    """Write a comparison as a page, and say where.

    Raises:
        UsageError: It can't be written.
    """
    from ..reports.html.compared import comparison_page  # noqa: PLC0415 - only a page needs what draws and fills it
    from .report_page import write_page  # noqa: PLC0415 - as above

    write_page(path, comparison_page(found))
    told = Console(stderr=True, highlight=False)
    told.print(Text(visible(f"comparison page: {path}")), soft_wrap=True)


def impact_of_options(
    traffic: float | None, cost_per_failure: float | None, currency: str | None, weights: Sequence[str]
) -> ImpactConfig | None:
    """Read what the options say of a day's requests; None where they say nothing.

    Raises:
        UsageError: Something can't be read, or there is no traffic.
    """
    if traffic is None:
        if cost_per_failure is not None or currency is not None or weights:
            raise UsageError("how many requests a day are there? Add `--traffic`")
        return None
    given = {"traffic": traffic, "weights": weights_of(weights)}
    if cost_per_failure is not None:
        given["cost_per_failure"] = cost_per_failure
    if currency is not None:
        given["currency"] = currency
    try:
        return ImpactConfig.model_validate(given)
    except ValueError as error:
        raise UsageError(f"the impact can't be reckoned: {first_fault(error)}") from None


def first_fault(error: ValueError) -> str:
    """What is wrong, in one sentence."""
    from pydantic import ValidationError  # noqa: PLC0415 - only where something is wrong

    if isinstance(error, ValidationError):
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        return f"{place}: {fault['msg']}" if place else fault["msg"]
    return str(error)


def weights_of(texts: Sequence[str]) -> dict[str, float]:
    """Read `typo=0.15` and the like.

    Raises:
        UsageError: One can't be read, or a name is given twice.
    """
    weights: dict[str, float] = {}
    for text in texts:
        name, _, share = text.rpartition("=")
        if not name or not NUMBER.fullmatch(share):
            raise UsageError(f"--weight {quoted(text)}: write a name and a share of requests, such as `typo=0.15`")
        if name in weights:
            raise UsageError(f"--weight: {quoted(name)} is given twice; leave one out")
        weights[name] = float(share)
    return weights


def baseline_set_command(name: str, run: str, *, store: str) -> None:
    """Pin a run under a name."""
    with open_store(store, may_create=False) as opened:
        found = find_run(opened, run)
        earlier = set_baseline(opened, name, found)
    was = "" if earlier is None or earlier.run.id == found.id else f", which was {earlier.run.id}"
    _say(f"{name} is {found.id} now{was}")


def baseline_remove_command(name: str, *, store: str) -> None:
    """Take a name from a run."""
    with open_store(store, may_create=False) as opened:
        removed = remove_baseline(opened, name)
    _say(f"{name} is no baseline any more; the run {removed.run.id} stays")


def baseline_list_command(*, store: str, as_json: bool) -> None:
    """List the baselines."""
    with open_store(store, may_create=False) as opened:
        every = list_baselines(opened)
    rows = [
        {
            "name": each.name,
            "run": each.run.id,
            "state": each.run.state,
            "model": str(each.run.environment.get("model", "")),
            "set_at": each.set_at.isoformat(timespec="seconds"),
        }
        for each in every
    ]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    if not rows:
        _say("there is no baseline; `prt baseline set NAME RUN` makes one")
        return
    table = narrow_table()
    for heading in ("baseline", "run", "state", "model", "set"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(each)) for each in row.values()))
    output_console().print(table)


def _say(line: str) -> None:
    output_console().print(Text(visible(line)), soft_wrap=True)
