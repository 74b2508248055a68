"""How `prt run` grows with the number of cells, from a thousand to a million: time, memory and bytes a cell.

    python scale.py                          # 1,000, 10,000, 100,000 and 1,000,000 cells
    python scale.py 1000 100000 --repeats 1  # other steps; every cell has a prompt of its own

A step of N cells is N / 40 items under 8 conditions (the original, and 7 with typos), each asked 5 times: so a million
cells are 25,000 items and 200,000 prompts. `--conditions` and `--repeats` choose otherwise; with `--repeats 1` every
cell has a prompt of its own, which is the most that preparing can take. The endpoint is `mock_server.py` in another
process, without delay unless `--delay` says so.

Everything is measured from outside, on whole processes. Of a run, what comes before the endpoint is first called is
`prepare`, from there to its last answer is `ask`, and the rest is `report` (which stores what is left, analyses and
prints). Then the same command once more, which must make no call, and `prt report` alone.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import MIB, CommandFailedError, Measured, machine, measure, size_of
from mock_server import Server, more_files
from tickets import dataset

CONFIG = """\
name: scale
model:
  provider: openai
  name: m
  base_url: {base_url}
  api_key_env: null
  params: {{temperature: 1}}
dataset: items.jsonl
perturbations:
  - typo: {{variants: {variants}}}
repeats: {repeats}
limits: {{concurrency: {in_flight}}}
"""
OUR_COMMAND = [sys.executable, "-m", "prt.runner"]
STORE = "prt.db"
STEPS = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Shape:
    """What each item is multiplied by.

    Attributes:
        conditions: The original among them.
        repeats: How often each prompt is asked.
    """

    conditions: int
    repeats: int

    def items(self, cells: int) -> int:
        """How many items make so many cells, at least."""
        return -(-cells // (self.conditions * self.repeats))


@dataclass(frozen=True)
class Step:
    """One size.

    Attributes:
        cells: How many it has.
        run: The run.
        first_s: When the endpoint was first called, by the system's monotonic clock.
        last_s: When it gave its last answer.
        again: The finished run, once more.
        calls_again: Calls that this made.
        report: `prt report`.
        stored_bytes: Size of the store.
    """

    cells: int
    run: Measured
    first_s: float
    last_s: float
    again: Measured
    calls_again: int
    report: Measured
    stored_bytes: int


def step(command: Sequence[str], server: Server, cells: int, shape: Shape, options: argparse.Namespace) -> Step:
    """Run one size, in a folder that is taken away afterwards.

    Raises:
        CommandFailedError: A command failed, or did not ask each cell once.
    """
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        items = shape.items(cells)
        cells = items * shape.conditions * shape.repeats
        (folder / "items.jsonl").write_text(dataset(items), encoding="utf-8")
        config = CONFIG.format(
            base_url=server.base_url(options.delay),
            variants=shape.conditions - 1,
            repeats=shape.repeats,
            in_flight=options.in_flight,
        )
        (folder / "prt.yaml").write_text(config, encoding="utf-8")
        run_command = [*command, "run", "prt.yaml", "--store", STORE, "--quiet", "--no-html"]
        server.get("/reset")
        run = measure(run_command, cwd=folder)
        seen = server.get("/stats")
        if seen["calls"] != cells:
            raise CommandFailedError(f"{seen['calls']} calls were made for {cells} cells")
        server.get("/reset")
        again = measure(run_command, cwd=folder)
        calls_again = server.get("/stats")["calls"]
        report = measure([*command, "report", "--store", STORE], cwd=folder)
        stored = size_of(folder, f"{STORE}*")
    return Step(cells, run, seen["first_s"], seen["last_s"], again, calls_again, report, stored)


HEAD = (
    f"{'cells':>10} {'prepare s':>9} {'ask s':>8} {'report s':>8} {'cells/s':>8} {'CPU µs/cell':>11} {'peak MiB':>8} "
    f"{'bytes/cell':>10} {'again s':>8} {'peak MiB':>8} {'calls':>6} {'prt report s':>12} {'peak MiB':>8}"
)


def line(step: Step) -> str:
    """One size's figures, under `HEAD`."""
    run, cells = step.run, step.cells
    asking_s = step.last_s - step.first_s
    return (
        f"{cells:>10,} {step.first_s - run.began_s:>9.2f} {asking_s:>8.2f} {run.ended_s - step.last_s:>8.2f} "
        f"{cells / asking_s:>8,.0f} {1e6 * run.cpu_s / cells:>11,.0f} {run.largest_bytes / MIB:>8.0f} "
        f"{step.stored_bytes / cells:>10,.0f} {step.again.wall_s:>8.2f} {step.again.largest_bytes / MIB:>8.0f} "
        f"{step.calls_again:>6} {step.report.wall_s:>12.2f} {step.report.largest_bytes / MIB:>8.0f}"
    )


def growth(steps: Sequence[Step]) -> Iterator[str]:
    """What a further cell costs, from the smallest size to the largest."""
    first, last = steps[0], steps[-1]
    if last.cells == first.cells:
        return
    cells = last.cells - first.cells
    cpu_us = 1e6 * (last.run.cpu_s - first.run.cpu_s) / cells
    memory = (last.run.largest_bytes - first.run.largest_bytes) / cells
    stored = (last.stored_bytes - first.stored_bytes) / cells
    yield ""
    yield (
        f"each further cell, from {first.cells:,} to {last.cells:,}: {cpu_us:,.0f} µs of processor time "
        f"({1e6 / cpu_us:,.0f} cells per second of it), {memory:,.1f} bytes of memory, {stored:,.0f} bytes stored"
    )


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description="How prt run grows with the number of cells.")
    parser.add_argument("cells", type=int, nargs="*", default=STEPS, help="sizes (default 1000 10000 100000 1000000)")
    parser.add_argument("--conditions", type=int, default=8, help="the original among them (default 8)")
    parser.add_argument("--repeats", type=int, default=5, help="how often each prompt is asked (default 5)")
    parser.add_argument("--in-flight", type=int, default=64, help="calls at once (default 64)")
    parser.add_argument("--delay", type=int, default=0, metavar="MS", help="what each answer takes (default 0)")
    parser.add_argument("--prt", metavar="COMMAND", help="what starts prt (default: this Python's)")
    parser.add_argument(
        "--folder", type=Path, help="where the stores are made and taken away (default: a temporary one)"
    )
    return parser.parse_args(arguments)


def main() -> None:
    """Measure, and print a line for each size as it is done."""
    options = parsed(sys.argv[1:])
    more_files()
    command = shlex.split(options.prt) if options.prt else OUR_COMMAND
    shape = Shape(options.conditions, options.repeats)
    print(f"{shape.conditions} conditions × {shape.repeats} repeats, {options.in_flight} in flight, {options.delay} ms")
    print(machine())
    print(HEAD, flush=True)
    steps = []
    with Server() as server:
        for cells in options.cells:
            steps.append(step(command, server, cells, shape, options))
            print(line(steps[-1]), flush=True)
    for told in growth(steps):
        print(told)


if __name__ == "__main__":
    main()
