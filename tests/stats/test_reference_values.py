"""Every figure against values that others published, computed with other software, or that follow from a definition.

The values stand in `reference_values.json` with source, tolerance and provenance. Those of provenance `own_pin` come
from this project's own formulas: they only guard against change, prove nothing, and carry `own_pin` in their test id.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prt.stats import (
    Estimate,
    HypothesisTest,
    Outcomes,
    PairedTable,
    benjamini_hochberg,
    cochran_q,
    holm,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe_interval,
    tango_interval,
    tango_noninferiority,
    wilson_interval,
)

Inputs = dict[str, Any]
REFERENCE = json.loads((Path(__file__).parent / "reference_values.json").read_text(encoding="utf-8"))


def table(inputs: Inputs) -> PairedTable:
    b, c = inputs["pass_to_fail"], inputs["fail_to_pass"]
    concordant = inputs["n"] - b - c if "n" in inputs else inputs.get("both_pass", 0)
    return PairedTable(concordant, b, c, inputs.get("both_fail", 0 if b + c or concordant else 1))


def limits(estimate: Estimate) -> list[float | None]:
    return [estimate.estimate, estimate.low, estimate.high]


def outcome(test: HypothesisTest) -> list[float | None]:
    return [test.statistic, test.pvalue]


def two_conditions(inputs: Inputs) -> Outcomes:
    return Outcomes.from_array([[1, 0]] * inputs["pass_to_fail"] + [[0, 1]] * inputs["fail_to_pass"])


FUNCTIONS: dict[str, Callable[[Inputs], list[float | None]]] = {
    "newcombe_method_10": lambda inputs: limits(newcombe_interval(table(inputs))),
    "newcombe_method_8": lambda inputs: limits(newcombe_interval(table(inputs), correction=False)),
    "tango": lambda inputs: limits(tango_interval(table(inputs))),
    "tango_noninferiority": lambda inputs: outcome(tango_noninferiority(table(inputs), inputs["margin"])),
    "mcnemar_exact": lambda inputs: [mcnemar_exact(table(inputs)).pvalue],
    "mcnemar_mid_p": lambda inputs: [mcnemar_mid_p(table(inputs)).pvalue],
    "mcnemar_exact_and_mid_p": lambda inputs: [
        mcnemar_exact(table(inputs)).pvalue,
        mcnemar_mid_p(table(inputs)).pvalue,
    ],
    "wilson": lambda inputs: limits(wilson_interval(inputs["x"], inputs["n"])),
    "holm": lambda inputs: list(holm(inputs["p"])),
    "benjamini_hochberg": lambda inputs: list(benjamini_hochberg(inputs["p"])),
    "cochran_q": lambda inputs: outcome(cochran_q(Outcomes.from_array(inputs["X"]))),
    "cochran_q_two_conditions": lambda inputs: outcome(cochran_q(two_conditions(inputs))),
}
ELSEWHERE = {"wald", "cochran_q_worked_example"}


def name(entry: dict[str, Any]) -> str:
    inputs = "-".join(map(str, entry["inputs"].values()))
    return f"{entry['function']}-{entry['provenance']}-{inputs[:40]}"


@pytest.mark.parametrize("entry", [entry for entry in REFERENCE if entry["function"] not in ELSEWHERE], ids=name)
def test_the_function_gives_the_reference_value(entry: dict[str, Any]) -> None:
    computed = FUNCTIONS[entry["function"]](entry["inputs"])
    expected = entry["expected"]
    assert computed[-len(expected) :] == pytest.approx(expected, abs=max(entry["tolerance"], 1e-12)), entry["source"]


def test_cochrans_q_of_the_worked_example_is_the_reference_value(worked_example: Outcomes) -> None:
    (entry,) = (entry for entry in REFERENCE if entry["function"] == "cochran_q_worked_example")
    assert outcome(cochran_q(worked_example)) == pytest.approx(entry["expected"], abs=entry["tolerance"])


def test_every_reference_value_is_used() -> None:
    assert {entry["function"] for entry in REFERENCE} == FUNCTIONS.keys() | ELSEWHERE


def test_half_the_reference_values_or_more_are_independent_of_this_project() -> None:
    independent = [entry for entry in REFERENCE if entry["provenance"] != "own_pin"]
    assert len(independent) > len(REFERENCE) / 2
