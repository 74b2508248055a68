"""From a Reply and what is right to a Grade: one file a grader, each entered in the registry as it is imported."""

from . import choice, contains, exact, numeric, python, regex
from .base import Grader, Samples, make_grader, prove

__all__ = ["Grader", "Samples", "choice", "contains", "exact", "make_grader", "numeric", "prove", "python", "regex"]
