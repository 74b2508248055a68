"""Images that a row names: addresses, `data:` addresses, bytes, or files beside the dataset."""

import re
from pathlib import Path

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_json
from ...perturbations.question import Attachment
from ..problems import RowError, quoted
from .paths import kind_of
from .values import data_url

ADDRESS = re.compile(r"https?://\S+|data:[\w.+/-]+;base64,[A-Za-z0-9+/=]+")
HOLDERS = ("bytes", "url", "image_url", "path")
"""Where an object that stands for an image has its content or address, the best first."""


def read_images(value: Json, folder: Path) -> tuple[Attachment, ...]:
    """Read one image, or a list of images, to stand before the question's text.

    Args:
        value: An address (`https:` or `data:`), the name of a file, or an object that holds one of these.
        folder: What names of files are relative to: the folder that the data lie in.

    Raises:
        RowError: If it is none of these, or there is no such file.
    """
    values = value if isinstance(value, list) else [value]
    parts = [{"type": "image_url", "image_url": {"url": _address(each, folder)}} for each in values]
    return tuple(Attachment(canonical_json(part), before=True) for part in parts)


def _address(value: Json, folder: Path) -> str:
    while isinstance(value, dict):
        value = next((value[key] for key in HOLDERS if value.get(key)), None)
    if not isinstance(value, str):
        raise RowError(f"an image is {kind_of(value)}, where an address, a file's name or its bytes are needed")
    if ADDRESS.fullmatch(value):
        return value
    try:
        return data_url((folder / value).read_bytes())
    except (OSError, ValueError):
        raise RowError(f"there is no image file {quoted(value)} beside the dataset") from None
