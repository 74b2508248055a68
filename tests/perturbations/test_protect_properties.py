"""What holds for protected spans of any text: disjoint, in order, found in linear time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.protection.protect import protected_spans
from prt.perturbations.protection.spans import Mask, Span, merged
from prt.perturbations.question import Gold, Question, Subject

SUBJECT = Subject("item", Question("", ("a", "the answer", "apple")), gold=Gold(texts=("x y",)))


def test_the_longest_of_overlapping_spans_names_their_kind() -> None:
    spans = [Span(5, 9, "number"), Span(0, 6, "quote"), Span(9, 12, "id"), Span(20, 21, "caps")]
    assert merged(spans) == [Span(0, 9, "quote"), Span(9, 12, "id"), Span(20, 21, "caps")]


def test_a_mask_tells_what_it_touches_and_what_it_covers() -> None:
    mask = Mask([Span(2, 4, "id"), Span(6, 9, "id")])
    assert [offset for offset in range(11) if mask.touches(offset, offset + 1)] == [2, 3, 6, 7, 8]
    assert mask.touches(0, 3)
    assert not mask.touches(4, 6)
    assert mask.covers(6, 9)
    assert not mask.covers(3, 7)


HOSTILE = [
    "a",
    " ",
    "\n",
    "$a ",
    "\\(",
    "\\a{",
    "'a ",
    '"a ',
    "a@",
    "1 222 ",
    "A, ",
    "<a",
    "a/",
    "~~~\n",
    "for = = = ",
    "for = = = = = = = = = = = = = = = = = = = = = = =\n",
    "((((a",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    """A search that goes back over the text at each place takes ten times as long here, in processor time."""
    text = piece * (30_000 // len(piece))
    started = time.process_time()
    protected_spans(text, SUBJECT)
    assert time.process_time() - started < 2


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_has_disjoint_spans_in_order(text: str) -> None:
    spans = protected_spans(text, SUBJECT)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
