"""What a reply says of each option in turn, in a table or a list: a verdict, or a score."""

from . import phrases
from .patterns import Part, Pattern
from .words import any_of

_RIGHT = Part(lambda: rf"(?:{any_of(phrases.JUDGED_RIGHT)}|[✓✔✅☑])")
_WRONG = Part(lambda: rf"(?:{any_of(phrases.JUDGED_WRONG)}|[✗✘❌☒✖])")
_CELLS = r"(?:\|[^|\n]{0,80}){0,3}?\|"
_CLOSED = r"(?=\s*(?:[.,;:!|–—(，。；、-]|\n|\Z))"
_VERDICT = Pattern(
    lambda: (
        rf"[ )\]}}\"'.]{{0,9}}(?:{_CELLS}|[.:：=–—→-]{{0,3}}[ ]*[(（\[]?)[ ]*"
        rf"(?:(?P<right>{_RIGHT})|(?P<wrong>{_WRONG}))\ufe0f?[)）\]]?{_CLOSED}"
    )
)
_BEGINS = Pattern(lambda: rf"(?:{_RIGHT}|{_WRONG})")
_AMOUNT = r"[~≈]?\d{1,3}(?:[.,]\d{1,6})?(?: ?(?:%|/ ?\d{1,3}|points?))?"
_SCORE = Pattern(
    lambda: (
        rf"[ )\]}}\"']{{0,9}}(?:(?:{_CELLS}|[:：=–—→-]{{1,2}}) *{_AMOUNT}|[(（\[][^()（）\[\]\n]{{1,30}}[)）\]]"
        rf"|\d{{1,3}}(?:[.,]\d{{1,6}})? ?%)(?=\s*(?:[,;|/}})\]，、；]|\.(?!\d)|\n|\Z|{any_of(phrases.AND)}))"
    )
)
_NEXT = Pattern(lambda: rf"[\s,;|.()\[\]{{}}\"'/，、；*•>–—-]{{0,40}}(?:{any_of(phrases.AND)})?[\s|\"'(\[-]{{0,9}}")
_TICK = Pattern(lambda: r"(?:\A|\n)[ •*+-]{0,6}(?:\[(?P<mark>[ x✓✔]?)\]|(?P<box>[☐☑☒✅])) *[(\[]?\Z")


def ticked(text: str, start: int) -> bool | None:
    """Whether the box before an option on its line is ticked, as in "- [x] B"; None where there is no box."""
    found = _TICK.search(text, max(0, start - 16), start)
    if found is None:
        return None
    return found["box"] in {"☑", "☒", "✅"} if found["box"] else bool(found["mark"].strip())


def verdict(text: str, end: int) -> bool | None:
    """Whether an option that ends at a place is called right or wrong in its cell, in brackets or after a colon.

    Args:
        text: The text in lower case.
        end: Where the option's label or text ends.

    Returns:
        True for right, False for wrong, None where it has no verdict of this form.
    """
    found = _VERDICT.match(text, end)
    return None if found is None else bool(found["right"])


def is_verdict(text: str) -> bool:
    """Whether an option's own text begins as a verdict does, so that the two can't be told apart."""
    return _BEGINS.match(text) is not None


def score_end(text: str, end: int) -> int | None:
    """Where a score or a remark ends that an option is given: "A (10%)", "B: 0.8", "C (likely)"."""
    found = _SCORE.match(text, end)
    return None if found is None else found.end()


def goes_on(text: str, end: int, start: int) -> bool:
    """Whether nothing but marks and an "and" stands between a score and the next option, as in a list of scores."""
    return _NEXT.fullmatch(text, end, start) is not None
