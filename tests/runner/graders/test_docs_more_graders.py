"""Each example of the page on grading for the graders of sets, labels, JSON and code, graded."""

import pytest
from prt.runner.graders.several import choose_several

from .keys import CITIES, LETTERS, graded, grader, options_shown, texts_key
from .test_docs_grading import PAGE, examples


@pytest.mark.parametrize(("_", "reply", "reading"), examples("multi"))
def test_a_set_of_the_page_is_read_as_it_says(_: str, reply: str, reading: str) -> None:
    options = choose_several(reply, options_shown(CITIES, LETTERS[:4])).options
    assert ("-" if options is None else ", ".join(LETTERS[option] for option in sorted(options)) or "none") == reading


@pytest.mark.parametrize(("_", "reply", "reading"), examples("label"))
def test_a_label_of_the_page_is_read_as_it_says(_: str, reply: str, reading: str) -> None:
    judge = grader("label", labels=["positive", "negative", "neutral"])
    assert (graded(judge, reply, texts_key("positive")).answer or "-") == reading


@pytest.mark.parametrize(("gold", "reply", "verdict"), examples("json_reply"))
def test_json_of_the_page_is_graded_as_it_says(gold: str, reply: str, verdict: str) -> None:
    grade = graded(grader("json"), reply, texts_key(gold))
    assert verdict == ("unparsed" if grade.status == "unparsed" else "right" if grade.passed else "wrong")


def test_every_block_of_the_page_has_examples() -> None:
    assert all(len(examples(kind)) > 5 for kind in ("multi", "label", "json_reply"))
    assert all(f"## `{name}`" in PAGE for name in ("multi", "label", "json"))
