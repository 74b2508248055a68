"""Keys met: none is forgotten, few are taken for met that are not."""

import hashlib

from prt.runner.engine.met import KeysMet


def keys(count: int, kind: str = "") -> list[str]:
    return [hashlib.sha256(f"{kind}{number}".encode()).hexdigest() for number in range(count)]


def test_a_key_that_was_met_is_never_taken_for_new() -> None:
    met = KeysMet()
    every = keys(20_000)
    for key in every:
        met.meet(key)
    assert all(met.meet(key) for key in every)


def test_few_new_keys_are_taken_for_met() -> None:
    met = KeysMet()
    assert sum(met.meet(key) for key in keys(20_000)) < 20
