"""The analyser: figures as `prt analyze` prints them, as one types, pastes or drops; malformed lines are all marked."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect
from prt.runner.findings import report_adapter
from prt.runner.reports.terminal import headline_table
from prt.runner.results.read import read_results
from prt.runner.serving.pages.analyser import NAME, example
from prt.runner.serving.settings import Settings
from prt.runner.table_analysis import analyse_table

from ...browser import LOOKS, Scheme, opened
from ..command_line import CommandLine
from .site import Site, assert_for_everyone

BAD = "item,a,b\nx,1,0\ny,1\nz,maybe,1\nx,1,1\nw,1,0\n"
HOSTILE = 'item,baseline,"<img src=x onerror=alert(1)>"\n"</script><script>alert(2)</script>",1,0\n"{{7*7}}",1,1\n'


@pytest.fixture(scope="module")
def site(serve: Callable[[Settings], Site]) -> Site:
    return serve(Settings("nowhere.db"))


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def type_in(page: Page, table: str) -> None:
    page.get_by_role("textbox", name="Results").fill(table)


def test_the_worked_example_stands_there_with_its_report(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        assert page.get_by_role("textbox", name="Results").input_value() == example()
        expect(page.locator(".verdict-box h2")).to_contain_text("Regressed: 1 of 4 variants")
        expect(page.locator("#chart-forest svg")).to_be_visible()


def test_its_figures_are_those_of_the_command_line_to_the_last_digit(
    browser: Browser, site: Site, prt: CommandLine
) -> None:
    ended = prt("analyze", "--json", prt.write("example.csv", example()))
    report = report_adapter().validate_python(ended.json)
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        cards = page.locator(".card").all()
        shown = [[part.inner_text() for part in card.locator("dt, dd").all()] for card in cards]
        forest = page.locator("#chart-forest").text_content() or ""
    table = headline_table(report)
    printed = zip(*(column.cells for column in table.columns), strict=True)
    for (name, rate, interval, meaning), (term, figure, said) in zip(printed, shown, strict=True):
        assert term == name
        assert figure.split() == [str(rate), *str(interval or "no interval").split()]
        assert said == meaning
    text = prt("analyze", "example.csv").out
    for finding in report.conditions:
        row = next(line.split() for line in text.splitlines() if line.startswith(f"{finding.summary.condition} "))
        assert all(cell in forest for cell in row[:4])


def test_a_report_follows_what_is_typed(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        type_in(page, "item,baseline,typo\n" + "".join(f"q{at},1,1\n" for at in range(12)))
        expect(page.locator(".conclusion")).to_contain_text("0 of 12 items change")
        page.get_by_role("textbox", name="Margin").fill("0.4")
        expect(page.locator("#state")).to_contain_text("No worse", ignore_case=True)


def test_every_malformed_line_is_marked_with_its_number_and_reason(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        type_in(page, BAD)
        expect(page.locator(".problems li")).to_have_count(3)
        assert [each.inner_text().split()[1] for each in page.locator(".problems li").all()] == ["3", "4", "5"]
        assert page.locator("#numbers b").all_inner_texts() == ["3", "4", "5"]
        expect(page.get_by_role("textbox", name="Results")).to_have_attribute("aria-invalid", "true")
        expect(page.locator("#state")).to_have_text("Nothing was read: 3 to mend.")
        page.get_by_role("button", name="line 4").press("Enter")
        picked = page.evaluate("() => { const b = document.getElementById('table');"
                               " return b.value.slice(b.selectionStart, b.selectionEnd) }")  # fmt: skip
        assert picked == "z,maybe,1"
        assert_for_everyone(page)


def test_many_malformed_lines_are_all_marked(site: Site) -> None:
    table = "item,a,b\n" + "".join(f"q{at},1,{'x' * (at % 2)}{at % 2}\n" for at in range(200))
    body = b"table=" + table.encode()
    found = json.loads(
        site.ask(
            "/api/analyse", method="POST", headers={"Content-Type": "application/x-www-form-urlencoded"}, body=body
        ).text
    )
    assert found["lines"] == [at + 2 for at in range(200) if at % 2]


def test_a_file_is_taken_by_the_button_and_by_dropping_it(browser: Browser, site: Site, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    rows = "".join(f"q{at},{name},{int(at % 3 > 0)}\n" for at in range(30) for name in ("baseline", "typo"))
    path.write_text("item,condition,passed\n" + rows, encoding="utf-8")
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        page.locator("#file").set_input_files(path)
        expect(page.locator(".conclusion")).to_contain_text("0 of 30 items change")
        transfer = page.evaluate_handle(
            "text => { const t = new DataTransfer(); t.items.add(new File([text], 'dropped.csv')); return t; }",
            "item,baseline,typo\n" + "".join(f"q{at},1,{at % 2}\n" for at in range(14)),
        )
        page.dispatch_event(".lines", "drop", {"dataTransfer": transfer})
        expect(page.locator(".conclusion")).to_contain_text("7 of 14 items change")


@pytest.mark.parametrize(("form", "begins"), [("HTML", "<!doctype html>"), ("JSON", "{"), ("CSV", "condition")])
def test_a_report_is_saved_as_a_file(browser: Browser, site: Site, form: str, begins: str) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        with page.expect_download() as download:
            page.get_by_role("button", name=form).click()
        assert download.value.suggested_filename == f"prt-analysis.{form.casefold()}"
        assert Path(download.value.path()).read_text(encoding="utf-8").lstrip("\ufeff").startswith(begins)


def test_the_file_says_what_the_command_line_says(site: Site) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"table=" + example().encode()
    saved = json.loads(site.ask("/analysis/json", method="POST", headers=headers, body=body).text)
    report = analyse_table(read_results(None, example(), name=NAME), alpha=0.05, margin=0.05)
    assert saved == report_adapter().dump_python(report, mode="json")


@pytest.mark.parametrize(
    ("table", "alpha", "says"),
    [
        ("", "0.05", "there is nothing in it"),
        ("[]", "0.05", "a list of rows is needed, and this is an empty list"),
        (example(), "much", "Significance level: &#34;much&#34; is not allowed"),
    ],
)
def test_what_is_no_fault_of_a_line_is_not_called_one(site: Site, table: str, alpha: str, says: str) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"table": table, "alpha": alpha}).encode()
    shown = json.loads(site.ask("/api/analyse", method="POST", headers=headers, body=body).text)["html"]
    assert says in shown
    assert "One line" not in shown


@pytest.mark.parametrize("path", ["/", "/duels/comparisons"])
def test_a_file_that_is_no_text_is_refused_and_not_read_with_holes(site: Site, path: str) -> None:
    part = 'Content-Disposition: form-data; name="file"; filename="caf\u00e9.csv"'
    body = f"--x\r\n{part}\r\n\r\n".encode() + "item,a,b\ncaf\u00e9,1,0\n".encode("latin-1") + b"\r\n--x--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert "caf\u00e9.csv&#34; is no text in UTF-8" in site.ask(path, method="POST", headers=headers, body=body).text


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ("new Uint8Array([105, 233, 44])", "f.csv was not read: it is no text in UTF-8"),
        ("new Uint8Array(9 << 20)", "f.csv was not read: it is larger than the 8 MiB"),
    ],
)
def test_a_dropped_file_that_is_not_read_leaves_the_box_as_it_is(
    browser: Browser, site: Site, made: str, says: str
) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        transfer = page.evaluate_handle(
            f"() => {{ const t = new DataTransfer(); t.items.add(new File([{made}], 'f.csv')); return t; }}"
        )
        page.dispatch_event(".lines", "drop", {"dataTransfer": transfer})
        expect(page.locator("#state")).to_contain_text(says)
        assert page.get_by_role("textbox", name="Results").input_value() == example()


def test_no_such_form_is_no_page(site: Site) -> None:
    assert site.ask("/analysis/exe", method="POST", body=b"").status == 404


def test_it_works_without_scripts(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/", scripts=False, allowed=(site.address,)) as page:
        type_in(page, BAD)
        page.get_by_role("button", name="Analyse").click()
        assert page.locator(".problems li").count() == 3
        assert page.get_by_role("textbox", name="Results").input_value() == BAD


@pytest.mark.parametrize("scripts", [True, False])
def test_hostile_texts_are_texts(browser: Browser, site: Site, scripts: bool) -> None:  # noqa: FBT001 - a case
    with opened(browser, f"{site.address}/", scripts=scripts, allowed=(site.address,)) as page:
        type_in(page, HOSTILE)
        if not scripts:
            page.get_by_role("button", name="Analyse").click()
        expect(page.locator(".conclusion")).to_contain_text("1 of 2 items change")
        assert page.locator("img").count() == 0
        assert "<img src=x" in page.locator("#chart-forest").inner_text()
        assert "49" not in page.locator("#analysed").inner_text()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_everyone_can_use_it(browser: Browser, site: Site, width: int, scheme: Scheme) -> None:
    with opened(browser, f"{site.address}/", width=width, scheme=scheme, allowed=(site.address,)) as page:
        assert_for_everyone(page)


def test_the_keyboard_alone_is_enough(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/", allowed=(site.address,)) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the main part"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "table"
        page.keyboard.press("Control+A")
        page.keyboard.insert_text("item,baseline,typo\n" + "".join(f"q{at},1,0\n" for at in range(12)))
        expect(page.locator(".verdict-box h2")).to_contain_text("Regressed")
        page.keyboard.press("Tab")
        names = []
        for _ in range(8):
            names.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
            page.keyboard.press("Tab")
        assert names[-4:] == ["Analyse", "HTML", "JSON", "CSV"]
