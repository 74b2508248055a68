"""Gates in a config: each mistake is told where it stands, with what is allowed there."""

from pathlib import Path

import pytest
from prt.runner.config.figures import FIGURES
from prt.runner.config.gates import RULES, GateConfig, rules_of
from prt.runner.config.loading import parse_config
from prt.runner.errors import ConfigError

HEAD = "model: local\ndataset: d.jsonl\nperturbations: [typo]\ngates:\n  - "


def told(gate: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(HEAD + gate, Path("prt.yaml"), env={})
    (problem,) = caught.value.problems
    assert problem.line == 5
    return str(problem).removeprefix(f"prt.yaml:5:{problem.column}: ")


MISTAKES = [
    (
        "{figure: chnage, fail_if_worse_than: 0.05}",
        "gates[0].figure: there is no figure `chnage`; did you mean `change`?",
    ),
    ("{figure: beauty, fail_if_above: 0.05}", "gates[0].figure: there is no figure `beauty`; there are `change`, "),
    ("{figure: change, fail_if_worse_then: 0.1}", "unknown key; did you mean `fail_if_worse_than`?"),
    (
        "{figure: change, fail_if_worse_than: 5%}",
        "expected a number of at least 0 and below 1, found `5%`; write `0.05`",
    ),
    ("{figure: change, fail_if_above: 0.1}", "`change` is a difference, and its rules are `fail_if_worse_than` or"),
    ("{figure: flip_rate, fail_if_worse_than: 0.1}", "`flip_rate` is no difference, and its rules are `fail_if_below`"),
    (
        "{figure: flip_rate, at_most: 0.1}",
        "this can mean two things: write `fail_if_above: 0.1` to fail on proof alone",
    ),
    ("{figure: baseline_rate, min: 0.8}", "`fail_unless_at_least: 0.8` to fail without proof that it holds"),
    ("{figure: change, margin: 0.1}", "this can mean two things: write `fail_if_worse_than: 0.05`"),
    ("{figure: flip_rate, fail_if_above: 5}", "`flip_rate` lies between 0 and 1 (0.05 means 5%), found `5`"),
    ("{figure: change}", "a gate has one rule, here `fail_if_worse_than` or `fail_unless_no_worse_than`; found none"),
    ("{figure: change, fail_if_worse_than: 0.1, fail_unless_no_worse_than: 0.1}", "a gate has one rule"),
    ("{fail_if_above: 0.1}", "a gate needs `figure`, or is one of `max_unparsed`, `max_errors` or `must_pass`"),
    ("{max_unparsed: 0.1, figure: change}", "this is a gate of its own"),
    ("{max_unparsed: 0.1, against: nightly}", "a gate of one key is of one run"),
    ("{figure: spread, fail_if_above: 0.1}", "carries no interval, so that chance may decide; write `decide: point`"),
    ("{figure: change, decide: point, fail_if_worse_than: 0.1}", "this is for figures without an interval"),
    (
        "{figure: spread, decide: point, against: x, fail_if_worse_than: 0.1}",
        "of two runs can't be compared item by item",
    ),
    (
        "{figure: flip_rate, against: x, fail_if_above: 0.1}",
        "the change of `flip_rate` between two runs is a difference",
    ),
    ("{figure: change, conditions: a, generators: b, fail_if_worse_than: 0.1}", "give `conditions` or `generators`"),
    (
        "{figure: baseline_rate, conditions: a, fail_if_below: 0.1}",
        "`baseline_rate` is not taken of this; it takes `clusters`",
    ),
    (
        "{figure: position_effect, together: true, fail_if_above: 0.1}",
        "`position_effect` is not taken of this; leave it out",
    ),
    ("{figure: robustness_change, fail_if_worse_than: 0.1}", "`robustness_change` is of two runs; say with `against`"),
    ("{must_pass: [q1], clusters: a}", "`must_pass` is not taken of this; it takes `conditions`"),
    ("{figure: pass_at_k, fail_if_below: 0.1}", "`pass_at_k` needs `k`, the number of runs"),
    ("{figure: change, k: 2, fail_if_worse_than: 0.1}", "this is for `pass_at_k` and `pass_hat_k`; leave it out"),
    ("{figure: change, conditions: [], fail_if_worse_than: 0.1}", "expected text or a list of texts (at least one)"),
]


@pytest.mark.parametrize(("gate", "sentence"), MISTAKES)
def test_a_mistake_in_a_gate_is_told_at_its_key(gate: str, sentence: str) -> None:
    assert sentence in told(gate)


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_every_figure_takes_each_of_its_rules_and_no_other(figure: str) -> None:
    kind = FIGURES[figure]
    needs: dict[str, object] = {"k": 2} if figure in {"pass_at_k", "pass_hat_k"} else {}
    needs |= {"decide": "point"} if kind.kind == "point" else {}
    needs |= {} if kind.alone else {"against": "compared"}
    allowed = rules_of(kind, between=not kind.alone)
    for rule in RULES:
        keys = {"figure": figure, rule: 0.5, **needs}
        if rule in allowed:
            found = GateConfig.model_validate(keys).rule
            assert found is not None
            assert (found.figure, found.bound) == (figure, 0.5)
        else:
            with pytest.raises(ValueError, match="its rules are"):
                GateConfig.model_validate(keys)


def test_gates_survive_being_stored() -> None:
    loaded = parse_config(f"{HEAD}{{figure: change, conditions: typo.*, fail_if_worse_than: 0.1}}", Path("x"), env={})
    gates = loaded.public()["gates"]
    assert isinstance(gates, list)
    assert [GateConfig.model_validate(each) for each in gates] == loaded.config.gates


def test_a_name_may_stand_for_a_list_of_one() -> None:
    alone = GateConfig.model_validate({"figure": "change", "conditions": "typo.1", "fail_if_worse_than": 0.1})
    listed = GateConfig.model_validate({"figure": "change", "conditions": ["typo.1"], "fail_if_worse_than": 0.1})
    assert alone.rule == listed.rule
