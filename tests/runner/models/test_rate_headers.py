"""The forms in which endpoints write durations."""

import pytest
from prt.runner.models.rate_headers import duration_s


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1),
        ("6m0s", 360),
        ("20ms", 0.02),
        ("1h2m3.5s", 3723.5),
        ("1m2.5s", 62.5),
        ("3", 3),
        ("0.5", 0.5),
        (" 2s ", 2),
    ],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "soon", "1x", "1s later", "-1s", "s", "2026-11-30T00:00:00Z"])
def test_what_is_none_is_not_guessed_at(text: str) -> None:
    assert duration_s(text) is None
