"""A reply's code runs in a process of its own, with limits, and can't reach beyond it."""

import os
import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
from prt.runner.graders import sandbox
from prt.runner.graders.sandbox import PROTECTIONS, Job, Protection, SandboxError, protections, run_job

BARE = Job(("pass",), fenced=True, stub="", entry_point="", tests=("pass",), time_limit_s=5.0, memory_limit_mb=512)
HELD: frozenset[Protection] = protections() if os.name == "posix" else frozenset()


def needs(name: Protection) -> pytest.MarkDecorator:
    return pytest.mark.skipif(name not in HELD, reason=f"this machine can't keep code from {PROTECTIONS[name]}")


def kind(code: str, *, tests: tuple[str, ...] = ("pass",), limit_s: float = 5.0) -> str:
    return run_job(replace(BARE, blocks=(code,), tests=tests, time_limit_s=limit_s)).kind


def test_code_that_runs_through_its_tests_passes_and_other_code_says_what_it_raised() -> None:
    assert kind("x = 1", tests=("assert x == 1",)) == "passed"
    ran = run_job(replace(BARE, blocks=("x = 1",), tests=("assert x == 2, 'not two'",)))
    assert (ran.kind, ran.error) == ("AssertionError", "AssertionError: not two")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise KeyError('x')", "KeyError"),
        ("def f(): return f()\nf()", "RecursionError"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import os; os._exit(0)", "ended"),
        ("import os; os.abort()", "ended"),
        ("import ctypes; ctypes.string_at(0)", "ended"),
        ("input()", "EOFError"),
        ("if x:", "SyntaxError"),
        ("x = 1\0", "SyntaxError"),
        ("(" * 5000, "SyntaxError"),
        ("class E(Exception):\n    def __str__(self): raise SystemExit\nraise E", "E"),
        ("import threading; threading.Thread(target=lambda: input()).start()", "passed"),
        ("import atexit, time; atexit.register(time.sleep, 60)", "passed"),
        ("import asyncio\nasync def f(): await asyncio.sleep(0)\nasyncio.run(f())", "passed"),
        ("if __name__ == '__main__': raise SystemExit", "passed"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: 'int'\nassert P(1).x == 1", "passed"),
        ("print('x' * 10_000_000)", "passed"),
    ],
)
def test_whatever_code_does_its_end_is_told(code: str, expected: str) -> None:
    assert kind(code) == expected


def test_the_time_limit_ends_loops_and_sleep() -> None:
    began = time.monotonic()
    assert kind("while True: pass", limit_s=0.5) == "time limit"
    assert kind("import time; time.sleep(60)", limit_s=0.5) == "time limit"
    assert kind("while True: print('x' * 100_000)", limit_s=0.5) == "time limit"
    assert time.monotonic() - began < 30


def test_code_that_puts_the_alarm_off_is_killed_a_little_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_START_S", 1.0)
    code = "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(60)"
    ran = run_job(replace(BARE, blocks=(code,), time_limit_s=1.0))
    assert (ran.kind, ran.error) == ("time limit", "it took longer than 1 s")


@needs("memory")
@pytest.mark.parametrize("code", ["x = bytearray(10**10)", "x = []\nwhile True: x.append('a' * 10**7)"])
def test_the_memory_limit_holds(code: str) -> None:
    assert kind(code) == "MemoryError"


@needs("processes")
@pytest.mark.parametrize(
    "code",
    [
        "import os\nwhile True: os.fork()",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; assert os.system('true') == 0",
        "import multiprocessing\nmultiprocessing.get_context('fork').Process(target=print).start()",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import os, signal; os.kill(os.getppid(), signal.SIGTERM)",
        "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
        "import os; os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    ],
)
def test_no_process_is_started_or_disturbed(code: str) -> None:
    assert kind(code) in {"PermissionError", "AssertionError"}
    assert kind("import threading\nt = threading.Thread(target=print)\nt.start(); t.join()") == "passed"


@needs("files")
@pytest.mark.parametrize(
    "change",
    [
        "open(path, 'w')",
        "open(path, 'a')",
        "open(path, 'r+')",
        "os.remove(path)",
        "os.rename(path, path + '.other')",
        "os.truncate(path, 0)",
        "os.chmod(path, 0o777)",
        "os.utime(path, (0, 0))",
        "os.link(path, path + '.link')",
        "os.symlink('/', path + '.link')",
        "os.mkdir(path + '.folder')",
        "os.rmdir(os.path.dirname(path))",
        "os.symlink(path, 'here'); open('here', 'w')",
        "os.link(path, 'here'); open('here', 'w')",
        "os.mknod(path + '.node')",
        "os.setxattr(path, 'user.x', b'1')",
    ],
)
def test_no_file_is_changed_outside_of_the_temporary_folder(tmp_path: Path, change: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("kept", encoding="utf-8")
    before = path.stat()
    assert kind(f"import os\npath = {str(path)!r}\n{change}") in {"PermissionError", "OSError"}
    after = path.stat()
    assert path.read_text(encoding="utf-8") == "kept"
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_files_in_the_temporary_folder_are_free_and_are_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code = (
        "import os\nos.mkdir('a'); open('a/b', 'w').write('x'); os.rename('a/b', 'c'); assert open('c').read() == 'x'"
    )
    assert kind(code) == "passed"
    assert list(tmp_path.iterdir()) == []


def test_a_file_has_a_largest_size() -> None:
    assert kind("open('big', 'wb').write(b'x' * (1 << 25))") == "OSError"


@needs("network")
def test_nothing_reaches_the_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        server.settimeout(0.2)
        for code in (
            f"import socket; socket.create_connection(('127.0.0.1', {port}))",
            f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{port}')",
            f"import ctypes\nassert ctypes.CDLL(None, use_errno=True).socket(2, 1, 0) >= 0, {port}",
        ):
            assert kind(code) in {"PermissionError", "URLError", "AssertionError"}
        with pytest.raises(TimeoutError):
            server.accept()


def test_where_the_kernel_does_not_python_s_own_sockets_are_closed() -> None:
    code = Path(sandbox.__file__).with_name("sandbox_child.py").read_text(encoding="utf-8")
    trial = f"import sys\nsys.argv = ['x', '0']\n{code.split('if __name__')[0]}\nclose_sockets()\nimport socket\n"
    ran = run_job(replace(BARE, blocks=(f"{trial}socket.create_connection(('127.0.0.1', 9))",)))
    assert (ran.kind, ran.error) == ("PermissionError", "PermissionError: the code of a reply has no network")


def test_keys_and_paths_of_ours_are_not_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    tests = (
        "import os, sys",
        "assert not {'OPENAI_API_KEY', 'PYTHONPATH'} & set(os.environ)",
        "assert '/nowhere' not in sys.path",
    )
    assert kind("x = 1", tests=tests) == "passed"


@needs("files")
def test_the_environment_of_prt_can_not_be_read_from_outside() -> None:
    assert kind("import os; open(f'/proc/{os.getppid()}/environ').read()") == "PermissionError"


def test_the_same_code_does_the_same_each_time() -> None:
    code = "import random\nx = [random.random(), *{'a', 'b', 'c', 'd'}]\nraise ValueError(x)"
    first, second = (run_job(replace(BARE, blocks=(f"{code}  # {number}",))).error for number in range(2))
    assert first == second


def test_what_the_code_writes_into_the_pipe_is_no_verdict() -> None:
    line = b'{"error": ""}\n'
    code = f"""
import os
for pipe in range(3, 40):
    try:
        os.write(pipe, {line!r})
    except OSError:
        pass
os._exit(0)
"""
    assert kind(code) == "ended"


def test_a_process_that_can_not_be_started_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(SandboxError, match="could not be started: No such file"):
        run_job(replace(BARE, blocks=("x = 'not started'",)))


def test_a_process_that_ends_before_it_runs_the_code_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SandboxError, match=r"ended before it ran it \(exit code 1\)"):
        run_job(replace(BARE, blocks=("x = 'false'",)))
