"""A real SMTP server on loopback that takes mails, and fails by a script.

with SmtpServer(certificate=CERTIFICATE) as server:
...                      # a mail server at 127.0.0.1:server.port
assert "Subject: …" in server.mails[0].text
"""

import asyncio
import base64
import ssl
from dataclasses import dataclass, field
from pathlib import Path

from ..threaded_server import ThreadedServer, tls_context

HANG = "hang"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as it arrived, and how: over TLS or not, after whose login."""

    sender: str
    to: tuple[str, ...]
    text: str
    encrypted: bool
    login: str


@dataclass(slots=True)
class _Session:
    encrypted: bool = False
    login: str = ""
    sender: str = ""
    to: list[str] = field(default_factory=list)


class SmtpServer(ThreadedServer):
    """The server; a context manager.

    Attributes:
        mails: Every mail that was taken.
        connections: How many connections were made.
    """

    def __init__(
        self,
        *,
        certificate: Path | None = None,
        tls_at_once: bool = False,
        replies: dict[str, list[str]] | None = None,
    ) -> None:
        """Get ready; it starts when entered.

        Args:
            certificate: A certificate with its key; STARTTLS is offered with one.
            tls_at_once: Whether connections are encrypted from their first byte.
            replies: What is answered to a verb (`MAIL`, `RCPT`, `AUTH`, `DATA`, `.`, `CONNECT`) instead of what is
                right, in the order of its uses; `hang` answers nothing more. After the last one all is right.
        """
        super().__init__("mail server")
        self.mails: list[Mail] = []
        self.connections = 0
        self.port = 0
        self._context = tls_context(certificate)
        self._tls_at_once = tls_at_once
        self._replies = {verb: [*each] for verb, each in (replies or {}).items()}

    async def _serve(self) -> None:
        tasks: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                await self._talk(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                pass
            finally:
                tasks.discard(task)
                await _closed(writer)

        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=self._context if self._tls_at_once else None)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        session = _Session(encrypted=self._tls_at_once)
        await self._say(writer, "CONNECT", "220 loopback ready")
        while line := (await reader.readline()).decode().rstrip("\r\n"):
            verb = line.partition(" ")[0].upper()
            if verb == "QUIT":
                await self._say(writer, verb, "221 bye")
                return
            if verb == "STARTTLS" and self._context is not None:
                await self._say(writer, verb, "220 go ahead")
                await writer.start_tls(self._context)
                session = _Session(encrypted=True)
            elif verb == "EHLO":
                await self._say(writer, verb, self._greeting(session))
            elif verb == "AUTH":
                session.login = base64.b64decode(line.split(" ")[2]).decode().replace("\0", "/")
                await self._say(writer, verb, "235 welcome")
            elif verb == "DATA":
                await self._data(reader, writer, session)
            else:
                await self._envelope(writer, verb, line, session)

    async def _envelope(self, writer: asyncio.StreamWriter, verb: str, line: str, session: _Session) -> None:
        address = line.partition("<")[2].partition(">")[0]
        answered = await self._say(writer, verb, "250 ok")
        if verb == "MAIL":
            session.sender = address
        elif verb == "RCPT" and answered.startswith("250"):
            session.to.append(address)

    async def _data(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, session: _Session) -> None:
        if not (await self._say(writer, "DATA", "354 end with a dot")).startswith("354"):
            return
        lines = []
        while (line := (await reader.readline()).decode()) != ".\r\n":
            lines.append(line)
        if (await self._say(writer, ".", "250 taken")).startswith("250"):
            text = "".join(lines)
            self.mails.append(Mail(session.sender, tuple(session.to), text, session.encrypted, session.login))

    def _greeting(self, session: _Session) -> str:
        offers = ["STARTTLS"] if self._context is not None and not session.encrypted else []
        return "\r\n".join([*(f"250-{each}" for each in ("loopback", *offers)), "250 AUTH PLAIN"])

    async def _say(self, writer: asyncio.StreamWriter, verb: str, right: str) -> str:
        scripted = self._replies.get(verb)
        said = scripted.pop(0) if scripted else right
        if said == HANG:
            await asyncio.sleep(3600)
        writer.write(f"{said}\r\n".encode())
        await writer.drain()
        return said


async def _closed(writer: asyncio.StreamWriter) -> None:
    """Close a connection, at once where the other side does not take its leave."""
    writer.close()
    try:
        async with asyncio.timeout(1):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        writer.transport.abort()
        await asyncio.sleep(0)
