"""Which night is begun: each once, the newest that was missed, and one that is incomplete a bounded number of times."""

import random
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.scheduling.nights import Known, read_known, to_begin, write_known
from prt.runner.scheduling.times import Times

DAILY = Times(time(2), timezone="UTC")
TRIES = 3


def at(day: int, hour: float = 0) -> datetime:
    return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day - 1, hours=hour)


def done(day: int) -> Known:
    return Known(at(day, 2), 1, done=True, code=0)


@pytest.mark.parametrize(
    ("known", "now", "begun"),
    [
        pytest.param(done(3), at(4, 1.9), None, id="the next is not due yet"),
        pytest.param(done(3), at(4, 2), Known(at(4, 2), 1), id="the next is due"),
        pytest.param(done(3), at(4, 13), Known(at(4, 2), 1), id="missed, and caught up once the machine is on"),
        pytest.param(done(3), at(9, 13), Known(at(9, 2), 1), id="several missed, and the newest caught up"),
        pytest.param(done(4), at(4, 2.3), None, id="done already"),
        pytest.param(Known(at(4, 2), 1), at(4, 9), Known(at(4, 2), 2), id="cut off, as by a power cut"),
        pytest.param(Known(at(4, 2), 1, code=3), at(4, 3), Known(at(4, 2), 2, code=3), id="incomplete"),
        pytest.param(Known(at(4, 2), 3), at(4, 9), None, id="cut off too often"),
        pytest.param(done(9), at(4, 3), None, id="the clock was set back"),
        pytest.param(None, at(4, 2.01), Known(at(4, 2), 1), id="the first call, when it is due"),
        pytest.param(None, at(4, 9), None, id="the first call, long after"),
    ],
)
def test_what_is_begun(known: Known | None, now: datetime, begun: Known | None) -> None:
    assert to_begin(DAILY, now, known, tries=TRIES) == begun


@pytest.mark.parametrize(
    ("code", "tries", "over"),
    [
        (0, 1, True),
        (1, 1, True),
        (2, 1, True),
        (3, 1, False),
        (3, 3, True),
        (130, 1, False),
        (143, 2, False),
        (137, 3, True),
    ],
)
def test_only_what_is_incomplete_or_cut_off_goes_on(code: int, tries: int, over: bool) -> None:  # noqa: FBT001
    ended = Known(at(4, 2), tries).ended_with(code, at(4, 3), tries=TRIES)
    assert (ended.done, ended.code, ended.ended) == (over, code, at(4, 3))


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_over_weeks_with_downtime_no_night_is_begun_too_often_and_none_is_missed_while_the_machine_is_on(
    seed: int, tries: int
) -> None:
    """A machine that is off now and again, called each hour, whose nights end in every way."""
    rng, known = random.Random(seed), done(1)  # noqa: S311 - a simulation
    begun: dict[datetime, list[int]] = {}
    off_until = at(1)
    for hour in range(24, 24 * 21):
        now = at(1, hour + 0.33)
        if now < off_until:
            continue
        if rng.random() < 0.02:
            off_until = now + timedelta(hours=rng.randrange(1, 60))
            continue
        night = to_begin(DAILY, now, known, tries=tries)
        due = DAILY.last(now)
        if night is None:
            assert known.due == due, "the newest night that is due was begun at some time"
            assert known.done or known.tries >= tries
            continue
        assert night.due == due
        code = rng.choice([0, 1, 2, 3, 143])
        begun.setdefault(night.due, []).append(code)
        known = night.ended_with(code, now, tries=tries) if rng.random() < 0.9 else night
    for codes in begun.values():
        assert len(codes) <= tries
    assert begun


def test_what_is_known_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, known = tmp_path / "state.json", Known(at(4, 2), 2, done=True, code=1, ended=at(4, 3))
    write_known(path, known)
    assert read_known(path) == known
    assert [each.name for each in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"due": "2026-03-01T02:00:00"}', '{"due": null, "tries": 1}'])
def test_what_can_not_be_read_is_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text, encoding="utf-8")
    assert read_known(path) is None
    assert read_known(tmp_path / "none.json") is None
