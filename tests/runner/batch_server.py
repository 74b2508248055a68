"""A loopback implementation of OpenAI's Batch API, with all that can go wrong with a batch.

    with BatchServer() as server:
        ...                          # an OpenAI-compatible endpoint at server.base_url

A batch goes one step further each time it is looked at: validating, in_progress, finalizing, completed. `plans` says
how the next batches end instead, in the order in which they are begun; the last plan repeats. Completions asked for one
by one are refused, so that a test which expects batches sees nothing else.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Any, Self

from pydantic import JsonValue as Json

from .fault_server import Behaviour, Call, FaultServer, fails, sends, sends_json

STEPS = ("validating", "in_progress", "finalizing")
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a batch ends.

    Attributes:
        status: Its last status.
        steps: The statuses before that, one a look.
        answer: What a request comes to: a line of the answers, or of the errors where it has an `error` or another
            status than 200; None for no line at all.
        errors: Why its file is refused.
        rewrite: Changes the text of the file of answers.
    """

    status: str = "completed"
    steps: Sequence[str] = STEPS
    answer: Callable[[Line], Line | None] | None = None
    errors: Sequence[dict[str, Json]] = ()
    rewrite: Callable[[str], str] = str


@dataclass(slots=True)
class Made:
    """A batch at the server."""

    id: str
    input_file: str
    metadata: dict[str, str]
    plan: Plan
    window: str
    looks: int = 0
    cancelled: bool = False
    files: tuple[str | None, str | None] = (None, None)


@dataclass(slots=True)
class BatchServer:
    """The server; a context manager.

    Attributes:
        plans: How batches end, in the order in which they are begun.
        before: Behaves instead of the server where it gives something, by the call.
        files: Every file, by its id: name and content.
        batches: Every batch, by its id.
    """

    plans: Sequence[Plan] = (Plan(),)
    before: Callable[[Call], Behaviour | None] = lambda _: None
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    batches: dict[str, Made] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _server: FaultServer = field(init=False)

    def __post_init__(self) -> None:
        self._server = FaultServer(by=self._behaviour)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.__exit__(kind, error, trace)

    @property
    def base_url(self) -> str:
        return self._server.base_url

    @property
    def calls(self) -> list[tuple[str, str]]:
        """Every call so far: method and path below `/v1`."""
        return [(call.method, call.path.removeprefix("/v1")) for call in self._server.calls]

    def count(self, method: str, path: str) -> int:
        """How many calls there were to exactly this path."""
        return self.calls.count((method, path))

    @property
    def headers(self) -> list[dict[str, str]]:
        return [dict(call.headers) for call in self._server.calls]

    def requests(self) -> list[list[Line]]:
        """The requests of each batch, in the order of the batches."""
        return [self.lines(batch.input_file) for batch in self.batches.values()]

    def asked(self) -> list[str]:
        """Every `custom_id` that was ever asked, in all batches that were not refused."""
        taken = [batch for batch in self.batches.values() if batch.plan.status != "failed"]
        return [line["custom_id"] for batch in taken for line in self.lines(batch.input_file)]

    def lines(self, file_id: str) -> list[Line]:
        return [json.loads(line) for line in self.files[file_id][1].splitlines()]

    def _behaviour(self, call: Call) -> Behaviour:
        if (instead := self.before(call)) is not None:
            return instead
        parts = call.path.removeprefix("/v1/").split("/")
        known: dict[tuple[str, ...], Callable[[], Behaviour]] = {
            ("POST", "files"): lambda: self._take_file(call),
            ("GET", "files"): lambda: sends_json(self._page([self._file(each) for each in reversed(self.files)])),
            ("POST", "batches"): lambda: self.begin(call.json),
            ("GET", "batches"): lambda: sends_json(
                self._page([self._state(each) for each in reversed(self.batches.values())])
            ),
            ("GET", "files", "*", "content"): lambda: sends(self.files[parts[1]][1], content_type="application/jsonl"),
            ("GET", "batches", "*"): lambda: self._look(parts[1]),
            ("POST", "batches", "*", "cancel"): lambda: self._cancel(parts[1]),
        }
        what = (call.method, *(part if at != 1 else "*" for at, part in enumerate(parts)))
        if what not in known:
            return fails(500, message=f"this server makes batches only, and was asked {call.method} {call.path}")
        return known[what]()

    def _cancel(self, batch_id: str) -> Behaviour:
        self.batches[batch_id].cancelled = True
        return sends_json(self._state(self.batches[batch_id]))

    def _take_file(self, call: Call) -> Behaviour:
        boundary = call.headers["Content-Type"].partition("boundary=")[2].encode()
        parts = dict[str, tuple[str, bytes]]()
        for part in call.body.split(b"--" + boundary)[1:-1]:
            head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
            name = head.partition(b'name="')[2].partition(b'"')[0].decode()
            file = head.partition(b'filename="')[2].partition(b'"')[0].decode()
            parts[name] = (file, content)
        assert parts["purpose"][1] == b"batch"
        name, content = parts["file"]
        file_id = f"file-{next(self._numbers)}"
        self.files[file_id] = (name, content.decode())
        return sends_json(self._file(file_id))

    def _file(self, file_id: str) -> dict[str, Json]:
        name, content = self.files[file_id]
        return {
            "id": file_id,
            "object": "file",
            "bytes": len(content),
            "created_at": 2_000_000_000,
            "filename": name,
            "purpose": "batch",
            "status": "processed",
        }

    @staticmethod
    def _page(data: list[dict[str, Json]]) -> dict[str, Json]:
        return {"object": "list", "data": list(data), "has_more": False}

    def begin(self, asked: dict[str, Any]) -> Behaviour:
        """Begin a batch, as a call asks."""
        assert asked["endpoint"] == "/v1/chat/completions"
        plan = self.plans[min(len(self.batches), len(self.plans) - 1)]
        made = Made(
            f"batch_{next(self._numbers)}", asked["input_file_id"], asked["metadata"], plan, asked["completion_window"]
        )
        self.batches[made.id] = made
        return sends_json(self._state(made))

    def _look(self, batch_id: str) -> Behaviour:
        made = self.batches.get(batch_id)
        if made is None:
            return fails(404, message=f"No batch found with id '{batch_id}'.")
        made.looks += 1
        if self._status(made) in {"completed", "expired", "cancelled"} and made.files == (None, None):
            made.files = self._written(made)
        return sends_json(self._state(made))

    @staticmethod
    def _status(made: Made) -> str:
        if made.cancelled:
            return "cancelled"
        return made.plan.steps[made.looks] if made.looks < len(made.plan.steps) else made.plan.status

    def _state(self, made: Made) -> dict[str, Json]:
        status, total = self._status(made), len(self.lines(made.input_file))
        out, errors = ([] if each is None else self.files[each][1].splitlines() for each in made.files)
        problems: Json = {"object": "list", "data": list(made.plan.errors)} if status == "failed" else None
        return {
            "id": made.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "errors": problems,
            "input_file_id": made.input_file,
            "completion_window": made.window,
            "status": status,
            "output_file_id": made.files[0],
            "error_file_id": made.files[1],
            "created_at": 2_000_000_000,
            "request_counts": {"total": total, "completed": len(out), "failed": len(errors)},
            "metadata": dict(made.metadata),
        }

    def _written(self, made: Made) -> tuple[str | None, str | None]:
        """Answer the requests of a batch, the last one first, into its two files."""
        answers, errors = list[str](), list[str]()
        answer = made.plan.answer or answers_by_text
        for request in reversed(self.lines(made.input_file)):
            line = answer(request)
            if line is not None:
                bad = line.get("error") or line["response"]["status_code"] != 200
                (errors if bad else answers).append(json.dumps(line) + "\n")
        return self._kept(made.plan.rewrite("".join(answers))), self._kept("".join(errors))

    def _kept(self, content: str) -> str | None:
        if not content:
            return None
        file_id = f"file-{next(self._numbers)}"
        self.files[file_id] = (f"{file_id}.jsonl", content)
        return file_id


def prompt_of(request: Line) -> str:
    """The text of the last message of a request."""
    return str(request["body"]["messages"][-1]["content"])


def answered(request: Line, text: str, **rest: Json) -> Line:
    """The line of an answer."""
    body: dict[str, Json] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "served-model-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        **rest,
    }
    return {
        "id": "batch_req_1",
        "custom_id": request["custom_id"],
        "response": {"status_code": 200, "request_id": "req-1", "body": body},
        "error": None,
    }


def answers_by_text(request: Line) -> Line:
    """The number in a question of `make_world` under the baseline, `?` under a variant."""
    number = re.search(r"What is (\d+)\? \(baseline\)", prompt_of(request))
    return answered(request, number[1] if number else "?")


def refused(request: Line, status: int, message: str, code: str | None = None) -> Line:
    """The line of a request that failed with a status."""
    error = {"message": message, "type": code or "error", "param": None, "code": code}
    response = {"status_code": status, "request_id": "req-1", "body": {"error": error}}
    return {"id": "batch_req_1", "custom_id": request["custom_id"], "response": response, "error": None}


def not_reached(request: Line, code: str = "batch_expired") -> Line:
    """The line of a request that the batch did not get to."""
    error = {"code": code, "message": "This request could not be executed before the completion window expired."}
    return {"id": "batch_req_1", "custom_id": request["custom_id"], "response": None, "error": error}
