"""From a Reply and what is right to a Grade: one file a grader, which enters itself in the registry when needed."""

from .base import Grader, Samples, make_grader, prove

__all__ = ["Grader", "Samples", "make_grader", "prove"]
