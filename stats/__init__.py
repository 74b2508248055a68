"""Numbers in, estimates out: paired statistics for pass/fail outcomes."""

from .agreement import AnswerAgreement, answer_agreement, code_answers
from .cochran import cochran_q
from .consistency import ConsistencyCurve, consistency_curve
from .exclusions import Exclusions, count_exclusions
from .flips import flip_rate, pooled_flip_rate
from .mcnemar import mcnemar_exact, mcnemar_mid_p
from .multiplicity import benjamini_hochberg, bonferroni_bar, holm
from .newcombe import newcombe_interval
from .outcomes import Outcomes
from .results import Estimate, HypothesisTest
from .robust import any_pass_rate, baseline_rate, robust_rate, robust_rate_present
from .spread import Spread, condition_spread
from .stability import fully_stable_share, item_stability, stable_with_missing
from .summary import ConditionSummary, OverallSummary, Summary, summarise
from .tables import PairedTable
from .tango import tango_interval, tango_noninferiority, tango_z
from .verdict import Verdict, decide_verdict, no_worse
from .wilson import wilson_interval

__all__ = [
    "AnswerAgreement",
    "ConditionSummary",
    "ConsistencyCurve",
    "Estimate",
    "Exclusions",
    "HypothesisTest",
    "Outcomes",
    "OverallSummary",
    "PairedTable",
    "Spread",
    "Summary",
    "Verdict",
    "answer_agreement",
    "any_pass_rate",
    "baseline_rate",
    "benjamini_hochberg",
    "bonferroni_bar",
    "cochran_q",
    "code_answers",
    "condition_spread",
    "consistency_curve",
    "count_exclusions",
    "decide_verdict",
    "flip_rate",
    "fully_stable_share",
    "holm",
    "item_stability",
    "mcnemar_exact",
    "mcnemar_mid_p",
    "newcombe_interval",
    "no_worse",
    "pooled_flip_rate",
    "robust_rate",
    "robust_rate_present",
    "stable_with_missing",
    "summarise",
    "tango_interval",
    "tango_noninferiority",
    "tango_z",
    "wilson_interval",
]
