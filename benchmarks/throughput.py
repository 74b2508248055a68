"""How fast `prt run` is, whole process, beside other runners on the same prompts and the same endpoint.

    python throughput.py [--inspect PYTHON] [--lm-eval PYTHON] [--promptfoo PROGRAM]

1,000 items under 2 conditions (the original, and one with typos) are 2,000 prompts. The endpoint is `mock_server.py` in
another process. Each round runs every tool once at each delay, in an order that moves on from round to round, so that
what else the machine does strikes all of them; a tool's figure is the median of its rounds. A run of each tool comes
first that doesn't count (files are read into memory, caches of imports are written).

The endpoint keeps the prompts of the first run of prt, and the other tools get exactly those. Each tool must make one
call for each prompt, and must find as many right answers as there are, or its figures are refused.
"""

import argparse
import asyncio
import json
import os
import re
import shlex
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import MIB, CommandFailedError, Measured, machine, measure
from mock_server import Server, blast, ceiling, more_files
from peers import (
    AbsentError,
    Asked,
    Prompt,
    Tool,
    find_program,
    find_python,
    inspect_ai,
    least_runner,
    lm_eval,
    promptfoo,
    prt,
)
from tickets import TICKET, dataset, passes, right

CONFIG = """\
name: throughput
model:
  provider: openai
  name: m
  base_url: BASE_URL
  api_key_env: null
  params: {temperature: 0}
dataset: items.jsonl
perturbations: [typo]
limits: {concurrency: IN_FLIGHT}
"""
OUR_COMMAND = [sys.executable, "-m", "prt.runner"]
HELPS = 9
LONG_S = 0.25
"""A tool that asks for a shorter time says nothing of how busy the endpoint was."""
HEAD = f"{'':34} {'wall s':>7} {'× prt':>6} {'CPU s':>7} {'× prt':>6} {'asking s':>8} {'× limit':>8} {'peak MiB':>9}"


@dataclass(frozen=True)
class Run:
    """One measured run.

    Attributes:
        measured: From outside.
        asking_s: From the first call that came to the endpoint to its last answer.
        server_cpu_s: Processor time that the endpoint took.
        stored_bytes: What the tool stored; None where it stores nothing.
    """

    measured: Measured
    asking_s: float
    server_cpu_s: float
    stored_bytes: int | None


Runs = Mapping[tuple[str, int], Sequence[Run]]


class Benchmark:
    """The tools, each in a folder of its own, and the endpoint."""

    def __init__(self, server: Server, folder: Path, *, items: int, in_flight: int) -> None:
        self.prompts: list[Prompt] = []
        self._server = server
        self._folder = folder
        self._items = items
        self._in_flight = in_flight

    @property
    def calls(self) -> int:
        """Calls that each run makes."""
        return 2 * self._items

    def learn_prompts(self, ours: Tool) -> None:
        """Let the endpoint keep what our own runner asks."""
        self.set_up(ours)
        self._server.get("/record")
        self._start(ours, 0)
        bodies = self._server.get("/recorded")
        self.prompts = [prompt_of(body) for body in bodies]

    def set_up(self, tool: Tool) -> None:
        """Make the tool's folder."""
        folder = self.folder_of(tool)
        folder.mkdir()
        tool.write(folder, self.prompts)

    def run(self, tool: Tool, delay_ms: int) -> Run:
        """Run a tool once.

        Raises:
            CommandFailedError: It failed, or did not do the whole work.
        """
        folder = self.folder_of(tool)
        tool.clear(folder)
        before = tool.stored_bytes(folder) or 0
        self._server.get("/reset")
        measured = self._start(tool, delay_ms)
        seen = self._server.get("/stats")
        found, expected = tool.passes(folder, measured), sum(passes(each.text) for each in self.prompts)
        if seen["calls"] != self.calls or found != expected:
            raise CommandFailedError(
                f"{tool.name} made {seen['calls']} calls for {self.calls} prompts and found {found} right answers of "
                f"{expected}"
            )
        stored = tool.stored_bytes(folder)
        grown = None if stored is None else stored - before
        return Run(measured, seen["last_s"] - seen["first_s"], seen["cpu_s"], grown)

    def folder_of(self, tool: Tool) -> Path:
        """Where the tool runs."""
        return self._folder / re.sub(r"[^\w.]+", "-", tool.name)

    def _start(self, tool: Tool, delay_ms: int) -> Measured:
        folder = self.folder_of(tool)
        asked = Asked(self._server.base_url(delay_ms), self._in_flight, folder)
        command = tool.command(asked)
        return measure(command, cwd=folder, env=tool.env(asked))


def prompt_of(body: dict[str, Any]) -> Prompt:
    """The prompt of a recorded call."""
    (message,) = body["messages"]
    ticket = TICKET.search(message["content"].encode())
    if ticket is None:
        raise CommandFailedError(f"a prompt has lost its ticket: {message['content']}")
    return Prompt(message["content"], right(int(ticket[1])).decode())


def find_tools(options: argparse.Namespace) -> tuple[list[Tool], list[str]]:
    """The tools that are installed, and why the others are not there."""

    def write_items(folder: Path, _: Sequence[Prompt]) -> None:
        (folder / "items.jsonl").write_text(dataset(options.items), encoding="utf-8")

    def found(make: Callable[[], Iterable[Tool]]) -> Iterator[Tool]:
        try:
            yield from make()
        except AbsentError as error:
            absent.append(str(error))

    absent: list[str] = []
    command = shlex.split(options.prt) if options.prt else OUR_COMMAND
    tools = [
        prt(command, write_items, CONFIG),
        prt(command, write_items, CONFIG, html=True),
        least_runner(sys.executable),
        *found(lambda: lm_eval(find_python(options.lm_eval, "lm_eval", "--lm-eval"))),
        *found(lambda: [promptfoo(find_program(options.promptfoo, "promptfoo", "--promptfoo"))]),
        *found(lambda: [inspect_ai(find_python(options.inspect, "inspect_ai", "--inspect"))]),
    ]
    return [tool for tool in tools if not options.only or any(word in tool.name for word in options.only)], absent


def all_runs(benchmark: Benchmark, tools: list[Tool], delays_ms: Sequence[int], rounds: int) -> Runs:
    """Run every tool at every delay, round by round; a tool that fails is told of and left out from then on."""
    runs: dict[tuple[str, int], list[Run]] = defaultdict(list)
    usable = list(tools)
    for number in range(-1, rounds):
        for delay_ms in delays_ms[: 1 if number < 0 else None]:
            shift = number % len(usable)
            for tool in [*usable[shift:], *usable[:shift]]:
                try:
                    run = benchmark.run(tool, delay_ms)
                except CommandFailedError as error:
                    usable.remove(tool)
                    print(f"left out: {error}", flush=True)
                    continue
                told = "not counted" if number < 0 else f"round {number + 1}"
                print(f"  {told}, {delay_ms} ms, {tool.name}: {run.measured.wall_s:.2f} s", file=sys.stderr, flush=True)
                if number >= 0:
                    runs[tool.name, delay_ms].append(run)
    return runs


def median(runs: Sequence[Run], of: Callable[[Run], float]) -> float:
    """The median of a figure over rounds."""
    return statistics.median(map(of, runs))


def tables(runs: Runs, tools: Sequence[Tool], delays_ms: Sequence[int], limits: Mapping[int, float]) -> Iterator[str]:
    """The figures of each delay, in lines."""
    ours = tools[0].name
    for delay_ms in delays_ms:
        limit_s = limits[delay_ms]
        pure = f"pure limit {limit_s:.2f} s" if delay_ms else "no delay, so no limit but the machine's"
        yield ""
        yield f"{delay_ms} ms ({pure})"
        yield HEAD
        for tool in tools:
            if rounds := runs.get((tool.name, delay_ms)):
                yield row(tool.name, rounds, runs.get((ours, delay_ms)), limit_s)


def row(name: str, rounds: Sequence[Run], ours: Sequence[Run] | None, limit_s: float) -> str:
    """One tool's line."""
    wall, cpu = (lambda run: run.measured.wall_s), (lambda run: run.measured.cpu_s)
    asking_s = median(rounds, lambda run: run.asking_s)
    times = [f"{median(rounds, of) / median(ours, of):>6.1f}" if ours else f"{'':>6}" for of in (wall, cpu)]
    limit = f"{asking_s / limit_s:>8.2f}" if limit_s else f"{'':>8}"
    peak = median(rounds, lambda run: run.measured.peak_bytes / MIB)
    return (
        f"{name:34} {median(rounds, wall):>7.2f} {times[0]} {median(rounds, cpu):>7.2f} {times[1]} {asking_s:>8.2f} "
        f"{limit} {peak:>9.0f}"
    )


def stored_lines(runs: Runs, tools: Sequence[Tool], calls: int) -> Iterator[str]:
    """What each tool stored."""
    yield ""
    yield "stored, bytes a prompt"
    for tool in tools:
        sizes = [run.stored_bytes for (name, _), each in runs.items() if name == tool.name for run in each]
        known = [size for size in sizes if size is not None]
        if sizes:
            yield f"{tool.name:34} {statistics.median(known) / calls:>7,.0f}" if known else f"{tool.name:34}       –"


def calibration(
    server: Server, benchmark: Benchmark, runs: Runs, delays_ms: Sequence[int], in_flight: int
) -> Iterator[str]:
    """How we know that the endpoint is not what is measured."""
    body = json.dumps({"messages": [{"role": "user", "content": benchmark.prompts[0].text}], "model": "m"}).encode()
    yield ""
    yield "the endpoint itself, asked by a client that only writes ready-made requests and counts bytes"
    yield from (f"  {line}" for line in ceiling(server, body, calls=20_000))
    for delay_ms in delays_ms:
        taken_s = asyncio.run(
            blast(server.port, delay_ms=delay_ms, calls=benchmark.calls, connections=in_flight, depth=1, body=body)
        )
        yield f"  {benchmark.calls:,} calls at {delay_ms} ms, {in_flight} in flight: {taken_s:.2f} s"
    long = [run for each in runs.values() for run in each if run.asking_s > LONG_S]
    shares = [run.server_cpu_s / run.asking_s for run in long]
    if shares:
        yield f"  it was busy for at most {max(shares):.0%} of the time that any tool was asking"


def help_lines(command: Sequence[str], folder: Path) -> Iterator[str]:
    """How long `prt --help` takes."""
    taken = [measure([*command, "--help"], cwd=folder) for _ in range(HELPS)]
    wall = sorted(each.wall_s for each in taken)
    yield ""
    yield f"prt --help: {statistics.median(wall):.2f} s (the fastest of {HELPS}: {wall[0]:.2f} s)"


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description="The speed of prt run, beside other runners.")
    parser.add_argument("--items", type=int, default=1000, help="items; each is asked twice (default 1000)")
    parser.add_argument("--in-flight", type=int, default=64, help="calls at once (default 64)")
    parser.add_argument("--delays", type=int, nargs="+", default=[0, 50, 200], metavar="MS", help="(default 0 50 200)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each tool at each delay (default 3)")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="only tools with one of these words in their name")
    parser.add_argument("--prt", metavar="COMMAND", help="what starts prt (default: this Python's)")
    for option, of in (("--inspect", "inspect_ai"), ("--lm-eval", "lm_eval")):
        told = f"a Python that has {of} (default: this one)"
        parser.add_argument(option, metavar="PYTHON", default=os.environ.get(f"{of.upper()}_PYTHON"), help=told)
    told = "promptfoo's executable (default: from PATH)"
    parser.add_argument("--promptfoo", metavar="PROGRAM", default=os.environ.get("PROMPTFOO"), help=told)
    return parser.parse_args(arguments)


def main() -> None:
    """Measure, and print the tables."""
    options = parsed(sys.argv[1:])
    more_files()
    tools, absent = find_tools(options)
    print(f"{2 * options.items:,} prompts, {options.in_flight} in flight, median of {options.rounds} rounds")
    print(machine())
    for line in () if options.only else absent:
        print(f"absent: {line}")
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        benchmark = Benchmark(server, Path(folder), items=options.items, in_flight=options.in_flight)
        benchmark.learn_prompts(tools[0])
        for tool in tools[1:]:
            benchmark.set_up(tool)
        runs = all_runs(benchmark, tools, options.delays, options.rounds)
        limits = {delay: benchmark.calls * delay / 1000 / options.in_flight for delay in options.delays}
        for line in (
            *tables(runs, tools, options.delays, limits),
            *stored_lines(runs, tools, benchmark.calls),
            *calibration(server, benchmark, runs, options.delays, options.in_flight),
            *help_lines(shlex.split(options.prt) if options.prt else OUR_COMMAND, Path(folder)),
        ):
            print(line)


if __name__ == "__main__":
    main()
