"""Options in an order of their own are recognised."""

import pytest
from prt.perturbations.options.natural import naturally_ordered


@pytest.mark.parametrize(
    "options",
    [
        ("1", "2", "3"),
        ("30", "20", "10"),
        ("-5 °C", "0 °C", "5 °C"),
        ("$1,000", "$2,500", "$10,000"),
        ("5%", "7.5%", "10%"),
        ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"),
        ("Always", "Often", "Rarely"),
        ("low", "medium", "high"),
        ("Monday", "Tuesday", "Friday"),
    ],
)
def test_numbers_and_scales_that_rise_or_fall_are_ordered(options: tuple[str, ...]) -> None:
    assert naturally_ordered(options)


@pytest.mark.parametrize(
    "options",
    [
        ("1", "3", "2"),
        ("1", "1", "2"),
        ("1", "2"),
        ("True", "False"),
        ("1 kg", "2 m", "3 s"),
        ("x", "y", "z"),
        ("agree", "disagree", "strongly agree"),
        (),
        ("", "", ""),
    ],
)
def test_other_options_are_not(options: tuple[str, ...]) -> None:
    assert not naturally_ordered(options)
