"""How two prompts differ, part by part and word by word."""

from collections.abc import Iterator

from ...perturbations.difference import marked_difference
from ..config.schema import PromptConfig
from ..config.show import to_yaml
from .findings import Change

PARTS = ("system", "instruction", "template", "answer")
"""The parts of a prompt that are texts."""


def prompt_changes(baseline: PromptConfig, candidate: PromptConfig) -> tuple[Change, ...]:
    """What the candidate's prompt says otherwise.

    Args:
        baseline: The prompt as it is.
        candidate: The prompt that may take its place.

    Returns:
        The parts that differ, in the order in which they are sent; equal ones are left out.
    """
    return tuple(_changes(baseline, candidate))


def _changes(baseline: PromptConfig, candidate: PromptConfig) -> Iterator[Change]:
    for part in PARTS:
        before, after = getattr(baseline, part) or "", getattr(candidate, part) or ""
        if before != after:
            yield Change(part, tuple(marked_difference(before, after)))
    if baseline.examples != candidate.examples:
        before, after = (to_yaml([*prompt.examples]) if prompt.examples else "" for prompt in (baseline, candidate))
        yield Change("examples", tuple(marked_difference(before, after)))
