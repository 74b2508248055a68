"""The legend: as few parameters as tell the conditions of a generator apart, and nothing where they are draws alike."""

from dataclasses import replace

import pytest
from prt.perturbations import Generator, Reorder, Typo, compose
from prt.perturbations.canonical import canonical_json
from prt.runner.legend import Named, legend, parameters_of
from prt.runner.results.read import read_results
from prt.runner.table_analysis import analyse_table

from .test_analysis import WORKED_EXAMPLE
from .test_reports import printed


def named(condition: str, generator: Generator) -> Named:
    return Named(condition, generator.name, parameters_of(canonical_json(generator.parameters())))


def told(*conditions: Named) -> list[tuple[str, str]]:
    return [(line.conditions, line.meaning) for line in legend(conditions)]


BALANCED, LENGTH, SLOTS = Reorder(), Reorder(kind="length"), Reorder(kind="each_slot")


def test_conditions_are_told_apart_by_what_differs() -> None:
    found = told(
        named("reorder.1", BALANCED),
        named("typo.1", Typo(rate=0.1)),
        named("reorder.2", BALANCED),
        named("reorder.3", LENGTH),
        named("typo.2", Typo(rate=0.2)),
    )
    assert found == [
        ("reorder.1, reorder.2", "kind: balanced"),
        ("reorder.3", "kind: length"),
        ("typo.1", "rate: 0.1"),
        ("typo.2", "rate: 0.2"),
    ]


def test_draws_of_equal_parameters_need_no_legend() -> None:
    assert told(*(named(f"reorder.{number}", BALANCED) for number in range(1, 9)), named("typo.1", Typo())) == []


def test_many_draws_beside_others_take_one_line() -> None:
    many = [named(f"reorder.{number}", BALANCED) for number in range(1, 9)]
    assert told(*many, named("reorder.9", LENGTH))[0] == ("reorder.1, …, reorder.8 (8)", "kind: balanced")


@pytest.mark.parametrize("other", [[], [named("reorder.1", LENGTH)]])
def test_each_slot_says_in_which_place_the_right_option_stands(other: list[Named]) -> None:
    before = len(other)
    found = told(*other, *(named(f"reorder.{before + place}", SLOTS) for place in (1, 2)))[before:]
    kind = "kind: each_slot, " if other else ""
    assert found == [(f"reorder.{before + place}", f"{kind}the right option in place {place}") for place in (1, 2)]


def test_a_parameter_that_one_entry_lacks_is_shown_where_no_other_tells_them_apart() -> None:
    examples = Reorder(kind="random", of="examples")
    assert told(named("reorder.1", Reorder(kind="random")), named("reorder.2", examples)) == [
        ("reorder.1", "kind: random"),
        ("reorder.2", "of: examples"),
    ]


def test_the_steps_of_a_composition_are_named_by_their_generators() -> None:
    low, high = (compose([BALANCED, Typo(rate=rate)]) for rate in (0.1, 0.2))
    assert told(named("reorder+typo.1", low), named("reorder+typo.2", high)) == [
        ("reorder+typo.1", "typo.rate: 0.1"),
        ("reorder+typo.2", "typo.rate: 0.2"),
    ]


def test_the_report_has_a_legend_where_a_generator_has_several_conditions() -> None:
    plain = analyse_table(read_results(None, WORKED_EXAMPLE), alpha=0.05, margin=0.05)
    assert "apart" not in printed(plain)
    first, second, *rest = plain.conditions
    report = replace(
        plain,
        conditions=(
            replace(first, generator="reorder", parameters={"kind": "balanced"}),
            replace(second, generator="reorder", parameters={"kind": "\x1b[31m"}),
            *rest,
        ),
    )
    text = printed(report)
    assert "What tells the conditions of a generator apart" in text
    assert "format   kind: balanced" in text
    assert "reorder  kind: \\x1b[31m" in text
