"""Opening the model of a config, as far as that goes without a call."""

import os

from rich.console import Console
from rich.text import Text

from ..models.base import Model, open_model
from ..prepare import Prepared


def opened_model(prepared: Prepared, told: Console) -> Model:
    """Make the model of a config; nothing is called, started or fetched.

    Args:
        prepared: The config and what belongs to it.
        told: Where to say, while the model is used, what takes long.

    Raises:
        PrtError: Something that it needs is missing, with what to do about it.
    """
    return open_model(
        prepared.config.model, base=prepared.loaded.base, env=os.environ, progress=lambda line: told.print(Text(line))
    )
