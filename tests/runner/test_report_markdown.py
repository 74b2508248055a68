"""Reports as Markdown: rendered as GitHub does it, never too long for a comment, and foreign text is text."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from cmarkgfm import github_flavored_markdown_to_html  # type: ignore[import-untyped]
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.reports.markdown import LIMIT, report_markdown
from prt.runner.reports.markdown_text import Block, code, fitted, plain, size, table
from prt.runner.reports.text import visible

from .made_reports import HOSTILE, every_kind, flipped_item, gate, many_conditions, run_report

GITHUB_LIMIT = 65_536
OURS = {
    "h3",
    "p",
    "strong",
    "em",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "ul",
    "li",
    "code",
}


class Page(HTMLParser):
    """What a page of HTML holds."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self.in_cell = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self.in_cell = self.in_cell and tag not in {"td", "th"}

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.in_cell:
            self.rows[-1][-1] += data


def rendered(markdown: str) -> Page:
    """Markdown as GitHub renders it, before it takes out what may do harm."""
    return Page(github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))


@pytest.mark.parametrize("kind", list(every_kind()))
def test_a_report_renders_to_headings_tables_and_lists_alone(kind: str) -> None:
    page = rendered(report_markdown(every_kind()[kind]))
    assert set(page.tags) <= OURS
    assert page.attributes == []
    assert "| ---" not in page.text, "a table that is none"


def test_each_condition_is_a_row_with_its_figures() -> None:
    report = run_report()
    rows = rendered(report_markdown(report)).rows
    heads = next(row for row in rows if row[0] == "condition" and "Holm" in row)
    for finding in (*report.conditions, *report.apart):
        row = dict(zip(heads, next(row for row in rows if row[0] == finding.summary.condition), strict=True))
        assert row["n"] == f"{finding.summary.n}"
        if finding.summary.n:
            estimate = finding.summary.change.estimate
            assert estimate is not None
            assert float(row["change"].replace("−", "-")) == pytest.approx(100 * estimate, abs=0.051)
            assert " to " in row["95% interval"]


def test_everything_that_a_reader_must_know_is_said() -> None:
    text = rendered(report_markdown(run_report())).text
    for said in (
        "does not survive",
        "failed fails",
        "undecided warning",
        "failed: 10 points lower",
        "Noise floor of format.1",
        "Control counter.1",
        "Corrected for the judge's error, baseline",
        "120,000 tokens in",
        "3 not applicable (no options)",
        "1 error (timeout: no answer in 600 s)",
        "a note",
        "prt report run-1",
    ):
        assert said in text, said


def test_an_incomplete_run_says_why() -> None:
    report = run_report()
    source = replace(report.source, state="stopped", reason="the budget is spent")
    text = rendered(report_markdown(replace(report, source=source))).text
    assert "stopped" in text
    assert "the budget is spent" in text


@pytest.mark.parametrize("limit", [LIMIT, 12_000])
def test_a_report_of_many_conditions_fits_a_comment(limit: int) -> None:
    markdown = report_markdown(many_conditions(200), limit=limit)
    assert size(markdown) <= limit < GITHUB_LIMIT
    shown = sum(row[0].startswith("typo.") for row in rendered(markdown).rows)
    left_out = re.search(r"([\d,]+) more conditions left out here", markdown)
    assert shown + (int(left_out[1]) if left_out else 0) == 200
    assert (left_out is None) == (limit == LIMIT)
    assert "typo.200 " in markdown, "the largest change is shown, wherever it stands"


def test_hostile_text_fits_a_comment_too() -> None:
    report = run_report()
    long = HOSTILE * 200
    gates = tuple(replace(gate("failed"), gate=long, subject=long, reason=long) for _ in range(300))
    flipped = tuple(replace(flipped_item(long), gold=long, condition=long) for _ in range(50))
    source = replace(report.source, name=long, model=long, state="stopped", reason=long)
    hostile = replace(report, gates=gates, flipped=flipped, notes=(long,) * 50, source=source)
    markdown = report_markdown(hostile)
    assert size(markdown) <= LIMIT
    assert "more gate's results left out" in markdown
    assert set(rendered(markdown).tags) <= OURS


def test_hostile_text_makes_no_link_image_html_cell_or_mention() -> None:
    report = run_report()
    named = replace(report.source, name=HOSTILE, model=HOSTILE)
    hostile = replace(
        report,
        source=named,
        gates=(replace(gate("failed"), gate=HOSTILE, subject=HOSTILE, reason=HOSTILE),),
        flipped=(replace(flipped_item(HOSTILE), gold=HOSTILE, condition=HOSTILE),),
        notes=(HOSTILE,),
    )
    page = rendered(report_markdown(hostile))
    assert set(page.tags) <= OURS
    assert page.attributes == []
    gates = next(row for row in page.rows if row[0].startswith("<script>alert(1)</script>"))
    assert len(gates) == 4
    assert "{{7*7}}" in page.text
    assert not set(page.text) & {"\x1b", "\u202e", "\x07", "\x00"}


@given(st.text(st.sampled_from("ab1 \n\t|`*_[]()<>!&\\~#$@:/.-+=^{}w'\"h\x1b\u202e")) | st.text())
def test_any_text_is_shown_as_it_is_in_a_cell_a_list_and_a_heading(text: str) -> None:
    told = " ".join(visible(text).split())
    page = rendered("\n".join(table(("a", "b"), [(plain(text), "end")])))
    assert page.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"]
    assert page.rows[1] == [told, "end"]
    listed = rendered(f"- {plain(text)}\n")
    assert listed.tags == ["ul", "li"]
    assert listed.text.strip() == told


def test_a_twin_that_escapes_less_is_caught_by_the_same_page() -> None:
    page = rendered("\n".join(table(("a", "b"), [(visible("x | [y](http://e) https://e.example"), "end")])))
    assert "a" in page.tags
    assert page.rows[1] != ["x | [y](http://e) https://e.example", "end"]


@pytest.mark.parametrize(
    "text", ["https://a.example", "www.a.example", "a@b.example", "@someone", "#12", "GH-12", "mailto:a@b.example"]
)
def test_what_links_by_itself_is_broken_up_and_reads_the_same(text: str) -> None:
    shown = plain(f"see {text} now")
    page = rendered(shown)
    assert page.tags == ["p"]
    assert page.text.strip() == f"see {text} now"
    assert "<!-- -->" in shown


@given(st.text(st.sampled_from("ab `\\\n<>|@")))
def test_code_shows_any_text(text: str) -> None:
    told = " ".join(text.split())
    page = rendered(f"x {code(text)} y")
    if told:
        assert page.tags == ["p", "code"]
        assert page.text.strip() == f"x {told} y"


def test_lines_are_left_out_by_rank_and_counted() -> None:
    lines = tuple(f"line {at} " + "x" * 90 for at in range(10))
    block = Block(("head",), lines, tuple(range(10, 0, -1)), ("end",), "line")
    text = fitted([block, Block(("last",))], 500, "`prt`")
    assert size(text) <= 501
    assert "line 9 " in text
    assert "line 0 " not in text
    assert text.index("head") < text.index("left out here") < text.index("end") < text.index("last")
    kept = sum(line in text for line in lines)
    assert f"{10 - kept} more lines left out here" in text
    assert all(line in fitted([block], 5000, "`prt`") for line in lines)
