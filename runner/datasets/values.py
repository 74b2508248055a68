"""Values of typed files (Parquet, Excel, YAML) as the JSON that rows hold."""

import base64
import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from pydantic import JsonValue as Json

IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
    (b"BM", "image/bmp"),
)


def json_value(value: object) -> Json:
    """Give a value as JSON.

    A date or time is its ISO text, a decimal its digits, a duration its hours and minutes. NaN and infinity are
    missing; bytes are a `data:` address.

    Raises:
        ValueError: For a value that JSON has nothing like.
    """
    if isinstance(value, Mapping):
        return {str(key): json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(inner) for inner in value]
    return _scalar(value)


def _scalar(value: object) -> Json:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return data_url(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID | timedelta):
        return str(value)
    raise ValueError(f"a value of the kind {type(value).__name__}, which has no form in JSON")


def data_url(content: bytes) -> str:
    """Bytes as a `data:` address, an image's with its kind."""
    kind = next((kind for magic, kind in IMAGES if content.startswith(magic)), "application/octet-stream")
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
