"""Evaluation runners on the same prompts and the same endpoint: what each is given, and how it is asked what it found.

Each tool gets the prompts as they stand, one user message each, temperature 0, so many calls in flight, and a rule that
reads the letter after "answer is". What it stores by default it stores. Nothing is switched off that a user would have
on, but live displays, telemetry and caches of replies.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measuring import CommandFailedError, Measured, size_of

READS = "answer is ([A-D])"

INSPECT_TASK = f"""
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import pattern
from inspect_ai.solver import generate

@task
def tickets():
    return Task(dataset=json_dataset("prompts.jsonl"), solver=generate(), scorer=pattern({READS!r}))
"""
LM_EVAL_TASK = {
    "task": "tickets",
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": "prompts.jsonl"},
    "test_split": "train",
    "output_type": "generate_until",
    "doc_to_text": "{{input}}",
    "doc_to_target": "{{target}}",
    "generation_kwargs": {"until": [], "temperature": 0.0, "max_gen_toks": 16},
    "filter_list": [
        {"name": "letter", "filter": [{"function": "regex", "regex_pattern": READS}, {"function": "take_first"}]}
    ],
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
}
LM_EVAL_SCRIPT = """
import json, sys
import lm_eval
from lm_eval.tasks import TaskManager

settings = json.loads(sys.argv[1])
results = lm_eval.simple_evaluate(
    model="local-chat-completions", model_args=settings, tasks=["tickets"], apply_chat_template=True,
    task_manager=TaskManager(include_path=".", include_defaults=False), log_samples=True,
)
print(json.dumps(results["results"]["tickets"]))
"""


@dataclass(frozen=True)
class Prompt:
    """One prompt, and the letter of the right answer."""

    text: str
    answer: str


@dataclass(frozen=True)
class Asked:
    """Where and how a tool asks.

    Attributes:
        base_url: Root of the endpoint.
        in_flight: Calls at once.
        folder: Where the tool runs; its own files of the prompts are there.
    """

    base_url: str
    in_flight: int
    folder: Path


@dataclass(frozen=True)
class Tool:
    """A runner that can be measured.

    Attributes:
        name: How the tables call it.
        write: Writes what it needs into its folder, from the prompts.
        command: The command line for one run.
        passes: How many prompts it found to be answered rightly, after a run.
        stored: Which files of its folder are what it stored, as a pattern.
        env: Environment variables for it, from its folder.
        cleared: Whether what it stored is taken away before the next run: it would be used again, or not be told apart.
    """

    name: str
    write: Callable[[Path, Sequence[Prompt]], None]
    command: Callable[[Asked], list[str]]
    passes: Callable[[Path, Measured], int]
    stored: str = ""
    env: Callable[[Asked], Mapping[str, str]] = field(default=lambda _: {})
    cleared: bool = True

    def clear(self, folder: Path) -> None:
        """Take away what an earlier run stored."""
        for path in list(folder.glob(self.stored)) if self.stored and self.cleared else ():
            if path.is_file():
                path.unlink()

    def stored_bytes(self, folder: Path) -> int | None:
        """Bytes of all that it stored so far; None where it stores nothing."""
        return size_of(folder, self.stored) if self.stored else None


class AbsentError(Exception):
    """A tool is not installed; the text says how it was looked for."""


def write_prompts(folder: Path, prompts: Sequence[Prompt]) -> None:
    """The prompts as JSON lines of `input` and `target`."""
    lines = [json.dumps({"input": prompt.text, "target": prompt.answer}) + "\n" for prompt in prompts]
    (folder / "prompts.jsonl").write_text("".join(lines), encoding="utf-8")


def prt(
    command: Sequence[str], write: Callable[[Path, Sequence[Prompt]], None], config: str, *, html: bool = False
) -> Tool:
    """Our own runner: `prt run`, with its report.

    Args:
        command: What starts `prt`.
        write: Writes its dataset.
        config: The config, in which `BASE_URL` and `IN_FLIGHT` are filled in.
        html: Whether it writes the report as a page, too.
    """
    page = "--html" if html else "--no-html"

    def run(asked: Asked) -> list[str]:
        filled = config.replace("BASE_URL", asked.base_url).replace("IN_FLIGHT", str(asked.in_flight))
        (asked.folder / "prt.yaml").write_text(filled, encoding="utf-8")
        return [*command, "run", "prt.yaml", "--store", "prt.db", page]

    def passes(folder: Path, _: Measured) -> int:
        report = json.loads(printed([*command, "report", "--store", "prt.db", "--json"], folder))
        return sum(int(each["count"]) for each in rates_of(report))

    return Tool("prt run, and its page" if html else "prt run", write, run, passes, stored="prt.db*")


def rates_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The pass rates of the baseline and of each variant in a JSON report."""
    conditions = report["summary"]["conditions"]
    return [conditions[0]["baseline_rate"], *(each["variant_rate"] for each in conditions)]


def least_runner(python: str) -> Tool:
    """What no tool can be much faster than: `least_runner.py`, which asks, reads and keeps, and does no more.

    Args:
        python: The interpreter that has aiohttp and orjson.
    """
    program = str(Path(__file__).with_name("least_runner.py"))
    return Tool(
        "least possible runner (aiohttp)",
        write_prompts,
        lambda asked: [python, program, asked.base_url, str(asked.in_flight), READS],
        lambda _, measured: int(measured.out),
        stored="least.db",
    )


def inspect_ai(python: str) -> Tool:
    """Inspect, by its command line.

    Args:
        python: The interpreter that has it.
    """
    program = beside(python, "inspect")

    def write(folder: Path, prompts: Sequence[Prompt]) -> None:
        write_prompts(folder, prompts)
        (folder / "tickets.py").write_text(INSPECT_TASK, encoding="utf-8")

    def run(asked: Asked) -> list[str]:
        at_once = str(asked.in_flight)
        return [
            *(program, "eval", "tickets.py", "--model", "openai-api/mock/m", "--temperature", "0", "--display", "none"),
            *("--max-connections", at_once, "--max-samples", at_once, "--log-dir", "logs"),
        ]

    def passes(folder: Path, _: Measured) -> int:
        (log,) = (folder / "logs").glob("*.eval")
        header = json.loads(printed([program, "log", "dump", "--header-only", str(log)], folder))
        (score,) = header["results"]["scores"]
        rate, of = float(score["metrics"]["accuracy"]["value"]), int(header["results"]["completed_samples"])
        return round(rate * of)

    return Tool(
        f"inspect-ai {version_in(python, 'inspect_ai')}",
        write,
        run,
        passes,
        stored="logs/*",
        env=lambda asked: {"MOCK_BASE_URL": asked.base_url, "MOCK_API_KEY": "none"},
    )


def lm_eval(python: str) -> tuple[Tool, Tool]:
    """lm-evaluation-harness: its command line; and its Python API with no task but ours.

    Args:
        python: The interpreter that has it.
    """
    program = beside(python, "lm_eval")
    version = version_in(python, "lm_eval")

    def write(folder: Path, prompts: Sequence[Prompt]) -> None:
        write_prompts(folder, prompts)
        task = {**LM_EVAL_TASK, "dataset_kwargs": {"data_files": str(folder / "prompts.jsonl")}}
        (folder / "tickets.yaml").write_text(json.dumps(task), encoding="utf-8")
        (folder / "by_api.py").write_text(LM_EVAL_SCRIPT, encoding="utf-8")

    def settings(asked: Asked) -> dict[str, object]:
        return {
            "model": "m",
            "base_url": f"{asked.base_url}/chat/completions",
            "num_concurrent": asked.in_flight,
            "tokenized_requests": False,
        }

    def by_command(asked: Asked) -> list[str]:
        given = ",".join(f"{name}={value}" for name, value in settings(asked).items())
        return [
            *(program, "run", "--model", "local-chat-completions", "--model_args", given, "--tasks", "tickets"),
            *("--include_path", ".", "--apply_chat_template", "--output_path", "out", "--log_samples"),
        ]

    def passes_stored(folder: Path, _: Measured) -> int:
        (results,) = (folder / "out").glob("**/results_*.json")
        return counted(json.loads(results.read_text(encoding="utf-8"))["results"]["tickets"], folder)

    def counted(scores: Mapping[str, float], folder: Path) -> int:
        return round(scores["exact_match,letter"] * len((folder / "prompts.jsonl").read_bytes().splitlines()))

    def env(asked: Asked) -> dict[str, str]:
        return {"HF_HOME": str(asked.folder / "hf"), "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none"}

    return (
        Tool(f"lm-eval {version}, command line", write, by_command, passes_stored, stored="out/**/*", env=env),
        Tool(
            f"lm-eval {version}, Python API",
            write,
            lambda asked: [python, "by_api.py", json.dumps(settings(asked))],
            lambda folder, measured: counted(json.loads(measured.out.strip().splitlines()[-1]), folder),
            env=env,
        ),
    )


def promptfoo(program: str) -> Tool:
    """Promptfoo, by its command line; its database is what it stores.

    Args:
        program: Its executable.
    """

    def write(folder: Path, prompts: Sequence[Prompt]) -> None:
        tests = [
            {"vars": {"q": prompt.text}, "assert": [{"type": "contains", "value": f"answer is {prompt.answer}"}]}
            for prompt in prompts
        ]
        (folder / "tests.json").write_text(json.dumps(tests), encoding="utf-8")

    def run(asked: Asked) -> list[str]:
        settings = {"apiBaseUrl": asked.base_url, "apiKey": "none", "temperature": 0}
        config = {
            "prompts": ["{{q}}"],
            "providers": [{"id": "openai:chat:m", "config": settings}],
            "tests": "file://tests.json",
        }
        (asked.folder / "promptfooconfig.json").write_text(json.dumps(config), encoding="utf-8")
        at_once = str(asked.in_flight)
        return [
            *(program, "eval", "-c", "promptfooconfig.json", "-j", at_once),
            *("--no-cache", "--no-progress-bar", "--no-table"),
        ]

    def passes(_: Path, measured: Measured) -> int:
        said = measured.out + measured.err
        found = re.findall(r"([\d,]+) passed", said)
        if not found:
            raise CommandFailedError(f"promptfoo does not say how many answers passed; it ended with:\n{said[-500:]}")
        return int(found[-1].replace(",", ""))

    def env(asked: Asked) -> dict[str, str]:
        home = asked.folder / "home"
        home.mkdir(exist_ok=True)
        return {
            "PROMPTFOO_CONFIG_DIR": str(home),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
        }

    told = printed([program, "--version"], Path.cwd()).split()
    return Tool(f"promptfoo {told[-1]}", write, run, passes, stored="home/*.db*", env=env, cleared=False)


def find_python(given: str | None, module: str, option: str) -> str:
    """The interpreter that has a module: the one that is given, else this one.

    Raises:
        AbsentError: It does not have it.
    """
    if given is None and importlib.util.find_spec(module) is not None:
        return sys.executable
    if given is None:
        raise AbsentError(f"{module} is not installed beside this Python; give {option} PYTHON of an environment of it")
    try:
        version_in(given, module)
    except (OSError, subprocess.CalledProcessError):
        raise AbsentError(f"{given} has no {module}") from None
    return given


def find_program(given: str | None, name: str, option: str) -> str:
    """A program: the one that is given, else the one of this name on the path.

    Raises:
        AbsentError: There is none.
    """
    found = shutil.which(given or name)
    if found is None:
        raise AbsentError(f"there is no program {given or name}; give {option} PROGRAM")
    return found


def version_in(python: str, module: str) -> str:
    """The version of a package in another interpreter."""
    return printed([python, "-c", f"from importlib.metadata import version; print(version({module!r}))"], Path.cwd())


def beside(python: str, program: str) -> str:
    """A program that was installed with a Python."""
    return str(Path(python).parent / program)


def printed(command: Sequence[str], cwd: Path) -> str:
    """What a command prints.

    Raises:
        CalledProcessError: It failed.
    """
    done = subprocess.run(  # noqa: S603 - the commands that are compared
        command, cwd=cwd, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    return done.stdout.strip()
