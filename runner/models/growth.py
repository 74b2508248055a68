"""How many calls in flight an endpoint bears, found out by trying: pure arithmetic, without time or input.

As in congestion control (Jacobson 1988; Chiu and Jain 1989): the limit doubles while that pays, then grows by one a
round, and is halved once for each episode of refusals. Whether more calls at once pay is seen from the throughput, by
Little's law: calls in flight divided by mean latency. An endpoint that answers twice as many calls in twice the time
gains nothing by it.
"""

FIRST = 8
"""Calls in flight at the beginning."""
STEP = 1.25
"""The limit is compared with one that is smaller by this factor: what lies nearer can't be told from noise."""
LEAST_GAIN = 0.25
"""Of a proportional gain in throughput, the share that a larger limit must bring; 1 where latency stays as it was."""
HELD_ROUNDS = 16
"""After a larger limit brought nothing, or was refused, so many rounds pass before the next try."""


class Growth:
    """A limit that follows what the endpoint does with the calls it is given.

    Attributes:
        limit: Calls in flight now allowed.
        most: It is never above this.
        era: Counts the changes of the limit; what a call says holds for the era in which it began.
    """

    def __init__(self, most: int, *, adapts: bool = True) -> None:
        """Begin low, or at the limit that someone set.

        Args:
            most: The limit is never above this, nor below 1.
            adapts: Whether it changes; else it is `most` for good.
        """
        self.limit = min(FIRST, most) if adapts else most
        self.era = 0
        self._adapts = adapts
        self.most = most
        self._doubles = True
        self._cut_at = 0
        self._held = 0
        self._too_many = 0
        self._reference: tuple[int, float] | None = None
        self._begin_round()

    def answered(self, era: int, latency_s: float) -> None:
        """Note an answer to a call that began while as many as allowed were in flight.

        Args:
            era: When it began.
            latency_s: How long it took.
        """
        if era != self.era or not self._adapts:
            return
        self._answers += 1
        self._latencies_s += latency_s
        if self._answers >= self.limit * (self._held or 1):
            self._end_round()

    def failed(self, era: int) -> None:
        """Note a failure that is no refusal for lack of capacity: in such a round the limit doesn't grow."""
        if era == self.era:
            self._troubled = True

    def refused(self, era: int) -> None:
        """Note a refusal for lack of capacity (status 429); one episode halves the limit once.

        Calls that were in flight when the limit was last halved belong to the episode that halved it.
        """
        if era < self._cut_at or not self._adapts:
            return
        self._doubles = False
        self._held, self._reference = 0, None
        self._too_many = self.limit
        self._change(max(1, self.limit // 2))
        self._cut_at = self.era

    def _end_round(self) -> None:
        speed = self.limit * self._answers / max(self._latencies_s, 1e-9)
        troubled, self._troubled = self._troubled, False
        if troubled:
            self._begin_round()
        elif self._reference is None or self._held:
            self._held, self._reference = 0, (self.limit, speed)
            self._grow()
        else:
            self._compare(*self._reference, speed)

    def _compare(self, smaller: int, its_speed: float, speed: float) -> None:
        """Go on from here, or back to a smaller limit with which the endpoint was about as fast."""
        ratio = self.limit / smaller
        if ratio >= STEP:
            if speed / its_speed - 1 < LEAST_GAIN * (ratio - 1):
                self._doubles, self._held = False, HELD_ROUNDS
                self._change(smaller)
                return
            self._reference = (self.limit, speed)
        self._grow()

    def _grow(self) -> None:
        larger = 2 * self.limit if self._doubles else self.limit + 1
        if larger == self._too_many:
            self._held, self._too_many = HELD_ROUNDS, 0
            self._begin_round()
        else:
            self._change(min(larger, self.most))

    def _change(self, limit: int) -> None:
        self.limit = limit
        self.era += 1
        self._begin_round()

    def _begin_round(self) -> None:
        self._answers = 0
        self._latencies_s = 0.0
        self._troubled = False
