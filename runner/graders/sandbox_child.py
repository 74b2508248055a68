"""Runs one reply's code with its tests, in a process of its own: a script, given a job and a pipe for what came of it.

Nothing of prt is loaded here but the file `confinement.py` beside it, so that the process starts fast.
"""

import ast
import json
import os
import runpy
import signal
import sys
import textwrap
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_MOST_WRITTEN = 500
_BROKEN = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError)
"""What compiling a text that is no program may raise."""


def main() -> None:
    """Read the job, settle which code is meant, give up all powers, run it, and say what came of it."""
    job = json.loads(sys.stdin.buffer.read())
    pipe = int(sys.argv[1])
    confinement = runpy.run_path(str(Path(__file__).with_name("confinement.py")))
    held = confinement["limit_resources"](cpu_s=int(job["time_limit_s"]) + 1, memory_bytes=job["memory_limit_mb"] << 20)
    held += confinement["confine"](job["folder"])
    if "network" not in held:
        close_sockets()
    chosen = choose(job)
    say(pipe, {"token": job["token"], "held": held, "block": chosen[0], "reason": chosen[1]})
    if chosen[2]:
        signal.setitimer(signal.ITIMER_REAL, job["time_limit_s"])
        say(pipe, {"token": job["token"], "error": run(chosen[2], job)})
    os._exit(0)  # threads and exit handlers of the code are not waited for


def say(pipe: int, told: dict[str, Any]) -> None:
    """Write one line into the pipe, which has room for all that is ever said."""
    os.write(pipe, (json.dumps(told) + "\n").encode())


def choose(job: dict[str, Any]) -> tuple[int, str, list[CodeType]]:
    """The number of the block that holds the answer, or why none does, and the compiled program with it.

    It is the last block that defines the entry point; else the only block. A block that does not define it goes on from
    the stub, as a body. Code that is not fenced off counts only where it is a program.
    """
    blocks, entry = job["blocks"], job["entry_point"]
    if entry:
        defining = [number for number, block in enumerate(blocks) if entry in defined(block)]
        if not defining and len(blocks) > 1:
            return -1, f"there are {len(blocks)} blocks of code, and none defines {entry!r}", []
        number = defining[-1] if defining else 0
    else:
        number = len(blocks) - 1
    sources = candidates(blocks[number], job["stub"], entry)
    compiled = next(filter(None, map(compiles, sources)), None)
    if compiled is None and not job["fenced"]:
        return -1, "there is no code in the reply", []
    return number, "", [compiled or error_of(sources[-1])]


def candidates(block: str, stub: str, entry: str) -> list[str]:
    """The programs that a block may mean, the likeliest first."""
    whole = [f"{stub}\n\n{block}", block] if defined(stub) else [block]
    if not entry or entry in defined(block):
        return whole
    if not stub.strip():
        return [block]
    last = stub.rstrip().splitlines()[-1]
    indent = last[: len(last) - len(last.lstrip())] or "    "
    base = stub if stub.endswith("\n") else f"{stub}\n"
    return [base + indent + block.lstrip(), base + textwrap.indent(textwrap.dedent(block), indent), base + block]


def defined(source: str) -> set[str]:
    """The names that a program defines at its top level."""
    try:
        body = ast.parse(source).body
    except _BROKEN:
        return set()
    names: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return names


def compiles(source: str) -> CodeType | None:
    """The program compiled; None where it is none."""
    try:
        return compile(source, "reply", "exec")
    except _BROKEN:
        return None


def error_of(source: str) -> CodeType:
    """A program that raises what compiling a text raised."""
    try:
        return compile(source, "reply", "exec")
    except _BROKEN as error:
        message = str(error) if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
        return compile(f"raise SyntaxError({message!r})", "reply", "exec")


def run(program: list[CodeType], job: dict[str, Any]) -> str:
    """Run the code and then its tests in one module; what was raised, or nothing."""
    import random  # noqa: PLC0415 - known to the code in the same state each time

    random.seed(0)
    module = ModuleType("reply")
    sys.modules["reply"] = module
    try:
        exec(program[0], module.__dict__)  # noqa: S102 - what this process is for
        for test in job["tests"]:
            exec(compile(test, "tests", "exec"), module.__dict__)  # noqa: S102 - likewise
        if calls_check(job["tests"]):
            module.__dict__["check"](module.__dict__[job["entry_point"]])
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its result
        return described(error)
    return ""


def calls_check(tests: list[str]) -> bool:
    """Whether the tests define a function `check` and leave it to others to call it."""
    body = [node for test in tests for node in ast.parse(test).body]
    called = any(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "check"
        for node in body
    )
    return any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in body) and not called


def described(error: BaseException) -> str:
    """`NameError: name 'x' is not defined`, whatever the exception's own code does."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - it is the reply's own class
        text = ""
    lines = text.splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}".rstrip(": ")[:_MOST_WRITTEN]


def close_sockets() -> None:
    """Keep Python code from the network where the kernel does not; code that knows its way around is not kept."""
    import _socket  # noqa: PLC0415 - only where it is needed
    import socket  # noqa: PLC0415 - likewise

    class NoSocket:
        def __init__(self, *_: object, **__: object) -> None:
            raise PermissionError("the code of a reply has no network")

    socket.socket = NoSocket  # type: ignore[misc,assignment]  # that is the point
    _socket.socket = NoSocket  # type: ignore[misc,assignment]  # likewise


if __name__ == "__main__":
    main()
