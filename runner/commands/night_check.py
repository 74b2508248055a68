"""What `prt check` looks at for nights: the baseline's name, the reference's model, and whether sinks can be told."""

import os
from collections.abc import Iterator

from rich.console import Console

from ..nightly.notify import lacking
from ..nightly.sink import Means
from ..prepare import Prepared
from ..problems import quoted
from ..store.baselines import unfit
from ..store.nights import REFERENCE
from .judged import opened_judge
from .night_asking import of_night
from .opening import Allowance, opened_model


def night_notes(prepared: Prepared, told: Console) -> Iterator[str]:
    """Open the reference that nights ask, without a call; and say what a night could not do.

    Args:
        prepared: The config's run.
        told: Where to say what takes long.

    Yields:
        A sentence where no baseline can have the name that nights would give it, which keeps them from running; and one
        for each sink that can't be told, which does not.

    Raises:
        PrtError: The reference lacks something, with what to do about it.
    """
    nightly = prepared.config.nightly
    if nightly.reference_model is not None:
        reference = opened_model(of_night(prepared, REFERENCE, nightly.reference_model), told)
        opened_judge(
            prepared.grader,
            base=prepared.loaded.base,
            told=told,
            allowance=Allowance.of(prepared.config),
            under_test=reference.identity(),
        )
    name = nightly.baseline or prepared.config.name
    if nightly.reference == "stored" and (fault := unfit(name)):
        yield (
            f"`prt night` refuses this config, since a baseline can't be called {quoted(name)}: {fault}; "
            "`nightly.baseline`, or else `name`, names it"
        )
    yield from lacking(nightly.notify, Means(os.environ, prepared.loaded.base))
