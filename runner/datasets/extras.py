"""Libraries that only some files need: imported when such a file comes, or named with what installs them."""

import importlib
from typing import Any

from ..errors import DatasetError, Problem


def needed(module: str, extra: str, name: str, what: str) -> Any:
    """Import a library.

    Args:
        module: The module.
        extra: The extra of this project that brings it.
        name: The file that needs it, for the message.
        what: What that file is: `a Parquet file`.

    Raises:
        DatasetError: If it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        text = f"is {what}; to read it, pip install 'prompt-robustness[{extra}]'"
        raise DatasetError(Problem(text, path=name)) from None
