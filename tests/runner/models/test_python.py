"""Functions of the user's own."""

import asyncio
import sys
import threading
import time
from pathlib import Path

import pytest
from prt.runner.config.schema import PythonModel
from prt.runner.errors import ConfigError
from prt.runner.models.base import Model
from prt.runner.models.throttle import Caps, Limits
from prt.runner.records import Reply

from .asking import KEY, opened, replies, reply, request


def model_of(
    tmp_path: Path, source: str, function: str = "answer", *, limits: Limits | None = None, **settings: object
) -> Model:
    path = tmp_path / "app.py"
    path.write_text(source, encoding="utf-8")
    config = PythonModel.model_validate({"callable": f"app.py:{function}", **settings})
    return opened(config, base=tmp_path, limits=limits)


def error_of(answer: Reply) -> tuple[str, str]:
    assert answer.error is not None
    return answer.error.kind, answer.error.message


ECHO = """
def answer(messages):
    return " | ".join(f"{m['role']}: {m['content']}" for m in messages)

async def answer_async(messages):
    return answer(messages)

class Application:
    def __call__(self, messages):
        return answer_async(messages)

application = Application()
"""


@pytest.mark.parametrize("function", ["answer", "answer_async", "application"])
def test_sync_async_and_callable_objects_are_given_the_messages(tmp_path: Path, function: str) -> None:
    answer = reply(model_of(tmp_path, ECHO, function), request("Größer?", system="S"))
    assert (answer.text, answer.attempts, answer.error) == ("system: S | user: Größer?", 1, None)


def test_an_exception_is_this_call_s_error_with_its_type_words_and_place(tmp_path: Path) -> None:
    source = "def answer(messages):\n    raise KeyError(messages[0]['content'])\n"
    answers = replies(model_of(tmp_path, source), request("one"), request("two"))
    assert [error_of(answer) for answer in answers] == [
        ("callable", "app.py:answer KeyError: 'one' (app.py:2)"),
        ("callable", "app.py:answer KeyError: 'two' (app.py:2)"),
    ]
    assert [answer.attempts for answer in answers] == [1, 1]


@pytest.mark.parametrize("what", ["SystemExit(3)", "StopIteration(3)", "TimeoutError('slow')"])
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_no_exception_of_the_function_gets_out(tmp_path: Path, what: str, kind: str) -> None:
    answer = reply(model_of(tmp_path, f"{kind} answer(messages):\n    raise {what}\n"))
    assert error_of(answer)[0] == "callable"


@pytest.mark.parametrize(("value", "shown"), [("None", "NoneType"), ("42", "int"), ("{'text': 'B'}", "dict")])
def test_what_is_no_text_is_named(tmp_path: Path, value: str, shown: str) -> None:
    answer = reply(model_of(tmp_path, f"def answer(messages):\n    return {value}\n"))
    assert error_of(answer) == ("callable", f"app.py:answer returned {shown}, not the answer's text (str)")


HANGS = """
import asyncio, threading
may_end = threading.Event()
def answer(messages):
    may_end.wait(20)
    return "late"
async def answer_async(messages):
    await asyncio.sleep(20)
"""


@pytest.mark.parametrize("function", ["answer", "answer_async"])
def test_a_function_that_hangs_holds_up_neither_its_cell_nor_the_end(tmp_path: Path, function: str) -> None:
    started_s = time.monotonic()
    answer = reply(model_of(tmp_path, HANGS, function, timeout_s=0.05))
    assert error_of(answer) == ("timeout", "no answer within 0.05 s, as model.timeout_s allows")
    assert time.monotonic() - started_s < 10


def test_a_late_return_after_the_run_has_ended_disturbs_nobody(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    reply(model_of(tmp_path, HANGS, timeout_s=0.05))
    (thread,) = set(threading.enumerate()) - before
    user_module = next(
        module for name, module in sys.modules.items() if getattr(module, "__file__", "") == str(tmp_path / "app.py")
    )
    user_module.may_end.set()
    thread.join(10)
    assert not thread.is_alive()


TOGETHER = """
import threading
all_here = threading.Barrier(40)
def answer(messages):
    all_here.wait(10)
    return "B"
"""


def test_blocking_calls_run_at_once_as_many_as_the_user_says(tmp_path: Path) -> None:
    model = model_of(tmp_path, TOGETHER, limits=Limits(Caps(concurrency=40)))

    async def run() -> list[Reply]:
        async with model:
            return await asyncio.gather(*(model.ask(request()) for _ in range(40)))

    assert [answer.text for answer in asyncio.run(run())] == ["B"] * 40


def test_a_key_of_the_environment_that_the_function_quotes_is_hidden(tmp_path: Path) -> None:
    answer = reply(model_of(tmp_path, f"def answer(messages):\n    raise ValueError('bad key {KEY}')\n"))
    assert error_of(answer) == ("callable", "app.py:answer ValueError: bad key [hidden] (app.py:2)")


def test_the_identity_changes_with_the_source(tmp_path: Path) -> None:
    identities = []
    for text in ("A", "B"):
        folder = tmp_path / text
        folder.mkdir()
        identities.append(model_of(folder, f"def answer(messages):\n    return {text!r}\n").identity())
    assert identities[0]["callable"] == identities[1]["callable"] == "app.py:answer"
    assert identities[0] != identities[1]


def test_a_function_that_is_not_there_is_told_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.callable: .*has no 'reply'; it defines answer"):
        model_of(tmp_path, "def answer(messages):\n    return 'B'\n", "reply")


def test_a_function_that_takes_something_else_is_told_before_any_call(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"it will be called with \(messages\)"):
        model_of(tmp_path, "def answer():\n    return 'B'\n")
