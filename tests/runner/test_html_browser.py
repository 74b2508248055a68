"""Pages in a real browser: no error, no request, nothing to scroll sideways, and an explorer that does what it says."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from prt.runner.commands.table_page import page_of_table
from prt.runner.reports.html import ReportView, embedded, report_page
from prt.runner.results.read import read_results
from prt.runner.table_analysis import analyse_table

from ..browser import DESKTOP, LOOKS, PHONE, Scheme, accessibility_faults, browser, opened, overflow
from .html_pages import large_view, run_view, written
from .made_reports import HOSTILE, every_kind

__all__ = ["browser"]
FILTERED_MS = """() => {
  const begun = performance.now();
  document.getElementById("filter-kind").dispatchEvent(new Event("change"));
  return performance.now() - begun;
}"""
BBH = Path(__file__).parents[3] / "shared" / "records" / "bbh_codex" / "pass.long.csv"


@pytest.fixture(scope="module")
def run_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    return written(run_view(folder), folder / "run.html")


@pytest.fixture(scope="module")
def large_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(large_view(), tmp_path_factory.mktemp("large") / "large.html")


def found(page: Page) -> str:
    return page.locator("#found").inner_text()


def listed(page: Page) -> list[str]:
    return page.locator("#items .id").all_inner_texts()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_run_is_shown_on_every_screen_and_to_everyone(
    browser: Browser, run_page: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, run_page, width=width, scheme=scheme) as page:
        assert overflow(page) == 0
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert overflow(page) == 0
        if (scheme, width) in LOOKS:
            assert accessibility_faults(page) == []
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(13, 17, 23)")
        shown = page.locator(".band img").first.evaluate("(image) => image.currentSrc === image.src")
        assert shown is (scheme == "light")


def test_what_is_wrong_with_a_page_would_be_seen(browser: Browser, tmp_path: Path) -> None:
    """The wrong twin: a page with an error, a request, pale text, and a line that is too long."""
    path = tmp_path / "wrong.html"
    head = "<!doctype html><title>x</title>"
    path.write_text(f"{head}<p style='color:#ccc;width:2000px'>pale</p><script>undefined.x</script>")
    with pytest.raises(AssertionError, match="Cannot read"), opened(browser, path) as page:
        faults = [overflow(page) > 0, "color-contrast" in {fault["id"] for fault in accessibility_faults(page)}]
    assert faults == [True, True]
    path.write_text(f"{head}<script>new Image().src = 'http://127.0.0.1:49999/x.png'</script>")
    with pytest.raises(AssertionError, match="asked for"), opened(browser, path) as page:
        page.wait_for_timeout(100)


@pytest.mark.parametrize("kind", ["empty", "baseline only", "table", "repeats", "run"])
def test_a_report_of_each_kind_is_shown(browser: Browser, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(report_page(ReportView(every_kind()[kind])), encoding="utf-8")
    with opened(browser, path, width=PHONE) as page:
        assert overflow(page) == 0
        if kind in {"empty", "run"}:
            assert accessibility_faults(page) == []


def test_all_but_the_explorer_is_there_without_scripts(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page, scripts=False) as page:
        expect(page.locator("#verdict")).to_be_visible()
        for name in ("forest", "flips", "rates", "stability", "latency", "tokens"):
            expect(page.locator(f"#chart-{name} svg")).to_be_visible()
        expect(page.locator(".band img")).to_have_count(3)
        expect(page.locator("#flipped mark").first).to_be_visible()
        expect(page.locator(".noscript")).to_be_visible()
        expect(page.locator("#explorer-app")).to_be_hidden()


def test_each_picture_of_the_map_is_really_drawn(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        sizes = page.locator(".band img").evaluate_all(
            "(all) => all.map((each) => [each.naturalWidth, each.naturalHeight])"
        )
        assert sizes == [[30, 24]] * 3


def test_filters_choose_the_items(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        assert found(page) == "30 of 30 items"
        page.select_option("#filter-kind", "flipped")
        assert found(page) == "8 of 30 items"
        assert set(listed(page)) == {f"q{number}" for number in range(30) if number % 3 == 0 and number % 5}
        page.select_option("#filter-condition", label="style.1")
        assert found(page) == "0 of 30 items"
        page.select_option("#filter-condition", label="typo.1")
        assert found(page) == "8 of 30 items"
        page.select_option("#filter-cluster", label="odd")
        assert set(listed(page)) == {"q3", "q9", "q21", "q27"}
        page.select_option("#filter-kind", "to-pass")
        assert found(page) == "0 of 30 items"
        page.select_option("#filter-kind", "all")
        page.select_option("#filter-cluster", "")
        page.fill("#filter-text", "WHAT IS 17?")
        expect(page.locator("#found")).to_have_text("1 of 30 items")
        assert listed(page) == ["q17"]
        page.fill("#filter-text", "no idea")
        expect(page.locator("#found")).to_have_text("14 of 30 items")
        page.fill("#filter-text", "")
        expect(page.locator("#found")).to_have_text("30 of 30 items")
        page.select_option("#filter-order", "id")
        assert listed(page)[:3] == ["q0", "q1", "q10"]


def test_an_item_is_opened_with_both_prompts_both_answers_and_what_was_read(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        page.get_by_role("button", name="q9,").click()
        item = page.locator("#item")
        expect(item.locator("> h3")).to_have_text("q9")
        original, variant = item.locator(".pane").all()
        assert "What is 9?" in original.locator("pre").first.inner_text()
        assert [text.strip() for text in variant.locator("ins").all_inner_texts()] == ["typo.1"]
        assert original.locator("mark").all_inner_texts() == ["It is 9"]
        assert variant.locator(".verdict").inner_text() == "fail"
        assert "no idea" in variant.locator("pre").last.inner_text()
        item.get_by_role("button", name=re.compile("style.1")).click()
        assert item.locator(".pane h3").all_inner_texts() == ["Original", "style.1"]
        assert item.locator(".pane .verdict").all_inner_texts() == ["pass", "pass"]


def test_the_list_and_the_map_are_used_by_keyboard(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        page.locator("#items button").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#item")).to_be_focused()
        assert page.locator("#item > h3").inner_text() == listed(page)[1]
        page.locator("#bands").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("End")
        here = page.locator("#map-here").inner_text()
        found_here = re.fullmatch(r"typo\.1: (q\d+), fail", here)
        assert found_here
        page.keyboard.press("Enter")
        assert found(page) == "1 of 30 items"
        assert listed(page) == [found_here[1]]
        page.locator("#selection-clear").click()
        assert found(page) == "30 of 30 items"


def test_a_click_on_the_map_opens_its_item(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        band = page.locator(".band img").nth(1)
        box = band.bounding_box()
        assert box is not None
        band.click(position={"x": box["width"] - 2, "y": 5})
        assert found(page) == "1 of 30 items"
        assert page.locator("#item > h3").inner_text() == listed(page)[0]


def test_ten_thousand_items_under_twenty_conditions_open_and_are_filtered_at_once(
    browser: Browser, large_page: Path
) -> None:
    with opened(browser, large_page, width=PHONE) as page:
        assert overflow(page) == 0
        assert found(page) == "10,000 of 10,000 items"
        assert accessibility_faults(page) == []
    with opened(browser, large_page) as page:
        assert overflow(page) == 0
        page.select_option("#filter-kind", "texts")
        assert found(page) == "400 of 10,000 items"
        page.select_option("#filter-kind", "flipped")
        page.select_option("#filter-condition", label="typo.7")
        flipped = int(found(page).partition(" ")[0].replace(",", ""))
        assert 100 < flipped < 9_000
        page.select_option("#filter-cluster", label="topic 3")
        assert int(found(page).partition(" ")[0].replace(",", "")) < flipped / 10
        page.fill("#filter-text", "item-00")
        page.wait_for_timeout(300)
        assert all(name.startswith("item-00") for name in listed(page))
        page.locator(".band img").nth(4).click(position={"x": 3, "y": 4})
        assert found(page) == "10 of 10,000 items"
        took_ms = page.evaluate(FILTERED_MS)
        assert took_ms < 1000


@pytest.mark.sqlite
def test_an_item_without_texts_says_how_to_see_them(browser: Browser, tmp_path: Path) -> None:
    view = run_view(tmp_path)
    path = written(replace(view, texts=()), tmp_path / "none.html")
    with opened(browser, path) as page:
        page.get_by_role("button", name="q9,").click()
        command = page.locator("#item .command").inner_text()
    assert command == f"prt show {view.report.source.name} --store {tmp_path / 'prt.db'} q9"


def test_a_link_leads_to_an_item(browser: Browser, run_page: Path) -> None:
    with opened(browser, f"{run_page.as_uri()}#item=q21") as page:
        assert page.locator("#item > h3").inner_text() == "q21"
        page.evaluate("location.hash = '#item=q6'")
        expect(page.locator("#item > h3")).to_have_text("q6")
        page.evaluate("location.hash = '#item=nothing%'")
        expect(page.locator("#item > h3")).to_have_text("q6")


def test_of_more_items_than_can_be_listed_all_are_on_the_map(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "LISTED_CELLS", 30)
    path = written(run_view(tmp_path), tmp_path / "some.html")
    with opened(browser, path) as page:
        assert found(page) == "10 of 10 items"
        expect(page.locator("#explorer")).to_contain_text("20 items are on the map alone")
        assert page.locator(".band img").first.evaluate("(image) => image.naturalWidth") == 30
        page.select_option("#filter-kind", "flipped")
        assert found(page) == "8 of 10 items"
        page.locator("#bands").focus()
        page.keyboard.press("End")
        assert page.locator("#map-here").inner_text() == "baseline: 1 item, 1 not listed"
        page.keyboard.press("Enter")
        assert found(page) == "0 of 10 items"


def test_on_paper_all_is_unfolded(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page) as page:
        folded = page.locator("details:not([open])").count()
        assert folded > 3
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("details:not([open])").count() == folded


def test_text_that_would_run_elsewhere_does_nothing_here(browser: Browser, tmp_path: Path) -> None:
    path = written(run_view(tmp_path, items=12, hostile=HOSTILE), tmp_path / "hostile.html")
    for width in (DESKTOP, PHONE):
        with opened(browser, path, width=width) as page:
            assert overflow(page) == 0
            page.locator("#items button").nth(2).click()
            assert page.locator("#item script, #item img, #item a").count() == 0
            shown = page.locator("#item").inner_text()
            assert "<script>alert(1)</script> {{7*7}} ](javascript:alert(1))" in shown
            assert "\\x1b[31mred" in shown
            assert "\\u202eevil" in shown
            assert not set(page.locator("body").inner_text()) & set("\x1b\x00\u202e\ufffe")
            page.fill("#filter-text", "<script>")
            expect(page.locator("#found")).to_have_text("12 of 12 items")


def test_a_page_prints_its_figures_and_no_explorer(browser: Browser, run_page: Path) -> None:
    with opened(browser, run_page, scheme="dark") as page:
        page.emulate_media(media="print")
        expect(page.locator("#explorer-app")).to_be_hidden()
        expect(page.locator("#chart-forest svg")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert len(page.pdf()) > 20_000


@pytest.mark.skipif(not BBH.exists(), reason="the published records are not here")
def test_results_made_elsewhere_are_mapped_and_filtered_by_cluster(browser: Browser, tmp_path: Path) -> None:
    table = read_results(None, BBH.read_text(encoding="utf-8"), baseline="direct").clustered("^[^/]+")
    path = tmp_path / "bbh.html"
    path.write_text(page_of_table(table, analyse_table(table, alpha=0.05, margin=0.05)), encoding="utf-8")
    for width in (DESKTOP, PHONE):
        with opened(browser, path, width=width) as page:
            assert overflow(page) == 0
            assert found(page) == "6,511 of 6,511 items"
            page.select_option("#filter-kind", "to-fail")
            assert found(page) == "573 of 6,511 items"
            page.select_option("#filter-kind", "to-pass")
            assert found(page) == "1,981 of 6,511 items"
            page.select_option("#filter-cluster", label="navigate")
            assert all(name.startswith("navigate/") for name in listed(page))
