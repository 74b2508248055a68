"""Endpoints that write paraphrases by a script, and what they are asked, taken apart."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue as Json

from ..command_line import CAPITALS, CommandLine
from ..fault_server import Behaviour, Call, answers

Answering = Callable[[Call], Behaviour]


def quoted_texts(prompt: str) -> list[str]:
    """The texts that stand between the markers of a prompt."""
    return [json.loads(line) for line in prompt.split("\n") if line.startswith('"')]


def asks_for_a_paraphrase(call: Call) -> bool:
    return call.prompt.startswith("Reword the question")


def asks_for_a_verdict(call: Call) -> bool:
    return call.prompt.startswith("Two texts stand")


def proposes(text: str) -> Behaviour:
    """A reply in the form that is asked for."""
    return answers(json.dumps({"paraphrase": text}))


def judges(verdict: Json) -> Behaviour:
    return answers(json.dumps({"same": verdict}))


def turned(text: str) -> str:
    """A faithful paraphrase of a question of `CommandLine.capitals`."""
    found = re.fullmatch(r"(\d+): which city is the capital of (\w+)\?", text)
    assert found, text
    return f"{found[1]}: the capital of {found[2]} is which city?"


def writes_well(call: Call) -> Behaviour:
    return proposes(turned(quoted_texts(call.prompt)[0]))


def knows_capitals(call: Call) -> Behaviour:
    """The label of the right option, as the prompt shows it."""
    country = re.search(r"France|Spain|Italy|Japan|Egypt", call.prompt)
    assert country, call.prompt
    label = re.search(rf"^([A-E])\. {dict(CAPITALS)[country[0]]}$", call.prompt, re.MULTILINE)
    assert label, call.prompt
    return answers(label[1])


@dataclass(slots=True)
class Endpoint:
    """One server for all: it answers items, writes paraphrases and judges them, each by a function.

    Attributes:
        write: What it says when asked for a paraphrase.
        judge: What it says when asked for a verdict.
        answer: What it says otherwise.
        asked: The calls of each kind: `write`, `judge`, `answer`.
    """

    write: Answering = writes_well
    judge: Answering = lambda _: judges(verdict=True)
    answer: Answering = knows_capitals
    asked: dict[str, list[Call]] = field(default_factory=lambda: {"write": [], "judge": [], "answer": []})

    def __call__(self, call: Call) -> Behaviour:
        kind = "write" if asks_for_a_paraphrase(call) else "judge" if asks_for_a_verdict(call) else "answer"
        self.asked[kind].append(call)
        return {"write": self.write, "judge": self.judge, "answer": self.answer}[kind](call)

    def counts(self) -> tuple[int, int, int]:
        """Calls for paraphrases, verdicts and answers so far."""
        return len(self.asked["write"]), len(self.asked["judge"]), len(self.asked["answer"])

    def wanted(self) -> Iterator[str]:
        """The texts that paraphrases were asked of, in order of arrival."""
        return (quoted_texts(call.prompt)[0] for call in self.asked["write"])


def llm_config(prt: CommandLine, base_url: str, *, items: int = 4, **paraphrase: Json) -> str:
    """A config of capitals whose only variants are paraphrases by the model under test, or by another."""
    section: dict[str, Json] = {"kind": "llm", **paraphrase}
    return prt.config(base_url, items=items, perturbations=[{"paraphrase": section}])
