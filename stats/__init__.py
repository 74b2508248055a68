"""Numbers in, estimates out: paired statistics for pass/fail outcomes."""

from .agreement import AnswerAgreement, answer_agreement, code_answers
from .churn import Churn, churn, noise_floor
from .clustered_newcombe import clustered_newcombe_interval
from .clustered_rate import clustered_rate_interval
from .clustered_tango import clustered_tango_interval, clustered_tango_noninferiority
from .clusters import clustered_standard_error
from .cochran import cochran_q
from .condition_summary import ConditionSummary
from .consistency import ConsistencyCurve, consistency_curve
from .controls import ControlResponse, ControlVerdict, control_response
from .corrected_items import CorrectedRate, corrected_rates
from .exact_margin import drop_exact
from .exact_rate import exact_rate_limits
from .excess import ExcessFlips, excess_flips
from .exclusions import Exclusions, count_exclusions
from .flips import flip_rate, pooled_flip_rate
from .head_to_head import DuelVerdict, HeadToHead, compare_head_to_head, decide_duel
from .judge import JudgeTable, cohen_kappa, corrected_rate
from .judged_labels import JudgedLabels
from .judged_pairs import JudgedPairs
from .maxt import MaxT, max_t
from .mcnemar import mcnemar_exact, mcnemar_mid_p
from .multiplicity import benjamini_hochberg, bonferroni_bar, holm
from .newcombe import newcombe_interval
from .nightly import EProcess, e_value, spending_level
from .outcomes import Outcomes
from .overall_summary import OverallRates, OverallSummary
from .paired_figures import PairedFigures
from .passk import PassK, pass_at_k, pass_hat_k, pass_k_rates
from .planning import detectable_change, fewest_flips, repeats_sample_size, zero_flip_items
from .pooled_score import pooled_robustness_score
from .position_bias import PositionBias, position_bias
from .positions import Positions, SlotFigures, positions
from .power import connor_sample_size, mcnemar_power, mcnemar_sample_size
from .rate import rate_interval
from .results import Estimate, HypothesisTest
from .robust import any_pass_rate, baseline_rate, robust_rate, robust_rate_present
from .row_bootstrap import bootstrap_rows
from .score import robustness_score
from .signflip import signflip_exact, signflip_mid_p
from .slot_test import slot_test
from .spread import Spread, condition_spread
from .stability import fully_stable_share, item_stability, stable_with_missing
from .stratified import Stratum, stratified_share
from .summary import Summary, summarise
from .tables import PairedTable
from .tango import tango_interval, tango_noninferiority, tango_z
from .two_runs import ConditionComparison, RunComparison, compare_runs
from .variance import VarianceComponents, variance_components
from .verdict import Verdict, decide_verdict, no_worse
from .weighted_change import weighted_change
from .wilson import wilson_interval
from .win_rate import bootstrap_win_rate, win_rate

__all__ = [
    "AnswerAgreement",
    "Churn",
    "ConditionComparison",
    "ConditionSummary",
    "ConsistencyCurve",
    "ControlResponse",
    "ControlVerdict",
    "CorrectedRate",
    "DuelVerdict",
    "EProcess",
    "Estimate",
    "ExcessFlips",
    "Exclusions",
    "HeadToHead",
    "HypothesisTest",
    "JudgeTable",
    "JudgedLabels",
    "JudgedPairs",
    "MaxT",
    "Outcomes",
    "OverallRates",
    "OverallSummary",
    "PairedFigures",
    "PairedTable",
    "PassK",
    "PositionBias",
    "Positions",
    "RunComparison",
    "SlotFigures",
    "Spread",
    "Stratum",
    "Summary",
    "VarianceComponents",
    "Verdict",
    "answer_agreement",
    "any_pass_rate",
    "baseline_rate",
    "benjamini_hochberg",
    "bonferroni_bar",
    "bootstrap_rows",
    "bootstrap_win_rate",
    "churn",
    "clustered_newcombe_interval",
    "clustered_rate_interval",
    "clustered_standard_error",
    "clustered_tango_interval",
    "clustered_tango_noninferiority",
    "cochran_q",
    "code_answers",
    "cohen_kappa",
    "compare_head_to_head",
    "compare_runs",
    "condition_spread",
    "connor_sample_size",
    "consistency_curve",
    "control_response",
    "corrected_rate",
    "corrected_rates",
    "count_exclusions",
    "decide_duel",
    "decide_verdict",
    "detectable_change",
    "drop_exact",
    "e_value",
    "exact_rate_limits",
    "excess_flips",
    "fewest_flips",
    "flip_rate",
    "fully_stable_share",
    "holm",
    "item_stability",
    "max_t",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "mcnemar_power",
    "mcnemar_sample_size",
    "newcombe_interval",
    "no_worse",
    "noise_floor",
    "pass_at_k",
    "pass_hat_k",
    "pass_k_rates",
    "pooled_flip_rate",
    "pooled_robustness_score",
    "position_bias",
    "positions",
    "rate_interval",
    "repeats_sample_size",
    "robust_rate",
    "robust_rate_present",
    "robustness_score",
    "signflip_exact",
    "signflip_mid_p",
    "slot_test",
    "spending_level",
    "stable_with_missing",
    "stratified_share",
    "summarise",
    "tango_interval",
    "tango_noninferiority",
    "tango_z",
    "variance_components",
    "weighted_change",
    "wilson_interval",
    "win_rate",
    "zero_flip_items",
]
