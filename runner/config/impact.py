"""The `impact` section: what a change in quality means for a day's requests."""

from collections.abc import Collection
from typing import Annotated, Self

from pydantic import Field, model_validator

from ..suggest import did_you_mean, listed
from .section import Name, Section, mistake

ROUNDING = 1e-9
"""By how much shares that add up to 1 may exceed it as floating-point numbers."""
ORIGINAL = "baseline"

APART = frozenset({"rerun", "control"})
"""Generators whose conditions are no other way to write the same request."""

Share = Annotated[float, Field(ge=0, le=1)]


class ImpactConfig(Section):
    """What `prt compare` reckons with when it turns a change into failures and cost a day."""

    traffic: float = Field(gt=0)
    """Requests a day."""
    cost_per_failure: float | None = Field(default=None, ge=0)
    """What one failure costs; no cost is told where not given."""
    currency: Name = "USD"
    """What the cost is in."""
    weights: dict[Name, Share] = Field(default_factory=dict)
    """How users really write: the share of requests for each generator or condition, such as `{typo: 0.15,
    style.1: 0.3}`. They add up to 1 at most; what is left is written as the original is. Where not given, each
    condition is told as if all requests were written so."""

    @model_validator(mode="after")
    def _shares_of_a_whole(self) -> Self:
        total = sum(self.weights.values())
        if total > 1.0 + ROUNDING:
            raise mistake(f"shares of requests add up to 1 at most, and these to {total:g}", key="weights")
        if ORIGINAL in self.weights:
            raise mistake("`baseline` has what the other shares leave; leave it out", key="weights")
        for name in self.weights:
            generator, _, condition = name.partition(".")
            if condition and generator in self.weights:
                raise mistake(f"`{generator}` and `{name}` overlap; leave one of them out", key="weights")
        return self

    def unknown(self, generators: Collection[str]) -> str:
        """Say which weight is of no way to write a request; nothing where all are.

        Args:
            generators: The names of the entries of `perturbations`, compositions joined by `+`. A function of the
                user's has a name of its own, so that nothing is said where there is one.
        """
        if any("python" in name.split("+") for name in generators):
            return ""
        known = sorted(set(generators) - APART)
        for name in self.weights:
            if name.partition(".")[0] not in known:
                hint = (
                    did_you_mean(name.partition(".")[0], known)
                    or f"; there {'is' if len(known) == 1 else 'are'} {listed(known, last='and')}"
                )
                return f"`weights` has `{name}`, which is none of the ways to write that `perturbations` has{hint}"
        return ""
