"""Models on this machine: the embedded one, as a user would run it."""

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import aiohttp
import pytest
from platformdirs import user_cache_path
from prt.runner.config.embedded import EMBEDDED
from prt.runner.config.schema import LocalModel
from prt.runner.errors import ModelError
from prt.runner.models.local import LocalLlama
from prt.runner.models.local_fetch import locate
from prt.runner.models.local_process import LlamaProcess
from prt.runner.records import Reply

from .asking import opened, replies, request, until

needs_llama = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="needs llama.cpp (the extra `local`)"
)
QUESTION = "Which one is a fruit?\n\nA. stone\nB. apple\nC. cloud\n\nAnswer with the letter of the right option only."
LONG = "Continue: " + ", ".join(f"item {number} costs {number * 7} coins" for number in range(9))
PARENT = """
import asyncio, os, sys
from pathlib import Path
from prt.runner.config.schema import LocalModel
from prt.runner.models.base import open_model

async def main():
    model = open_model(LocalModel(context=512), base=Path(), env=os.environ, progress=lambda _: None)
    async with model:
        print(model._child.process._process.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def local(**settings: object) -> LocalLlama:
    model = opened(LocalModel.model_validate(settings))
    assert isinstance(model, LocalLlama)
    return model


def process_of(model: LocalLlama) -> LlamaProcess:
    assert model._child is not None
    return model._child.process


def embedded() -> Path:
    """The model's file, fetched where it is missing."""
    return asyncio.run(locate(EMBEDDED, user_cache_path("prt", appauthor=False), print))


@needs_llama
@pytest.mark.local_model
def test_equal_prompts_get_equal_replies_whatever_came_before_and_however_many_threads(
    capfd: pytest.CaptureFixture[str],
) -> None:
    params = {"temperature": 0, "max_tokens": 6}
    first = replies(local(threads=1, params=params), request(QUESTION), request(LONG), request(QUESTION))
    again = replies(local(threads=2, params=params), request(LONG), request(QUESTION))
    assert [answer.error for answer in first + again] == [None] * 5
    assert first[0].text == first[2].text == again[1].text != ""
    assert first[1].text == again[0].text != ""
    assert first[0].model == "SmolLM2-135M-Instruct.Q4_1"
    assert (first[0].prompt_tokens or 0) > 20
    assert capfd.readouterr() == ("", "")


@needs_llama
@pytest.mark.local_model
def test_a_prompt_beyond_the_context_is_this_call_s_error_with_the_line_to_change() -> None:
    (answer,) = replies(local(context=256), request("word " * 400))
    assert answer.error is not None
    assert answer.error.kind == "bad_request"
    assert answer.error.message.startswith("the local model answered 400: request (4")
    assert answer.error.message.endswith(". Raise model.context")


@needs_llama
@pytest.mark.local_model
def test_a_child_that_crashes_is_started_again_and_its_cell_asked_again() -> None:
    async def run() -> tuple[Reply, Reply]:
        async with local(context=512, params={"max_tokens": 4}) as model:
            child = process_of(model)
            asking = asyncio.create_task(model.ask(request("Tell a long story.")))
            await asyncio.sleep(0)
            os.kill(child._process.pid, signal.SIGKILL)
            return await asking, await model.ask(request("Hello."))

    crashed, after = asyncio.run(run())
    assert (crashed.error, after.error) == (None, None)
    assert crashed.text
    assert after.attempts == 1


@needs_llama
@pytest.mark.local_model
def test_the_child_serves_nobody_else_and_is_out_of_reach_of_the_terminal() -> None:
    async def run() -> tuple[int, int]:
        async with local(context=512) as model:
            child = process_of(model)
            async with (
                aiohttp.ClientSession() as stranger,
                stranger.post(f"{child.url}/chat/completions", json={"messages": []}) as response,
            ):
                return response.status, os.getsid(child._process.pid)

    status, session = asyncio.run(run())
    assert status == 401
    assert session != os.getsid(0)


@needs_llama
@pytest.mark.local_model
def test_a_killed_parent_leaves_no_child() -> None:
    embedded()
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:  # noqa: S603  ours
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    asyncio.run(until(lambda: not is_running(child)))


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended but that nobody has waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@needs_llama
@pytest.mark.local_model
def test_a_truncated_model_is_told_in_a_sentence(tmp_path: Path) -> None:
    with embedded().open("rb") as whole:
        (tmp_path / "cut.gguf").write_bytes(whole.read(2_000_000))
    model = local(path=str(tmp_path / "cut.gguf"))
    with pytest.raises(
        ModelError, match=r"^llama\.cpp can't load .*cut\.gguf: .*\. Fetch the file again, or another\.$"
    ):
        replies(model)


@needs_llama
def test_the_identity_is_the_file_s_content_the_engine_and_what_is_asked_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF a")
    (tmp_path / "b.gguf").write_bytes(b"GGUF a")
    (tmp_path / "c.gguf").write_bytes(b"GGUF c")
    a, b, c = (local(path=str(tmp_path / f"{name}.gguf")) for name in "abc")
    assert a.identity() == b.identity() != c.identity()
    assert (a.name, a.concurrency) == ("a", 1)
    assert set(a.identity()) == {"provider", "engine", "sha256", "context", "params"}
    assert a.identity() == local(path=str(tmp_path / "a.gguf"), threads=7).identity()
    assert local().identity()["sha256"] == EMBEDDED.sha256


@needs_llama
@pytest.mark.parametrize("name", ["missing.gguf", "text.gguf"])
def test_a_file_that_is_no_model_is_told_before_anything_is_started(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.gguf").write_text("a text")
    with pytest.raises(ModelError, match=rf"^model\.path: {name} "):
        opened(LocalModel(path=name), base=tmp_path)


def test_without_llama_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec

    def without_llama(name: str) -> ModuleSpec | None:
        return None if name == "xllamacpp" else find_spec(name)

    monkeypatch.setattr(importlib.util, "find_spec", without_llama)
    with pytest.raises(ModelError, match=r"not installed: `pip install xllamacpp` \(the extra `local` of prt\)\."):
        local()
