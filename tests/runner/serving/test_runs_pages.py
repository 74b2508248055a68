"""The runs of a store as pages in a real browser: list, report, explorer, items; and a run that is under way."""

import http.client
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from playwright.sync_api import Browser, expect
from prt.runner.analysis import analyse_run
from prt.runner.reports.csv_files import report_csv
from prt.runner.reports.machine import report_json
from prt.runner.reports.markdown import report_markdown
from prt.runner.reports.text import visible
from prt.runner.serving.headlines import counted
from prt.runner.serving.settings import Settings
from prt.runner.store.database import open_store
from prt.runner.store.read import load_run
from pydantic import JsonValue as Json

from ...browser import LOOKS, Scheme, opened
from ..html_pages import Elements, run_view
from ..made_reports import HOSTILE
from ..run_fakes import Bench, FakeModel, make_world
from .site import Site, assert_for_everyone

Serve = Callable[[Settings], Site]
ITEMS = 60
ANSWERING = """
import re
import time
from pathlib import Path

def answer(messages):
    number = int(re.search(r"(\\d+): which", messages[-1]["content"])[1])
    deadline = time.monotonic() + 60
    while number >= 4 and not Path("go").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return "B"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Site:
    """A store of one run of sixty items."""
    folder = tmp_path_factory.mktemp("runs")
    run_view(folder, items=ITEMS)
    return serve(Settings(str(folder / "prt.db")))


@pytest.fixture(scope="module")
def run_id(site: Site) -> str:
    with open_store(site.settings.store) as store:
        return load_run(store, "latest").record.id


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Site:
    """A store of a run in all of whose texts and names stands what a reader might obey."""
    folder = tmp_path_factory.mktemp("hostile")
    run_view(folder, items=6, hostile=HOSTILE)
    return serve(Settings(str(folder / "prt.db")))


def listed(site: Site, path: str) -> list[str]:
    """The ids of the items in a list, in order."""
    answer = site.ask(path)
    assert answer.status == 200
    return re.findall(r'<div class="which"><a href="[^"]*">([^<]*)</a>', answer.text)


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("path", ["/runs", "/runs/{}", "/runs/{}/items", "/runs/{}/item?id=q3", "/runs/{}/item?id=no"])
def test_each_page_is_for_everyone(  # noqa: PLR0917 - what a page may look like
    site: Site, run_id: str, browser: Browser, path: str, width: int, scheme: Scheme
) -> None:
    if path.endswith("no"):
        assert site.ask(path.format(run_id)).status == 404
        return
    with opened(
        browser, site.address + path.format(run_id), width=width, scheme=scheme, allowed=[site.address]
    ) as page:
        if path == "/runs":
            expect(page.locator(".spark")).to_be_visible()
        assert_for_everyone(page)


def test_the_list_shows_what_the_report_says(site: Site, run_id: str, browser: Browser) -> None:
    with open_store(site.settings.store) as store:
        rate = analyse_run(load_run(store, run_id)).summary.overall.baseline_rate
    assert rate.estimate is not None
    with opened(browser, f"{site.address}/runs", allowed=[site.address]) as page:
        expect(page.locator("#figures-state")).to_have_text("All figures on this page are read.")
        shown = page.locator(".runs li").inner_text()
        assert f"{100 * rate.estimate:.1f}% {counted(rate.count, rate.n)}" in shown
        assert "complete" in shown
        spark = page.get_by_role("img", name=re.compile(r"^Pass rates: baseline \d+\.\d%, typo\.1 \d+\.\d%, style\.1"))
        expect(spark).to_have_count(1)
        assert page.locator(".spark rect").count() == 3
        page.keyboard.press("Tab")
        page.get_by_role("link", name=run_id).focus()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text(run_id)
        expect(page.locator("#chart-forest svg")).to_be_visible()
        expect(page.locator(".band img")).to_have_count(3)


def test_without_scripts_each_run_leads_to_its_figures(site: Site, browser: Browser) -> None:
    with opened(browser, f"{site.address}/runs", scripts=False, allowed=[site.address]) as page:
        page.get_by_role("link", name="Its figures are in its report").click()
        expect(page.locator("#verdict")).to_be_visible()
        page.get_by_role("link", name="Explore its items").click()
        page.get_by_label("Show").select_option("flipped")
        page.get_by_role("button", name="Show them").click()
        expect(page.locator("p[role=status]")).to_contain_text(f"16 of {ITEMS} items")
        page.locator(".which a").first.click()
        expect(page.locator(".pane")).to_have_count(2)


def test_pages_of_a_long_list(tmp_path: Path, serve: Serve) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=1))
    with ThreadPoolExecutor(1) as pool:
        for number in range(27):
            pool.submit(bench.run, FakeModel(), name=f"r{number:02}", fresh=True).result()
    site = serve(Settings(str(tmp_path / "prt.db")))
    names = [re.findall(r'data-run="(r\d\d)-', site.ask(f"/runs?page={page}").text) for page in (1, 2, 3)]
    assert names == [[f"r{number:02}" for number in range(26, 1, -1)], ["r01", "r00"], []]
    for page in ("0", "-1", "x", "9" * 40, "%00"):
        assert site.ask(f"/runs?page={page}").status == 200


def test_filters_choose_the_items_and_pages_divide_them(site: Site, run_id: str) -> None:
    items = f"/runs/{run_id}/items"
    flipped = {f"q{number}" for number in range(ITEMS) if number % 3 == 0 and number % 5}
    assert set(listed(site, f"{items}?show=flipped")) == flipped
    assert set(listed(site, f"{items}?show=to-fail&condition=typo.1")) == flipped
    assert listed(site, f"{items}?show=flipped&condition=style.1") == []
    assert listed(site, f"{items}?show=to-pass") == []
    assert set(listed(site, f"{items}?show=flipped&cluster=odd")) == {each for each in flipped if int(each[1:]) % 2}
    assert listed(site, f"{items}?text=WHAT%20IS%2017") == ["q17"]
    assert set(listed(site, f"{items}?text=no+idea")) == flipped | {f"q{number}" for number in range(0, ITEMS, 5)}
    pages = [listed(site, f"{items}?order=dataset&page={number}") for number in (1, 2, 3)]
    assert [each for page in pages for each in page] == [f"q{number}" for number in range(ITEMS)]
    assert [*map(len, pages)] == [50, 10, 0]


def test_a_filter_that_the_run_does_not_have_is_named(site: Site, run_id: str) -> None:
    answer = site.ask(f"/runs/{run_id}/items?condition=typo.2")
    assert answer.status == 404
    assert "there is no" in answer.text
    assert "typo.1" in answer.text
    assert site.ask(f"/runs/{run_id}/items?show=nonsense").status == 404


def test_one_walks_from_item_to_item_by_keyboard(site: Site, run_id: str, browser: Browser) -> None:
    address = f"{site.address}/runs/{run_id}/items?show=flipped&order=dataset"
    with opened(browser, address, allowed=[site.address]) as page:
        page.get_by_role("link", name="q3", exact=True).press("Enter")
        expect(page.locator("h1")).to_have_text("q3")
        expect(page.locator(".pane ins").first).to_have_text("typo.1")
        expect(page.locator(".pane .verdict")).to_have_text(["pass", "fail"])
        page.get_by_role("link", name="style.1").press("Enter")
        expect(page.locator(".pane .verdict")).to_have_text(["pass", "pass"])
        page.get_by_role("link", name="Next item").press("Enter")
        expect(page.locator("h1")).to_have_text("q6")
        page.get_by_role("link", name="Back to the list").press("Enter")
        expect(page.locator("p[role=status]")).to_contain_text(f"16 of {ITEMS}")


def test_hostile_texts_stay_texts(hostile: Site, browser: Browser) -> None:
    """`opened` fails where a dialog opens, a request leaves, or anything is said on the console."""
    with opened(browser, f"{hostile.address}/runs", allowed=[hostile.address]) as page:
        expect(page.locator(".spark")).to_be_visible()
        page.locator(".runs h2 a").click()
        expect(page.locator("#verdict")).to_be_visible()
        page.get_by_role("link", name="Explore its items").click()
        page.locator(".which a").first.click()
        expect(page.locator(".pane")).to_have_count(2)
        assert visible(HOSTILE).split()[0] in page.locator("h1").inner_text()
        page.locator(".conditions a").last.click()
        expect(page.locator(".pane pre").first).to_contain_text("<script>alert(1)</script>")
        assert page.locator("main script").count() == 0
        assert_for_everyone(page)


@pytest.mark.parametrize(
    "path",
    [
        "/runs/../../etc/passwd",
        "/runs/..%2f..%2fetc%2fpasswd",
        "/runs/%2e%2e/%2e%2e/etc/passwd",
        "/runs/%2e%2e%2f%2e%2e%2fprt.db",
        "/runs/nothing",
        "/runs/nothing/items",
        "/runs/nothing/item?id=../../etc/passwd",
        "/runs/nothing/report.html",
        "/runs/%00",
        "/runs/%ff%fe",
        "/api/runs/nothing/headline",
        "/api/runs/..%2f..%2fprt.db/progress",
        "/static/../templates/page.html.j2",
        "/static/..%2ftemplates%2fpage.html.j2",
    ],
)
def test_what_is_not_there_is_not_found(site: Site, path: str) -> None:
    answer = site.ask(path)
    assert answer.status == 404
    assert "root:" not in answer.text
    assert "SQLite format" not in answer.text
    assert "Traceback" not in answer.text


def test_items_are_looked_up_by_value(site: Site, run_id: str) -> None:
    for item in ("../../etc/passwd", "q1/../q2", "%2e", "%ff", "' OR 1=1 --", "q1%00"):
        answer = site.ask(f"/runs/{run_id}/item?id={quote(item, safe='%')}")
        assert answer.status == 404, item
    assert site.ask(f"/runs/{run_id}/report.exe").status == 404


def test_files_are_those_of_the_command_line(site: Site, run_id: str) -> None:
    with open_store(site.settings.store) as store:
        report = analyse_run(load_run(store, run_id))
    for form, written in (("json", report_json), ("csv", report_csv), ("md", report_markdown)):
        answer = site.ask(f"/runs/{run_id}/report.{form}")
        assert answer.text == written(report)
        assert answer.headers["content-disposition"] == f'attachment; filename="{run_id}.{form}"'
    page = Elements(site.ask(f"/runs/{run_id}/report.html").text)
    assert page.named("link") == [{"rel": "icon", "href": "data:,"}]
    assert any(each.get("id") == "explorer-data" for each in page.named("script"))


def test_the_beginning_of_an_id_leads_to_the_run(site: Site, run_id: str) -> None:
    for wanted in ("latest", "bench", run_id[:-2]):
        answer = site.ask(f"/runs/{wanted}")
        assert (answer.status, answer.headers["location"]) == (303, f"/runs/{run_id}")


@pytest.mark.sqlite
def test_no_store_yet_is_said_with_what_to_do(tmp_path: Path, serve: Serve, browser: Browser) -> None:
    site = serve(Settings(str(tmp_path / "none.db")))
    with opened(browser, f"{site.address}/runs", allowed=[site.address]) as page:
        expect(page.locator("main")).to_contain_text("prt run CONFIG --store")
        assert_for_everyone(page)
    assert not (tmp_path / "none.db").exists()
    assert site.ask("/runs/latest").status == 400
    (tmp_path / "none.db").write_text("This is no database, and stays as it is.")
    answer = site.ask("/runs")
    assert (answer.status, "can&#39;t be listed" in answer.text) == (200, True)
    assert (tmp_path / "none.db").read_text().startswith("This is no database")


def config_of(folder: Path, model: dict[str, Json], *, items: int) -> None:
    rows = [
        {
            "id": f"q{at}",
            "question": f"{at}: which city is in Spain?",
            "options": ["Rome", "Madrid"],
            "answer": "Madrid",
        }
        for at in range(items)
    ]
    (folder / "cities.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    config: dict[str, Json] = {
        "name": "live",
        "model": model,
        "dataset": "cities.jsonl",
        "perturbations": ["reorder"],
        "limits": {"concurrency": 2},
    }
    (folder / "prt.yaml").write_text(yaml.safe_dump(config))


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "prt.runner", "run", "prt.yaml", "--store", "prt.db"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PRT_HTML": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until_listed(site: Site, process: subprocess.Popen[str]) -> str:
    """Wait until the run of a process is listed as under way, and give its id."""
    while True:
        if found := re.search(r'data-run="(live-[^"]+)"', site.ask("/runs").text):
            return found[1]
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        assert process.stderr is not None
        pytest.fail(process.stderr.read())


def test_a_run_under_way_is_followed_to_its_end(tmp_path: Path, serve: Serve, browser: Browser) -> None:
    (tmp_path / "answering.py").write_text(ANSWERING)
    config_of(tmp_path, {"provider": "python", "callable": "answering.py:answer"}, items=10)
    site = serve(Settings(str(tmp_path / "prt.db")))
    with running(tmp_path) as process:
        run = until_listed(site, process)
        with opened(browser, f"{site.address}/runs/{run}", allowed=[site.address]) as page:
            expect(page.locator(".said-progress")).to_have_text("The run is under way: 8 of 20 cells have a result.")
            expect(page.locator("progress")).to_have_attribute("value", "8")
            expect(page.locator("#looked .note")).to_contain_text("By status: 8 graded.")
            expect(page.locator("#looked .note")).to_contain_text("left")
            expect(page.locator("#progress")).to_contain_text("A verdict on part of the cells can still change")
            assert_for_everyone(page)
            page.get_by_role("link", name="Show the figures so far").click()
            (tmp_path / "go").touch()
            expect(page.locator(".said-progress")).to_have_text("The run is complete: 20 of 20 cells have a result.")
            expect(page.locator("#progress-said")).to_have_text("The run is complete: 20 of 20 cells have a result.")
            page.get_by_role("link", name="Show the figures of the whole run").click()
            expect(page.locator("#progress")).to_have_count(0)
            expect(page.locator(".card .figure").first).to_contain_text("100.0%")
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0, out + err


@pytest.mark.local_model
@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="needs llama.cpp (the extra `local`)")
def test_a_run_of_the_embedded_model_is_followed(tmp_path: Path, serve: Serve, browser: Browser) -> None:
    config_of(tmp_path, {"provider": "local"}, items=5)
    site = serve(Settings(str(tmp_path / "prt.db")))
    with running(tmp_path) as process:
        run = until_listed(site, process)
        with opened(browser, f"{site.address}/runs/{run}", allowed=[site.address]) as page:
            page.set_default_timeout(60_000)
            seen = [page.locator("progress").get_attribute("value")]
            expect(page.locator(".said-progress")).to_contain_text("The run is complete: 10 of 10", timeout=120_000)
            seen.append(page.locator("progress").get_attribute("value"))
        assert process.wait(60) == 0
    assert int(seen[0] or 0) < int(seen[1] or 0) == 10


def test_readers_meet_no_error_while_a_run_writes(tmp_path: Path, serve: Serve) -> None:
    (tmp_path / "answering.py").write_text(ANSWERING.replace("number >= 4", "number >= 30"))
    config_of(tmp_path, {"provider": "python", "callable": "answering.py:answer"}, items=40)
    site = serve(Settings(str(tmp_path / "prt.db")))
    with running(tmp_path) as process, ThreadPoolExecutor(24) as pool:
        run = until_listed(site, process)
        paths = [
            "/runs",
            f"/runs/{run}",
            f"/runs/{run}/items",
            f"/api/runs/{run}/progress",
            f"/api/runs/{run}/headline",
        ]
        answers = [*pool.map(lambda at: site.ask(paths[at % len(paths)]), range(120))]
        (tmp_path / "go").touch()
        answers += pool.map(lambda at: site.ask(paths[at % len(paths)]), range(60))
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert {answer.status for answer in answers} == {200}


def test_one_who_goes_away_takes_nothing_from_others(site: Site, run_id: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    connection.request("GET", f"/api/runs/{run_id}/headline")
    connection.close()
    assert site.ask(f"/api/runs/{run_id}/headline").status == 200
