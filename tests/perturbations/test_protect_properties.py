"""What holds for protected spans of any text: disjoint, in order, found in linear time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.protection.blocks import block_spans, lines_of, spans_of_lines
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


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["```", "~~~ py", ">>> f(1)", "x = f(1)", "$ ls", "| a | b | c |", "a, b, c", "Which is it?", ""]
        ),
        st.text("ab |,;()=`~.>$ ", max_size=12),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=300)
@given(LINES, st.sampled_from(["\n", " ", "\r"]))
def test_a_line_of_prose_is_known_without_looking_for_blocks_line_by_line(lines: list[str], between: str) -> None:
    text = between.join(lines)
    assert list(block_spans(text)) == list(spans_of_lines(lines_of(text)))


@pytest.mark.parametrize("text", ["x = f(1)", "```", ">>> f(1)", "a, b, c\nd, e, f"])
def test_taking_each_of_these_for_prose_would_be_found_out(text: str) -> None:
    assert list(spans_of_lines(lines_of(text)))
    assert list(block_spans(text)) == list(spans_of_lines(lines_of(text)))
