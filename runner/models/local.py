"""A GGUF model on this machine, by llama.cpp in a child process; the embedded one where the config names none."""

import asyncio
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from platformdirs import user_cache_path
from pydantic import JsonValue as Json

from ..config.embedded import EMBEDDED
from ..config.schema import LocalModel
from ..errors import FatalReplyError, ModelError
from ..records import Reply, Request
from .base import Surroundings, provider
from .chat import ChatClient, weight
from .cores import threads_for_a_model
from .failure import FailedAttempt
from .gguf import check_gguf, gguf_sha256
from .local_fetch import locate
from .local_process import LlamaProcess
from .openai import refuse_several_answers
from .redaction import public_params
from .retry import Retrier
from .status import Endpoint

ONE_SLOT = 1
CRASH_TIMEOUT_S = 1.0
NAME = "local"
ADVICE: Mapping[str, str] = {"exceed_context_size_error": "Raise model.context"}
INSTALL = "`pip install xllamacpp` (the extra `local` of prt)"


class LocalLlama:
    """A model in a child process, which is started again where it crashed."""

    def __init__(self, config: LocalModel, path: Path | None, *, cache: Path, around: Surroundings) -> None:
        self.name = path.stem if path else EMBEDDED.name
        self._config = config
        self._path = path
        self._sha256 = gguf_sha256(path, cache) if path else EMBEDDED.sha256
        self._cache = cache
        self._progress = around.progress
        self._pace = around.pace
        self._throttle = around.limits.throttle(f"local {self._sha256}", own=ONE_SLOT)
        self.concurrency = self._throttle.most
        self._retrier = Retrier(config, around.pace, self._throttle)
        self._one_start = asyncio.Lock()
        self._child: Child | None = None

    def identity(self) -> dict[str, Json]:
        """File, engine, context and parameters; not the threads, since the child is set up not to depend on them."""
        return {
            "provider": "local",
            "engine": f"xllamacpp {version('xllamacpp')}",
            "sha256": self._sha256,
            "context": self._config.context,
            "params": public_params(self._config.params),
        }

    async def __aenter__(self) -> Self:
        """Fetch the embedded model where it is missing, and load the model.

        Raises:
            ModelError: The model can't be fetched or loaded.
        """
        await self._running()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child."""
        if self._child is not None:
            await self._child.close()

    async def ask(self, request: Request) -> Reply:
        """Ask the child, as `Model.ask` says."""
        params = {**self._config.params, **request.params}
        return await self._retrier.ask(lambda: self._attempt(request, params), lambda: weight(request.messages, params))

    async def _attempt(self, request: Request, params: Mapping[str, Json]) -> Reply:
        try:
            child = await self._running()
        except ModelError as error:
            raise FatalReplyError(str(error)) from None
        try:
            return await child.client.complete(NAME, request.messages, params)
        except FailedAttempt as failure:
            raise await child.explained(failure) from None

    async def _running(self) -> "Child":
        """The child; a new one where there is none, or it has crashed."""
        async with self._one_start:
            if self._child is not None and self._child.process.running:
                return self._child
            if self._child is not None:
                await self._child.close()
            self._child = await self._start()
            return self._child

    async def _start(self) -> "Child":
        if self._path is None:
            self._path = await locate(EMBEDDED, self._cache, self._progress)
        self._progress(f"Loading {self.name}")
        threads = self._config.threads or threads_for_a_model()
        process = await LlamaProcess.start(self._path, threads=threads, context=self._config.context)
        endpoint = Endpoint("the local model", key="model", advice=ADVICE)
        headers = {"Authorization": f"Bearer {process.key}"}
        url = f"{process.url}/chat/completions"
        client = ChatClient(url, endpoint, self._throttle, self._pace, headers=headers)
        client.open()
        return Child(process, client)


@dataclass(frozen=True, slots=True)
class Child:
    """A running child and the client that talks to it."""

    process: LlamaProcess
    client: ChatClient

    async def explained(self, failure: FailedAttempt) -> FailedAttempt:
        """Say that the child crashed, where that is why a call failed."""
        if failure.error.kind != "connection" or not await self.process.ends_within(CRASH_TIMEOUT_S):
            return failure
        process = self.process
        message = f"the process of the local model ended ({process.exit_reason()}): {process.last_words()}"
        return FailedAttempt("server", message, again=True)

    async def close(self) -> None:
        """Close the connections and end the process."""
        await self.client.close()
        await self.process.close()


@provider(LocalModel)
def open_local(config: LocalModel, surroundings: Surroundings) -> LocalLlama:
    """Check that llama.cpp is installed and the file is a model.

    Raises:
        ModelError: It isn't.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(f"a local model needs llama.cpp, which is not installed: {INSTALL}.")
    refuse_several_answers(config.params)
    path = None
    if config.path is not None:
        path = surroundings.base / Path(config.path).expanduser()
        check_gguf(path, config.path)
    cache = user_cache_path("prt", appauthor=False)
    return LocalLlama(config, path, cache=cache, around=surroundings)
