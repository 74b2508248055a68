"""Where chance comes from: each draw has a generator of its own, seeded by what it is for and by nothing else.

The seed is the SHA-256 of the canonical JSON `["prt.draw", [seed, generator, version, parameters, item id, number]]`.
It depends neither on other items nor on their order, so filtering or sorting a dataset changes no variant.
"""

import random

from .canonical import canonical_hash


def rng_for(*, seed: int, generator: str, version: int, parameters: str, item_id: str, number: int) -> random.Random:
    """Make the random generator of one draw.

    Args:
        seed: The run's seed.
        generator: Name of the generator.
        version: Its version; a new one draws anew.
        parameters: Its resolved parameters as canonical JSON.
        item_id: The item; any text, lone surrogates included.
        number: The variant number, counted from 1 within the generator as listed.

    Returns:
        A generator that no other draw shares.
    """
    digest = canonical_hash("prt.draw", [seed, generator, version, parameters, item_id, number])
    return random.Random(int.from_bytes(digest))  # noqa: S311 - reproducible draws, not secrets
