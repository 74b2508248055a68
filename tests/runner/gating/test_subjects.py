"""What a gate is decided of: names and patterns, in the order of the run; and what stands apart from the headline."""

from dataclasses import replace

import pytest
from prt.runner.gating.evidence import Condition, World
from prt.runner.gating.subjects import NamesError, items_of, subjects_of

from .evidences import make_gate

WORLD = World(
    conditions=(
        Condition("baseline", "baseline", "perturbation"),
        Condition("reorder.1", "reorder", "perturbation"),
        Condition("typo.1", "typo", "perturbation"),
        Condition("typo.2", "typo", "perturbation"),
        Condition("style.1", "style", "perturbation", idle=True),
        Condition("rerun.1", "rerun", "rerun"),
        Condition("noise.1", "noise", "stress"),
        Condition("control.1", "control", "control"),
    ),
    items=("q1", "q2", "safety-1", "safety-2"),
    clusters=("a", "b", "b", ""),
    repeats=3,
)


def named(**keys: object) -> list[str]:
    keys = {"figure": "change", "fail_if_worse_than": 0.1} | keys
    return [each.name for each in subjects_of(make_gate(**keys), WORLD)]


def of_rate(figure: str, **keys: object) -> list[str]:
    gate = make_gate(**{"figure": figure, "fail_if_below": 0.5, **keys})
    return [each.name for each in subjects_of(gate, WORLD)]


def test_a_gate_that_names_nothing_is_on_each_condition_that_counts() -> None:
    assert named() == named(conditions="*") == ["reorder.1", "typo.1", "typo.2"]


def test_patterns_choose_among_them_in_the_order_of_the_run() -> None:
    assert named(conditions=["typo.2", "reorder.*"]) == ["reorder.1", "typo.2"]
    assert named(conditions=["typo.*", "typo.1"]) == ["typo.1", "typo.2"]


def test_what_stands_apart_is_only_chosen_by_a_name_of_its_own() -> None:
    assert named(conditions="rerun.*") == ["rerun.1"]
    assert named(conditions="noise.1") == ["noise.1"]


def test_generators_take_their_conditions_together() -> None:
    gate = make_gate(figure="change", generators="*", fail_if_worse_than=0.1)
    assert [(each.name, each.conditions) for each in subjects_of(gate, WORLD)] == [
        ("reorder", ("reorder.1",)),
        ("typo (2 conditions)", ("typo.1", "typo.2")),
    ]


def test_clusters_are_decided_one_by_one_over_all_conditions_or_each() -> None:
    assert named(clusters="*") == ["cluster a", "cluster b"]
    assert named(clusters="b", conditions="typo.*") == ["typo.1 in cluster b", "typo.2 in cluster b"]
    assert of_rate("baseline_rate", clusters="*") == ["cluster a", "cluster b"]


def test_a_figure_over_several_conditions_has_one_subject() -> None:
    assert of_rate("robust_rate") == ["all conditions"]
    assert of_rate("robust_rate", conditions="typo.*") == ["typo.*"]
    assert of_rate("robust_rate", generators="*") == ["reorder", "typo (2 conditions)"]
    assert named(together=True) == ["all conditions"]


def test_replies_are_counted_together_unless_conditions_are_named() -> None:
    gate = make_gate(max_unparsed=0.1)
    (all_of_them,) = subjects_of(gate, WORLD)
    assert all_of_them.conditions == ("baseline", "reorder.1", "typo.1", "typo.2")
    assert of_rate("unparsed", conditions=["baseline", "typo.*"]) == ["baseline", "typo.1", "typo.2"]


def test_two_runs_are_compared_under_the_baseline_too_where_the_figure_allows_it() -> None:
    assert named(against="compared") == ["baseline", "reorder.1", "typo.1", "typo.2"]
    assert named(against="compared", figure="flip_rate") == ["reorder.1", "typo.1", "typo.2"]


def test_controls_are_decided_on_what_follows_them() -> None:
    assert of_rate("follows") == ["control.1"]


def test_a_control_that_applies_to_no_item_is_no_control() -> None:
    world = replace(WORLD, conditions=(*WORLD.conditions[:-1], replace(WORLD.conditions[-1], idle=True)))
    with pytest.raises(NamesError, match="its control applies to no item"):
        subjects_of(make_gate(figure="follows", fail_if_below=0.5), world)


def test_items_are_found_by_name_and_pattern() -> None:
    assert items_of(make_gate(must_pass=["safety-*", "q1"]), WORLD) == ["q1", "safety-1", "safety-2"]


@pytest.mark.parametrize(
    ("keys", "key", "sentence"),
    [
        ({"conditions": "typo.3"}, "conditions", "no condition fits `typo.3`; did you mean `typo.2`?"),
        ({"conditions": "xyz"}, "conditions", "there are: `reorder.1`, `typo.1`, `typo.2`, `baseline`, `rerun.1`"),
        ({"conditions": "style.1"}, "conditions", "`style.1` applies to no item, so nothing is asked under it"),
        ({"conditions": "control.1"}, "conditions", "`control.1` is a control, whose figure is `follows`"),
        ({"conditions": "baseline"}, "conditions", "is taken against the baseline, so not of the baseline itself"),
        ({"generators": "tipo"}, "generators", "did you mean `typo`?"),
        ({"clusters": "c"}, "clusters", "no cluster fits `c`"),
        ({"figure": "pass_at_k", "k": 5, "fail_if_worse_than": None, "fail_if_below": 0.1}, "k", "`repeats` is 3"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(keys: dict[str, object], key: str, sentence: str) -> None:
    with pytest.raises(NamesError) as caught:
        named(**keys)
    assert caught.value.key == key
    assert sentence in str(caught.value)
