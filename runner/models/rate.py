"""Calls or tokens a minute, kept exactly: what may begin is spread over time, not let through in bursts."""

from collections import deque

MINUTE_S = 60.0


class Start:
    """When something begins, and what it weighs (one call, or so many tokens)."""

    __slots__ = ("at_s", "weight")

    def __init__(self, at_s: float, weight: float) -> None:
        self.at_s = at_s
        self.weight = weight


class Rate:
    """Gives out starts so that those of any 60 seconds weigh no more than allowed together.

    Each follows the one before after the time that the latter's weight takes at the allowed rate, since endpoints
    count in shorter periods than a minute, too. What weighs more than a minute allows begins after a minute without
    any other.
    """

    def __init__(self, per_minute: float) -> None:
        self._per_minute = per_minute
        self._starts: deque[Start] = deque()
        self._weight = 0.0
        self._next_s = 0.0
        self._last_s = 0.0

    def reserve(self, now_s: float, weight: float) -> Start:
        """Take the next start that is free, now or later.

        Args:
            now_s: The time.
            weight: What will begin.
        """
        at_s = max(now_s, self._next_s, self._last_s)
        self._forget(at_s)
        while self._starts and self._weight + weight > self._per_minute:
            at_s = max(at_s, self._starts[0].at_s + MINUTE_S)
            self._drop()
        start = Start(at_s, weight)
        self._starts.append(start)
        self._weight += weight
        self._last_s = at_s
        self._next_s = at_s + self._lasts_s(weight)
        return start

    def correct(self, start: Start, weight: float) -> None:
        """Set what a start weighs in truth, once that is known."""
        change = weight - start.weight
        start.weight = weight
        if self._starts and start.at_s >= self._starts[0].at_s:
            self._weight += change
        self._next_s += self._lasts_s(change)

    def _lasts_s(self, weight: float) -> float:
        return weight * MINUTE_S / self._per_minute

    def _forget(self, now_s: float) -> None:
        while self._starts and self._starts[0].at_s + MINUTE_S <= now_s:
            self._drop()

    def _drop(self) -> None:
        self._weight -= self._starts.popleft().weight
        if not self._starts:
            self._weight = 0.0
