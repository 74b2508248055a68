"""What differs between two texts, word by word, for people to look at."""

import re
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

Mark = Literal["equal", "delete", "insert"]

WORD = re.compile(r"\s+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|(?:\w|[^\x00-\x7f\s])+|[^\w\s]")
"""White space, a CJK character, a word with its marks, or a sign."""
CHUNK = re.compile(r"\S+\s*|\s+")
LONG = 4000
"""Words from which texts are compared by what stands between white space, so that a book takes no minute."""


def marked_difference(before: str, after: str) -> list[tuple[Mark, str]]:
    """Mark the words of two texts that are in both, only in the first, or only in the second.

    Returns:
        Runs in reading order, a deletion before the insertion that takes its place. The `equal` and `delete` runs
        together are `before`, the `equal` and `insert` runs `after`.
    """
    old, new = WORD.findall(before), WORD.findall(after)
    if max(len(old), len(new)) > LONG:
        old, new = CHUNK.findall(before), CHUNK.findall(after)
    start = shared(old, new)
    end = shared(old[start:][::-1], new[start:][::-1])
    marks: list[tuple[Mark, str]] = [("equal", "".join(old[:start]))]
    marks += compared(old[start : len(old) - end], new[start : len(new) - end])
    marks.append(("equal", "".join(old[len(old) - end :])))
    return merged(marks)


def shared(old: list[str], new: list[str]) -> int:
    """Count the words with which both begin."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def compared(old: list[str], new: list[str]) -> list[tuple[Mark, str]]:
    """Compare what lies between the shared beginning and end."""
    marks: list[tuple[Mark, str]] = []
    for _, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        was, becomes = "".join(old[start:end]), "".join(new[new_start:new_end])
        marks += [("equal", was)] if was == becomes else [("delete", was), ("insert", becomes)]
    return marks


def merged(marks: list[tuple[Mark, str]]) -> list[tuple[Mark, str]]:
    """Join neighbouring runs of one kind and leave out empty ones."""
    runs = groupby((mark for mark in marks if mark[1]), key=lambda mark: mark[0])
    return [(kind, "".join(text for _, text in run)) for kind, run in runs]
