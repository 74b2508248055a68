"""The benchmarks measure what they say: the endpoint answers what the items say, and no runner can skip work unseen."""

import argparse
import asyncio
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


def script(name: str) -> ModuleType:
    """A script of the folder; those that it imports by its name have to be loaded before."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


tickets, measuring, mock_server, peers, throughput, scale = map(
    script, ("tickets", "measuring", "mock_server", "peers", "throughput", "scale")
)


@pytest.fixture
def server() -> Iterator[Any]:
    with mock_server.Server() as running:
        yield running


def prompt(number: int, words: str = "a lorry with crates") -> str:
    return f"Question: Ticket {number}: {words} leaves. Which gate?\nA. one\nB. two"


def body(text: str, **rest: object) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text}], **rest}).encode()


def test_an_answer_depends_on_the_ticket_and_the_words_after_it_alone() -> None:
    text = prompt(1_000_003)
    loose = json.dumps({"n": 1, "messages": [{"content": text}]}, indent=2).encode()
    assert tickets.answered(body(text)) == tickets.answered(body(text, temperature=0)) == tickets.answered(loose)
    answered = {tickets.answered(body(prompt(1_000_003, f"a lorry with {n} crates"))) for n in range(40)}
    assert answered == set(tickets.LETTERS)


def test_about_three_of_four_answers_are_right() -> None:
    right = sum(tickets.passes(str(row["question"])) for row in tickets.rows(2_000))
    assert 1_400 < right < 1_600
    assert not tickets.passes("a prompt that lost its ticket")


def test_each_item_has_a_ticket_and_its_right_option() -> None:
    rows = [json.loads(line) for line in tickets.dataset(3).splitlines()]
    assert [row["answer"] for row in rows] == [tickets.right(int(row["id"])).decode() for row in rows]
    assert all(f"Ticket {row['id']}: " in row["question"] for row in rows)


async def exchanged(port: int, sent: bytes, answers: int) -> list[dict[str, Any]]:
    """Send bytes over one connection, and read so many answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    read = []
    for _ in range(answers):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        read.append(json.loads(await reader.readexactly(length)))
    writer.close()
    await writer.wait_closed()
    return read


def request(data: bytes, delay_ms: int = 0) -> bytes:
    return b"POST /delay/%d/v1/chat/completions HTTP/1.1\r\nHost: h\r\ncontent-length: %d\r\n\r\n%s" % (
        delay_ms,
        len(data),
        data,
    )


def test_the_endpoint_answers_each_of_several_requests_in_their_order_and_counts_them(server: Any) -> None:
    texts = [prompt(number) for number in range(1_000_000, 1_000_008)]
    server.get("/reset")
    read = asyncio.run(exchanged(server.port, b"".join(request(body(text)) for text in texts), len(texts)))
    said = [answer["choices"][0]["message"]["content"] for answer in read]
    assert said == [f"The answer is {tickets.answered(body(text)).decode()}." for text in texts]
    assert server.get("/stats")["calls"] == len(texts)
    server.get("/reset")
    assert server.get("/stats")["calls"] == 0


def test_the_endpoint_takes_as_long_as_the_address_says(server: Any) -> None:
    server.get("/reset")
    asyncio.run(exchanged(server.port, request(body(prompt(1_000_000)), delay_ms=30), 1))
    seen = server.get("/stats")
    assert 0.03 <= seen["last_s"] - seen["first_s"] < 5
    assert seen["most_in_flight"] == 1


def test_the_endpoint_gives_back_what_it_was_asked_to_keep_and_nothing_else(server: Any) -> None:
    asyncio.run(exchanged(server.port, request(body("before")), 1))
    server.get("/record")
    asyncio.run(exchanged(server.port, request(body("kept")), 1))
    assert server.get("/recorded") == [json.loads(body("kept"))]
    asyncio.run(exchanged(server.port, request(body("after")), 1))
    assert server.get("/recorded") == []


def test_the_client_that_measures_the_endpoint_makes_exactly_its_calls(server: Any) -> None:
    server.get("/reset")
    asyncio.run(
        mock_server.blast(server.port, delay_ms=0, calls=101, connections=7, depth=4, body=body(prompt(1_000_000)))
    )
    assert server.get("/stats")["calls"] == 101


def test_a_command_is_measured_with_what_it_starts(tmp_path: Path) -> None:
    child = "x = bytearray(60_000_000); sum(range(2_000_000))"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print('done')"
    one = measuring.measure([sys.executable, "-c", child], cwd=tmp_path)
    both = measuring.measure([sys.executable, "-c", program], cwd=tmp_path)
    assert both.out == "done\n"
    assert min(one.cpu_s, both.cpu_s) > 0.01
    assert min(one.peak_bytes, both.peak_bytes) > 60_000_000
    assert both.wall_s >= both.cpu_s / 4


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(measuring.CommandFailedError, match=r"ended with 3:\nwhat went wrong"):
        measuring.measure([sys.executable, "-c", "import sys; print('what went wrong'); sys.exit(3)"], cwd=tmp_path)


def runner(program: str, found: int) -> Any:
    """A runner that is a program, which is given the address, and says that it found so many right answers."""
    return peers.Tool(
        "a runner",
        lambda _folder, _prompts: None,
        lambda asked: [sys.executable, "-c", program, asked.base_url],
        lambda _folder, _measured: found,
    )


ASKS = """
import json, sys, urllib.request
for number in (1000000, 1000001):
    text = f"Ticket {number}: a lorry"
    data = json.dumps({"messages": [{"role": "user", "content": text}]}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{sys.argv[1]}/chat/completions", data)).read()
"""


def benchmark(server: Any, folder: Path) -> Any:
    made = throughput.Benchmark(server, folder, items=1, in_flight=2)
    made.prompts = [
        peers.Prompt(f"Ticket {number}: a lorry", tickets.right(number).decode()) for number in (1_000_000, 1_000_001)
    ]
    return made


def right_of(made: Any) -> int:
    return sum(tickets.passes(each.text) for each in made.prompts)


def test_a_runner_that_does_the_whole_work_is_measured(server: Any, tmp_path: Path) -> None:
    made = benchmark(server, tmp_path)
    tool = runner(ASKS, right_of(made))
    made.set_up(tool)
    run = made.run(tool, 0)
    assert 0 < run.asking_s < run.measured.wall_s
    assert run.stored_bytes is None


@pytest.mark.parametrize(("program", "off"), [("pass", 0), (ASKS, 1)], ids=["makes no call", "misreads an answer"])
def test_a_runner_that_skips_work_is_refused(server: Any, tmp_path: Path, program: str, off: int) -> None:
    made = benchmark(server, tmp_path)
    tool = runner(program, right_of(made) + off)
    made.set_up(tool)
    with pytest.raises(throughput.CommandFailedError, match="a runner made"):
        made.run(tool, 0)


def measured(wall_s: float, *, cpu_s: float = 1.0, peak: int = 100, largest: int | None = None) -> Any:
    """A command that was measured; its largest process had as much memory as all together unless it is said."""
    of_one = peak if largest is None else largest
    return measuring.Measured(10.0, 10.0 + wall_s, cpu_s, peak * measuring.MIB, of_one * measuring.MIB, 0, "", "")


def test_the_table_gives_medians_and_ratios_to_ours_and_to_the_limit() -> None:
    ours = [throughput.Run(measured(wall, cpu_s=0.5), 1.6, 0.1, 2_000) for wall in (2.0, 9.0, 2.5)]
    theirs = [throughput.Run(measured(5.0, cpu_s=4.0), 3.2, 0.1, None)]
    runs = {("prt run", 50): ours, ("other", 50): theirs}
    tools = [runner("", 0).__class__(name, *(lambda *_: None,) * 3) for name in ("prt run", "other")]
    lines = list(throughput.tables(runs, tools, [50], {50: 1.6}))
    assert lines[1] == "50 ms (pure limit 1.60 s)"
    assert lines[3].split() == ["prt", "run", "2.50", "1.0", "0.50", "1.0", "1.60", "1.00", "100"]
    assert lines[4].split() == ["other", "5.00", "2.0", "4.00", "8.0", "3.20", "2.00", "100"]
    assert [line.split() for line in throughput.stored_lines(runs, tools, 2_000)][2:] == [
        ["prt", "run", "1"],
        ["other", "–"],
    ]


def test_a_runner_that_is_not_there_is_named_with_the_option_to_give() -> None:
    with pytest.raises(peers.AbsentError, match="give --promptfoo PROGRAM"):
        peers.find_program("no-such-program-here", "promptfoo", "--promptfoo")
    with pytest.raises(peers.AbsentError, match="no_such_module_here"):
        peers.find_python(sys.executable, "no_such_module_here", "--inspect")


def test_a_step_of_the_scale_is_split_by_what_the_endpoint_saw() -> None:
    # A child that has just begun shares its parent's memory, which then counts twice among all processes.
    run = measured(10.0, cpu_s=8.0, peak=230, largest=120)
    step = scale.Step(1_000, run, 12.0, 19.0, measured(0.5, peak=60), 0, measured(0.25, peak=50), 900_000)
    told = dict(zip(scale.HEAD.replace(" s", "_s").replace(" M", "_M").split(), scale.line(step).split(), strict=False))
    assert (told["prepare_s"], told["ask_s"], told["report_s"]) == ("2.00", "7.00", "1.00")
    assert scale.line(step).split() == [
        *("1,000", "2.00", "7.00", "1.00", "143", "8,000", "120", "900", "0.50", "60", "0", "0.25", "50")
    ]


def test_what_a_further_cell_costs_leaves_out_what_every_run_costs() -> None:
    def step(cells: int, cpu_s: float, peak: int, stored: int) -> Any:
        return scale.Step(cells, measured(1, cpu_s=cpu_s, peak=peak), 0, 1, measured(1), 0, measured(1), stored)

    (_, told) = scale.growth([step(1_000, 1.2, 100, 1_000_000), step(11_000, 3.2, 100, 6_000_000)])
    assert told.startswith("each further cell, from 1,000 to 11,000: 200 µs of processor time (5,000 cells per second")
    assert told.endswith("0.0 bytes of memory, 500 bytes stored")


@pytest.mark.parametrize(("cells", "items"), [(40, 1), (41, 2), (1_000_000, 25_000)])
def test_a_step_has_at_least_the_cells_that_were_asked_for(cells: int, items: int) -> None:
    assert scale.Shape(conditions=8, repeats=5).items(cells) == items


def test_the_options_say_their_defaults() -> None:
    options = throughput.parsed([])
    assert isinstance(options, argparse.Namespace)
    assert (options.items, options.in_flight, options.delays) == (1000, 64, [0, 50, 200])
    assert tuple(scale.parsed([]).cells) == (1_000, 10_000, 100_000, 1_000_000)
