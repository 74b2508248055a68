"""Telling by mail: one message over SMTP."""

import smtplib
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from functools import partial

from ..config.nightly import EmailSink
from ..masking import keep_secrets
from ..models.redaction import Redactor
from ..models.status import one_line
from ..threads import in_thread
from .message import Message
from .sink import Means, SinkError

PASSING = 500
"""SMTP replies below this, from 400 on, may go by."""


async def tell_by_mail(sink: EmailSink, message: Message, means: Means) -> None:
    """Make one attempt, in a thread that nobody waits for once its time is over.

    Args:
        sink: The mail.
        message: What to tell.
        means: What it works with.

    Raises:
        SinkError: It was not sent.
    """
    password = means.secret(sink.password_env) if sink.password_env else ""
    keep_secrets([password] if password else [])
    mail = mail_of(sink, message, now=datetime.fromtimestamp(means.pace.now(), UTC))
    redact = Redactor([password] if password else [])
    try:
        refused = await in_thread(partial(_send, sink, mail, password, means))
    except smtplib.SMTPNotSupportedError as error:
        raise SinkError(f"{_server(sink)}: {redact(one_line(str(error)))}") from None
    except smtplib.SMTPRecipientsRefused as error:
        raise SinkError(_refused(sink, error.recipients), again=_passing(error.recipients)) from None
    except smtplib.SMTPAuthenticationError as error:
        raise SinkError(f"{_server(sink)} does not accept the login of {sink.user} ({error.smtp_code})") from None
    except smtplib.SMTPResponseException as error:
        said = one_line(redact(_text(error.smtp_error)))
        again = not 500 <= error.smtp_code < 600
        raise SinkError(f"{_server(sink)} answered {error.smtp_code}: {said}", again=again) from None
    except ssl.SSLCertVerificationError as error:
        said = f"its TLS certificate is not accepted: {error.verify_message}"
        raise SinkError(f"{_server(sink)}: {said}; set SSL_CERT_FILE to the authority that signed it") from None
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        said = one_line(redact(str(error)) or type(error).__name__)
        raise SinkError(f"no connection to {_server(sink)}, or it broke off ({said})", again=True) from None
    if refused:
        raise SinkError(_refused(sink, refused))


def mail_of(sink: EmailSink, message: Message, *, now: datetime) -> EmailMessage:
    """The mail: plain text, and the page beside it where there is one."""
    mail = EmailMessage()
    mail["Subject"] = " ".join(message.subject.split())
    mail["From"] = sink.sender
    mail["To"] = ", ".join(sink.to)
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = make_msgid(domain=sink.sender.rpartition("@")[2].strip("> ") or "localhost")
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(message.text)
    if message.page:
        mail.add_alternative(message.page, subtype="html")
    return mail


def _send(sink: EmailSink, mail: EmailMessage, password: str, means: Means) -> dict[str, tuple[int, bytes]]:
    """Hand the mail over; what is returned are the addresses that were refused while others were not."""
    if sink.security == "tls":
        server = means.smtp_tls(sink.host, sink.served_at, timeout=sink.timeout_s, context=means.tls())
    else:
        server = means.smtp(sink.host, sink.served_at, timeout=sink.timeout_s)
    with server:
        if sink.security == "starttls":
            server.starttls(context=means.tls())
        if sink.user is not None:
            server.login(sink.user, password)
        return server.send_message(mail)


def _server(sink: EmailSink) -> str:
    return f"{sink.host}:{sink.served_at}"


def _refused(sink: EmailSink, refused: dict[str, tuple[int, bytes]]) -> str:
    each = ", ".join(f"{address} ({code} {one_line(_text(said))})" for address, (code, said) in refused.items())
    return f"{_server(sink)} refuses {each}"


def _passing(refused: dict[str, tuple[int, bytes]]) -> bool:
    return all(400 <= code < PASSING for code, _ in refused.values())


def _text(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said
