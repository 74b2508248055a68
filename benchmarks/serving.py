"""How long the pages of `prt serve` take while many read them and a run writes into the same store.

    python serving.py [--readers 200] [--seconds 30] [--items 1000] [--store FILE]

The server, the run and the endpoint that it asks (`mock_server.py`, 20 ms an answer) are processes of their own. Each
reader has a connection of its own, asks for one page after the other, drawn at random from those of the run that is
under way and of one that is complete, and waits for each answer; so many readers at once are many more people than
that, who read what they are shown. With `--store` there is no run: the pages of the newest run of that store are read.

An answer other than 200, or none within a minute, is an error.
"""

import argparse
import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from measuring import machine
from mock_server import Server
from tickets import dataset

CONFIG = """\
name: {name}
model:
  provider: openai
  name: m
  base_url: {base_url}
  api_key_env: null
  params: {{temperature: 0}}
dataset: {dataset}
perturbations: [typo, {{format: {{variants: 4}}}}]
limits: {{concurrency: 8}}
"""
COMMAND = [sys.executable, "-m", "prt.runner"]
HOST = "127.0.0.1"
TIMEOUT_S = 60
DELAY_MS = 20
COMPLETE_ITEMS = 200
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
RUN = re.compile(r'data-run="([^"]+)"')
PAGES = (
    "/runs",
    "/runs/{}",
    "/runs/{}/items",
    "/runs/{}/items?show=flipped",
    "/runs/{}/items?text=lorry",
    "/api/runs/{}/progress",
    "/api/runs/{}/headline",
)


@dataclass
class Seen:
    """What the readers met.

    Attributes:
        took_s: How long the answers of each page took.
        errors: What else came, and how often.
    """

    took_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, int] = field(default_factory=lambda: defaultdict(int))


async def read(port: int, runs: Sequence[str], until: float, seen: Seen, draw: random.Random) -> None:
    """Read one page after the other over one connection."""
    reader, writer = await asyncio.open_connection(HOST, port)
    while time.monotonic() < until:
        page = draw.choice(PAGES)
        path = page.format(draw.choice(runs))
        began = time.monotonic()
        try:
            status = await asyncio.wait_for(ask(reader, writer, port, path), TIMEOUT_S)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            seen.errors[type(error).__name__] += 1
            writer.close()
            reader, writer = await asyncio.open_connection(HOST, port)
            continue
        if status == b"200":
            seen.took_s[page].append(time.monotonic() - began)
        else:
            seen.errors[f"{page}: {status.decode()}"] += 1
    writer.close()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, path: str) -> bytes:
    """Send a request, read its answer, and give its status."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    length = LENGTH.search(head)
    await reader.readexactly(int(length[1]) if length else 0)
    return head.split(b" ", 2)[1]


async def read_all(port: int, runs: Sequence[str], readers: int, seconds: float) -> Seen:
    """Let so many read at once."""
    seen = Seen()
    until = time.monotonic() + seconds
    draws = [random.Random(number) for number in range(readers)]  # noqa: S311 - which page is read next
    await asyncio.gather(*(read(port, runs, until, seen, draw) for draw in draws))
    return seen


@contextmanager
def served(store: Path) -> Iterator[int]:
    """`prt serve` in a process of its own; gives its port."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "serve", "--store", str(store), "--port", "0"], stderr=subprocess.PIPE, text=True
    ) as process:
        said = process.stderr.readline() if process.stderr else ""
        found = re.search(r":(\d+)/", said)
        if found is None:
            sys.exit(f"the server did not start: {said}")
        try:
            yield int(found[1])
        finally:
            process.terminate()


def listed(port: int) -> list[str]:
    """The runs that the server lists, the newest first."""
    connection = HTTPConnection(HOST, port, timeout=TIMEOUT_S)
    connection.request("GET", "/runs")
    return RUN.findall(connection.getresponse().read().decode())


def write_config(folder: Path, name: str, items: int, base_url: str) -> Path:
    """A config of so many items."""
    (folder / f"{name}.jsonl").write_text(dataset(items), encoding="utf-8")
    path = folder / f"{name}.yaml"
    path.write_text(CONFIG.format(name=name, base_url=base_url, dataset=f"{name}.jsonl"), encoding="utf-8")
    return path


def command(config: Path, store: Path) -> list[str]:
    """The command that runs a config."""
    return [*COMMAND, "run", str(config), "--store", str(store)]


def while_a_run_writes(readers: int, seconds: float, items: int) -> None:
    """Measure with a run that writes meanwhile."""
    with tempfile.TemporaryDirectory() as name, Server() as endpoint:
        folder, base_url = Path(name), endpoint.base_url(DELAY_MS)
        store = folder / "prt.db"
        done = write_config(folder, "complete", COMPLETE_ITEMS, base_url)
        subprocess.run(command(done, store), check=True, capture_output=True)  # noqa: S603 - our own program
        going = write_config(folder, "going", items, base_url)
        quiet = subprocess.DEVNULL
        with (
            served(store) as port,
            subprocess.Popen(command(going, store), stdout=quiet, stderr=quiet) as run,  # noqa: S603 - as above
        ):
            while not any(each.startswith("going-") for each in listed(port)):
                time.sleep(0.1)
            seen = asyncio.run(read_all(port, listed(port), readers, seconds))
            still = run.poll() is None
            run.terminate()
        told = "wrote all the time" if still else f"ended before the readers did (exit code {run.returncode})"
        tell(seen, readers, seconds, f"the run {told}")


def tell(seen: Seen, readers: int, seconds: float, how: str) -> None:
    """Print what the readers met."""
    print(machine())
    count = sum(map(len, seen.took_s.values()))
    print(f"{readers} readers for {seconds:g} s, {how}: {count:,} answers, {count / seconds:,.0f}/s")
    print(f"{'':32} {'answers':>8} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'most':>8}")
    for page in PAGES:
        print_row(page, seen.took_s[page])
    print_row("all", [each for every in seen.took_s.values() for each in every])
    print_errors(seen.errors)


def print_row(name: str, took_s: Sequence[float]) -> None:
    """Print the quantiles of a page."""
    if len(took_s) > 1:
        cuts = statistics.quantiles(took_s, n=100, method="inclusive")
        shown = " ".join(f"{1000 * each:8.0f}" for each in (cuts[49], cuts[94], cuts[98], max(took_s)))
        print(f"{name:32} {len(took_s):8,} {shown}")


def print_errors(errors: Mapping[str, int]) -> None:
    """Print what went wrong."""
    print(f"errors: {sum(errors.values())}")
    for error, count in errors.items():
        print(f"  {error}: {count}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--items", type=int, default=1000, help="of the run that writes")
    parser.add_argument("--store", type=Path, help="read this store instead, while nothing writes")
    asked = parser.parse_args()
    if asked.store is None:
        while_a_run_writes(asked.readers, asked.seconds, asked.items)
        return
    with served(asked.store) as port:
        seen = asyncio.run(read_all(port, listed(port)[:1], asked.readers, asked.seconds))
    tell(seen, asked.readers, asked.seconds, "nothing wrote")


if __name__ == "__main__":
    main()
