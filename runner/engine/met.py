"""Which keys a pass has met: a filter of fixed size, so that a fresh run need not ask the store about each cell."""

EXPONENT = 23
"""Of its 2²³ bits, a mebibyte: of a million keys some three in a hundred are looked up in the store for nothing."""
DIGITS = 18
"""Hexadecimal digits of a key that choose its bits."""


class KeysMet:
    """A Bloom filter: it never takes a key for new that it has met."""

    def __init__(self) -> None:
        """Begin with none met."""
        self._bits = bytearray(1 << (EXPONENT - 3))

    def meet(self, key: str) -> bool:
        """Note a key.

        Args:
            key: A hash, in 18 or more hexadecimal digits.

        Returns:
            Whether it may have been met before; False where it has not been.
        """
        bits, met, chosen = self._bits, True, int(key[:DIGITS], 16)
        for _ in range(3):
            place, mask = (chosen >> 3) & ((1 << (EXPONENT - 3)) - 1), 1 << (chosen & 7)
            if not bits[place] & mask:
                bits[place] |= mask
                met = False
            chosen >>= EXPONENT
        return met
