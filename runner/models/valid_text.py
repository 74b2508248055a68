"""Text that every file and database can take."""

from dataclasses import replace

from ..records import Reply


def valid_text(text: str) -> str:
    """The text with each half of a surrogate pair, which no encoding can hold, replaced by U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def valid_reply(reply: Reply) -> Reply:
    """The reply with valid text in it."""
    texts = (reply.text, reply.finish_reason, reply.refusal, reply.reasoning, reply.model, reply.fingerprint)
    if reply.error is None and all(map(str.isascii, texts)):
        return reply
    return replace(
        reply,
        text=valid_text(reply.text),
        finish_reason=valid_text(reply.finish_reason),
        refusal=valid_text(reply.refusal),
        reasoning=valid_text(reply.reasoning),
        model=valid_text(reply.model),
        fingerprint=valid_text(reply.fingerprint),
        error=reply.error and replace(reply.error, message=valid_text(reply.error.message)),
    )
