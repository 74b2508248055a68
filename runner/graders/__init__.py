"""From a Reply and what is right to a Grade: one file a grader, each entered in the registry as it is imported."""

from . import any_of, choice, code_tests, contains, exact, json_value, label, multi, numeric, python, regex
from .base import Grader, Samples, make_grader, prove

__all__ = [
    "Grader",
    "Samples",
    "any_of",
    "choice",
    "code_tests",
    "contains",
    "exact",
    "json_value",
    "label",
    "make_grader",
    "multi",
    "numeric",
    "prove",
    "python",
    "regex",
]
