"""Every figure against values that others published, computed with other software, or that follow from a definition.

The values stand in `reference_values.json` with source, tolerance and provenance. Those of provenance `own_pin` come
from this project's own formulas: they only guard against change, prove nothing, and carry `own_pin` in their test id.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from prt.stats import (
    Estimate,
    HypothesisTest,
    JudgeTable,
    Outcomes,
    PairedTable,
    benjamini_hochberg,
    churn,
    clustered_newcombe_interval,
    clustered_standard_error,
    cochran_q,
    cohen_kappa,
    connor_sample_size,
    corrected_rate,
    e_value,
    holm,
    max_t,
    mcnemar_exact,
    mcnemar_mid_p,
    mcnemar_power,
    newcombe_interval,
    pass_at_k,
    pass_hat_k,
    repeats_sample_size,
    robustness_score,
    signflip_exact,
    tango_interval,
    tango_noninferiority,
    wilson_interval,
    win_rate,
)

Inputs = dict[str, Any]
Values = Sequence[float | None]
COLLECTED = json.loads((Path(__file__).parent / "reference_values.json").read_text(encoding="utf-8"))
REFERENCE = COLLECTED["values"]


def table(inputs: Inputs) -> PairedTable:
    b, c = inputs["pass_to_fail"], inputs["fail_to_pass"]
    concordant = inputs["n"] - b - c if "n" in inputs else inputs.get("both_pass", 0)
    return PairedTable(concordant, b, c, inputs.get("both_fail", 0 if b + c or concordant else 1))


def limits(estimate: Estimate) -> Values:
    return [estimate.estimate, estimate.low, estimate.high]


def outcome(test: HypothesisTest) -> Values:
    return [test.statistic, test.pvalue]


def two_conditions(inputs: Inputs) -> HypothesisTest:
    return cochran_q(Outcomes.from_array([[1, 0]] * inputs["pass_to_fail"] + [[0, 1]] * inputs["fail_to_pass"]))


def churn_of(inputs: Inputs) -> Values:
    """Rates of k runs, laid out as single runs."""
    k = inputs["runs"]
    rows = [
        [[1] * round(rate * k) + [0] * (k - round(rate * k)) for rate in pair]
        for pair in zip(inputs["baseline"], inputs["variant"], strict=True)
    ]
    found = churn(Outcomes.from_array(rows), "variant.1")
    return [each.estimate for each in (found.flip_rate, found.baseline_floor, found.variant_floor, found.caused)]


def power_and_level(inputs: Inputs) -> Values:
    """The power, and the actual level at as many flips that go either way alike."""
    half = (inputs["pass_to_fail"] + inputs["fail_to_pass"]) / 2
    n, one_sided = inputs["n"], inputs["one_sided"]
    return [mcnemar_power(**inputs), mcnemar_power(n, half, half, one_sided=one_sided)]


def kappa_and_agreement(inputs: Inputs) -> Values:
    judged = JudgeTable(**inputs)
    return [cohen_kappa(judged, rng=np.random.default_rng(1)).estimate, judged.agreement().estimate]


def corrected(inputs: Inputs) -> Values:
    return [corrected_rate(inputs["passes"], inputs["n"], JudgeTable(**inputs["table"])).estimate]


def max_t_statistic_squared(inputs: Inputs) -> Values:
    (statistic,) = max_t([[value] for value in inputs["differences"]], rng=np.random.default_rng(0)).statistics
    return [(statistic or 0.0) ** 2]


FUNCTIONS: dict[str, Callable[[Inputs], Values]] = {
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
    "holm": lambda inputs: holm(inputs["p"]),
    "benjamini_hochberg": lambda inputs: benjamini_hochberg(inputs["p"]),
    "cochran_q": lambda inputs: outcome(cochran_q(Outcomes.from_array(inputs["X"]))),
    "cochran_q_two_conditions": lambda inputs: outcome(two_conditions(inputs)),
    "cochran_q_statistic": lambda inputs: [two_conditions(inputs).statistic],
    "cochran_q_pvalue": lambda inputs: [two_conditions(inputs).pvalue],
    "cohen_kappa": kappa_and_agreement,
    "corrected_rate": corrected,
    "robustness_score": lambda inputs: [robustness_score([inputs["mean_robustness"]], [inputs["mean_drop"]])],
    "pass_at_k": lambda inputs: [pass_at_k(**inputs)],
    "pass_hat_k": lambda inputs: [pass_hat_k(**inputs)],
    "connor_sample_size": lambda inputs: [connor_sample_size(**inputs)],
    "mcnemar_power": lambda inputs: [mcnemar_power(**inputs)],
    "mcnemar_power_and_level": power_and_level,
    "repeats_sample_size": lambda inputs: [repeats_sample_size(**inputs)],
    "standard_error": lambda inputs: [clustered_standard_error(**inputs)],
    "clustered_newcombe_uncorrected": lambda inputs: limits(clustered_newcombe_interval(**inputs, correction=False)),
    "churn": churn_of,
    "signflip_exact": lambda inputs: [signflip_exact(inputs["differences"]).pvalue],
    "max_t_statistic_squared": max_t_statistic_squared,
    "e_value": lambda inputs: [e_value(**inputs)],
    "win_rate": lambda inputs: limits(win_rate(**inputs)),
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


def test_every_collected_value_is_tested_or_left_out_with_a_reason() -> None:
    others = [*COLLECTED["elsewhere"], *COLLECTED["left_out"]]
    assert len(REFERENCE) + sum(entry["entries"] for entry in others) == 181
    assert all(entry.get("reason") or entry.get("tested_in") for entry in others)


def test_half_the_reference_values_or_more_are_independent_of_this_project() -> None:
    independent = [entry for entry in REFERENCE if entry["provenance"] != "own_pin"]
    assert len(independent) > len(REFERENCE) / 2
