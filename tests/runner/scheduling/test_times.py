"""When nights are due: as cron and systemd understand it, and across changes of the clocks."""

import os
import shutil
import subprocess
import time as clock
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta

import pytest
from croniter import croniter
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import UsageError
from prt.runner.scheduling.times import DAYS, EVERY_DAY, Times, read_at, read_days, read_timezone

SOME_DAYS = st.sets(st.sampled_from(range(7)), min_size=1).map(lambda days: tuple(sorted(days)))
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])
ATS = st.times().map(lambda at: at.replace(second=0, microsecond=0, tzinfo=None))
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2032, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@pytest.fixture
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's clock is that of Berlin."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    clock.tzset()
    yield
    monkeypatch.undo()
    clock.tzset()


@given(ATS, SOME_DAYS, ZONES, MOMENTS)
def test_a_night_is_due_once_on_each_of_its_days(at: time, days: tuple[int, ...], zone: str, now: datetime) -> None:
    times = Times(at, days, zone)
    last, following = times.last(now), times.next(now)
    assert last <= now < following
    assert times.next(last) == following
    assert following - last <= timedelta(days=8)


@given(SOME_DAYS, MOMENTS)
def test_nights_are_due_when_cron_reads_the_fields_so(days: tuple[int, ...], now: datetime) -> None:
    times = Times(time(2, 30), days, "UTC")
    assert times.next(now) == croniter(times.cron, now).get_next(datetime)


def test_a_field_of_days_that_begins_with_monday_would_be_seen() -> None:
    """The twin that is wrong: the week of cron begins with Sunday."""
    tuesday = datetime(2026, 12, 1, tzinfo=UTC)
    times = Times(time(2, 30), (0, 1), "UTC")
    assert times.next(tuesday) == croniter("30 2 * * 1,2", tuesday).get_next(datetime)
    assert times.next(tuesday) != croniter("30 2 * * 0,1", tuesday).get_next(datetime)


@pytest.mark.parametrize(
    ("given_days", "cron", "event"),
    [
        ("daily", "0 2 * * *", "*-*-* 02:00:00"),
        ("mon-fri", "0 2 * * 1-5", "Mon..Fri *-*-* 02:00:00"),
        ("sat-mon", "0 2 * * 0,1,6", "Mon,Sat,Sun *-*-* 02:00:00"),
        ("Sunday", "0 2 * * 0", "Sun *-*-* 02:00:00"),
        ("mon, wed,fri", "0 2 * * 1,3,5", "Mon,Wed,Fri *-*-* 02:00:00"),
        ("mon-sun", "0 2 * * *", "*-*-* 02:00:00"),
    ],
)
def test_days_are_written_as_each_scheduler_reads_them(given_days: str, cron: str, event: str) -> None:
    times = Times(read_at("02:00"), read_days(given_days))
    assert (times.cron, times.on_calendar) == (cron, event)
    assert read_days(times.named_days) == times.days


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")
@settings(max_examples=25)  # a process each
@given(ATS, SOME_DAYS, ZONES)
def test_systemd_reads_a_calendar_event_as_the_same_times(at: time, days: tuple[int, ...], zone: str) -> None:
    times, base = Times(at, days, zone), datetime(2026, 11, 30, 12, tzinfo=UTC)
    done = subprocess.run(  # noqa: S603 - systemd's own
        ["systemd-analyze", "calendar", f"--base-time={base:%Y-%m-%d %H:%M:%S} UTC", times.on_calendar],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TZ": "UTC", "LC_ALL": "C"},
    )
    told = next(line for line in done.stdout.splitlines() if "Next elapse" in line)
    assert told.split()[-3:] == [*f"{times.next(base):%Y-%m-%d %H:%M:%S}".split(), "UTC"]


def test_a_time_that_the_clocks_leave_out_is_due_all_the_same() -> None:
    times = Times(time(2, 30), EVERY_DAY, "Europe/Berlin")
    assert times.last(datetime(2026, 3, 29, 12, tzinfo=UTC)) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_a_time_that_comes_twice_is_due_the_first_time() -> None:
    times = Times(time(2, 30), EVERY_DAY, "Europe/Berlin")
    assert times.next(datetime(2026, 10, 24, 12, tzinfo=UTC)) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert times.next(datetime(2026, 10, 25, 0, 30, tzinfo=UTC)) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


@pytest.mark.usefixtures("in_berlin")
@given(MOMENTS)
def test_without_a_time_zone_the_machines_clock_counts(now: datetime) -> None:
    here, there = Times(time(2, 30)), Times(time(2, 30), timezone="Europe/Berlin")
    assert (here.last(now), here.next(now)) == (there.last(now), there.next(now))


@pytest.mark.parametrize("text", ["25:00", "2", "02:60", "noon", "", "02:00:00", "٢:0٠"])
def test_what_is_no_time_of_day_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"--at: .* is no time of day; write hours and minutes, such as 02:00"):
        read_at(text)


@pytest.mark.parametrize(
    ("text", "hint"), [("monn", "did you mean `mon`"), ("", "write daily"), ("mon--fri", "did you mean `fri`")]
)
def test_what_is_no_day_is_refused_in_a_sentence(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match=rf"--days: .* is no day of the week; .*{hint}"):
        read_days(text)


@pytest.mark.parametrize("text", ["Europe/Berln", "../etc/passwd", "", "Europe"])
def test_what_is_no_time_zone_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"--timezone: .* is no time zone that is known here"):
        read_timezone(text)


def test_days_have_the_names_that_are_documented() -> None:
    assert DAYS == ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
