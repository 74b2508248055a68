"""When nights are due: a time of day, on some days of the week, in a time zone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import UsageError
from ..suggest import did_you_mean, shown

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EVERY_DAY = tuple(range(len(DAYS)))
NAMES = {name: number for number, day in enumerate(DAYS) for name in (day, FULL[number])}
_AT = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")


@dataclass(frozen=True, slots=True)
class Times:
    """When nights are due.

    Attributes:
        at: Time of day, to the minute.
        days: Days of the week, 0 for Monday, in order.
        timezone: The time zone by its IANA name; None for that of the machine.
    """

    at: time
    days: tuple[int, ...] = EVERY_DAY
    timezone: str | None = None

    def __str__(self) -> str:
        """`02:00 on mon-fri, Europe/Berlin`."""
        return f"{self.at:%H:%M} {self.on_days}, {self.timezone or 'by the clock of the machine'}"

    @property
    def on_days(self) -> str:
        """`every day`, or `on mon-fri`."""
        return "every day" if self.days == EVERY_DAY else f"on {self.named_days}"

    @property
    def named_days(self) -> str:
        """As `read_days` takes them: `daily`, `mon-fri`, `mon,wed`."""
        return "daily" if self.days == EVERY_DAY else _ranges(self.days, DAYS, "-")

    def last(self, now: datetime) -> datetime:
        """The newest moment up to `now` at which a night was due, in UTC.

        A time that a change of the clocks leaves out is due as if they had not been changed; one that comes twice is
        due the first time.
        """
        return max(moment for moment in self._around(now) if moment <= now)

    def next(self, now: datetime) -> datetime:
        """The first moment after `now` at which a night is due, in UTC."""
        return min(moment for moment in self._around(now) if moment > now)

    def _around(self, now: datetime) -> list[datetime]:
        zone = ZoneInfo(self.timezone) if self.timezone else None
        today = datetime.fromtimestamp(now.timestamp(), zone).date()
        dates = (today + timedelta(days=days) for days in range(-len(DAYS) - 1, len(DAYS) + 2))
        # Without a zone the time is one of the machine's clock, which `timestamp` reads as such.
        moments = (datetime.combine(date, self.at, zone).timestamp() for date in dates if date.weekday() in self.days)
        return [datetime.fromtimestamp(moment, UTC) for moment in moments]

    @property
    def cron(self) -> str:
        """As five fields of cron: `0 2 * * 1-5`."""
        # The week of cron begins with Sunday, which is 0.
        numbers = [str(number) for number in range(len(DAYS))]
        days = "*" if self.days == EVERY_DAY else _ranges(sorted((day + 1) % 7 for day in self.days), numbers, "-")
        return f"{self.at.minute} {self.at.hour} * * {days}"

    @property
    def on_calendar(self) -> str:
        """As a calendar event of systemd: `Mon..Fri *-*-* 02:00:00 Europe/Berlin`."""
        days = "" if self.days == EVERY_DAY else _ranges(self.days, [day.capitalize() for day in DAYS], "..")
        return " ".join(filter(None, (days, f"*-*-* {self.at:%H:%M}:00", self.timezone)))


def _ranges(days: Sequence[int], names: Sequence[str], to: str) -> str:
    """Ascending days by their names, three or more in a row as a range: `1-5`."""
    rows: list[list[int]] = []
    for day in days:
        if rows and rows[-1][-1] == day - 1:
            rows[-1].append(day)
        else:
            rows.append([day])
    ranges = ([f"{names[row[0]]}{to}{names[row[-1]]}"] if len(row) > 2 else [names[day] for day in row] for row in rows)
    return ",".join(part for row in ranges for part in row)


def read_at(text: str) -> time:
    """Read a time of day, `02:00`.

    Raises:
        UsageError: It is none.
    """
    found = _AT.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"--at: {shown(text)} is no time of day; write hours and minutes, such as 02:00 or 23:30")
    return time(int(found[1]), int(found[2]))


def read_days(text: str) -> tuple[int, ...]:
    """Read days of the week: `daily`, `mon-fri`, `mon,wed,fri` or `sat-sun,wed`.

    Raises:
        UsageError: They are none.
    """
    if text.strip().lower() == "daily":
        return EVERY_DAY
    days: set[int] = set()
    for part in text.lower().split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        begin, end = _day(first, text), _day(last if dash else first, text)
        days |= {(begin + step) % 7 for step in range((end - begin) % 7 + 1)}
    return tuple(sorted(days))


def _day(word: str, text: str) -> int:
    if word not in NAMES:
        hint = did_you_mean(word, DAYS) or "; write daily, or days such as mon-fri or mon,wed,fri"
        raise UsageError(f"--days: {shown(word or text)} is no day of the week{hint}")
    return NAMES[word]


def read_timezone(text: str) -> str:
    """Check the name of a time zone.

    Raises:
        UsageError: It is not known on this machine.
    """
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        hint = "write one such as Europe/Berlin or UTC; `pip install tzdata` brings the list where a system has none"
        raise UsageError(f"--timezone: {shown(text)} is no time zone that is known here; {hint}") from None
