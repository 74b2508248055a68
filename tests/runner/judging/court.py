"""A small world for judges: questions with answers, an application that gives them, and a judge on loopback."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import yaml
from pydantic import JsonValue as Json

from ..command_line import CommandLine
from ..fault_server import Behaviour, Call, FaultServer, answers

RUBRIC = "The answer names the right city."
ANSWERING = """
import json
from pathlib import Path
REPLIES = json.loads(Path(__file__).with_name("replies.json").read_text())
def answer(messages):
    with Path(__file__).with_name("calls.txt").open("a") as log:
        log.write("x")
    text = messages[-1]["content"]
    return next(reply for word, reply in REPLIES.items() if word in text)
"""


class Court:
    """The command line, with a judge that replies by a function of its prompt."""

    def __init__(self, prt: CommandLine, server: FaultServer, replies: dict[str, str]) -> None:
        self.prt = prt
        self.server = server
        prt.write("answering.py", ANSWERING)
        prt.write("replies.json", json.dumps(replies))
        rows = [
            {"id": word, "question": f"What is the capital of {word}, please?", "answer": f"{word}-City"}
            for word in replies
        ]
        prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    def grade(self, **keys: Json) -> dict[str, Json]:
        model: dict[str, Json] = {
            "name": "judge-1",
            "base_url": self.server.base_url,
            "api_key_env": None,
            "timeout_s": 5,
            "retry": {"retries": 0},
        }
        return {"grader": "judge", "rubric": RUBRIC, "model": model, **keys}

    def config(self, *, grade: Json = None, **rest: Json) -> str:
        config: dict[str, Json] = {
            "name": "court",
            "model": {"provider": "python", "callable": "answering.py:answer"},
            "dataset": "items.jsonl",
            "perturbations": ["style"],
            "grade": grade or self.grade(),
            **rest,
        }
        return self.prt.write("prt.yaml", yaml.safe_dump(config, sort_keys=False))

    @property
    def answered(self) -> int:
        """How often the application was asked."""
        log = self.prt.folder / "calls.txt"
        return len(log.read_text()) if log.exists() else 0

    @property
    def judged(self) -> int:
        """How often the judge was asked."""
        return len(self.server.calls)


@contextmanager
def court(prt: CommandLine, replies: dict[str, str], judge: Callable[[Call], Behaviour]) -> Iterator[Court]:
    """A court whose judge behaves by a function of the call."""
    with FaultServer(by=judge) as server:
        yield Court(prt, server, replies)


def fair(call: Call) -> Behaviour:
    """Passes an answer that holds the reference, as an honest judge would."""
    answer, reference = fenced_text(call.prompt, "answer"), fenced_text(call.prompt, "reference")
    return answers(json.dumps({"reason": "compared", "verdict": "pass" if reference in answer else "fail"}))


def fenced_text(prompt: str, name: str) -> str:
    """What stands in the first fence of a name, read as a judge should: to the closing line with the same digits."""
    lines = prompt.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"<{name} "))
    end = lines.index("</" + lines[start][1:], start)
    return "\n".join(lines[start + 1 : end])
