"""Series of nights on pages: the list, the history with releases, a night with its digest, and the ways there."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect
from prt.runner.nightly.summary import ConditionNight, Flip, NightSummary, summary_json
from prt.runner.reports.digest import digest_of
from prt.runner.reports.text import visible
from prt.runner.reports.trend import row
from prt.runner.serving.settings import Settings
from prt.runner.store.nights import put_night

from ...browser import LOOKS, Scheme, opened
from ..nightly.nights import a_night, decision, rate
from ..run_fakes import Bench
from .site import Site, assert_for_everyone

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
MODELS, PRINTS = ("m-2",), ("fp_2",)
NIGHTS = (
    a_night(1, pinned=True),
    a_night(2, decision()),
    a_night(3, verdict="incomplete", rates=(None, None), models=()),
    a_night(4, decision(), models=MODELS, fingerprints=PRINTS),
    a_night(
        5,
        decision(alarm=True, look=3),
        models=MODELS,
        fingerprints=PRINTS,
        rates=(0.5, 0.4),
        flips=(Flip(HOSTILE, "typo.1", passes=False),),
        conditions=(ConditionNight("typo.1", rate(-0.08), "regressed", 0.001),),
    ),
)


@pytest.fixture(scope="module")
def site(serve: Callable[[Settings], Site], tmp_path_factory: pytest.TempPathFactory) -> Site:
    path = tmp_path_factory.mktemp("nights") / "prt.db"
    bench = Bench(path)
    with bench.open() as store:
        run = bench.begin(store)

        def put(series: str, night: NightSummary) -> None:
            put_night(store, series, run.number, summary_json(replace(night, series=series, run=run.id)))

        for night in NIGHTS:
            put("triage", night)
        put(HOSTILE, NIGHTS[0])
        for number in range(20):
            put(f"series {number:02}", NIGHTS[0])
    return serve(Settings(str(path)))


def series(name: str) -> str:
    return f"/trends/series?{urlencode({'name': name})}"


def test_the_list_says_how_each_series_stands(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/trends", allowed=(site.address,)) as page:
        assert page.locator("tbody tr").count() == 20
        first = page.locator("tbody tr").first
        expect(first).to_contain_text("onerror=alert(1)>\\u202e")
        expect(first).to_contain_text("90.0% (86.0 to 94.0; n 200)")
        assert page.locator("img").count() == 0
        page.get_by_role("link", name="Next").click()
        expect(page.locator("tbody tr")).to_have_count(2)
        triage = page.locator("tbody tr").last
        expect(triage).to_contain_text("ALARM, proven worse")
        expect(triage).to_contain_text("50.0% (46.0 to 54.0; n 200)")


def test_a_history_has_every_figure_of_the_command_with_charts_and_releases(browser: Browser, site: Site) -> None:
    with opened(browser, site.address + series("triage"), allowed=(site.address,)) as page:
        expect(page.locator("#verdict")).to_contain_text("the last night: ALARM, proven worse")
        assert page.locator("figure svg").count() == 3
        expect(page.locator("#nights")).to_contain_text("R1: from night 4 on m-2, fp_2 answered.")
        shown = [line.locator("th, td").all_inner_texts() for line in page.locator("#nights tbody tr").all()]
    for night, cells in zip(NIGHTS, shown, strict=True):
        mark = "R1" if night.night == 4 else ""
        assert cells[:-1] == [*row(night, mark)]


def test_a_night_has_its_digest_its_run_and_what_it_was_held_against(browser: Browser, site: Site) -> None:
    with opened(browser, site.address + series("triage"), allowed=(site.address,)) as page:
        page.locator("#nights").get_by_role("link", name="5", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("triage, night 5")
        said = page.locator(".verdict-box").inner_text()
        night = replace(NIGHTS[4], run="x")
        for _, fact in digest_of(night, NIGHTS[3]).facts:
            assert " ".join(visible(fact).split()) in " ".join(said.split())
        compared = page.get_by_role("link", name="Compared with the baseline triage")
        assert "/compare?a=triage-0&b=" in (compared.get_attribute("href") or "")
        assert (page.get_by_role("link", name="The run").get_attribute("href") or "").startswith("/runs/")
        expect(page.locator("#flips")).to_contain_text("onerror=alert(1)>\\u202e")
        assert page.locator("img").count() == 0
        page.get_by_role("link", name="Night 4, the one before").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("triage, night 4")
        page.get_by_role("link", name="The whole series").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("triage")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/trends/series?name=triag", "there is no series of nights"),
        ("/trends/series", "there is no series of nights"),
        ("/trends/series?name=../../etc/passwd", "there is no series of nights"),
        ("/trends/night?name=triage&night=6", "The series has no night 6; it has 1 to 5"),
    ],
)
def test_what_is_not_there_is_said_so(site: Site, path: str, told: str) -> None:
    answer = site.ask(path)
    assert (answer.status, told in answer.text) == (404, True)


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("path", ["/trends", series("triage"), series(HOSTILE), "/trends/night?name=triage&night=5"])
def test_everyone_can_use_the_pages(browser: Browser, site: Site, path: str, scheme: Scheme, width: int) -> None:
    with opened(browser, site.address + path, width=width, scheme=scheme, allowed=(site.address,)) as page:
        assert_for_everyone(page)


def test_without_nights_the_page_says_what_makes_them(
    browser: Browser, serve: Callable[[Settings], Site], tmp_path: Path
) -> None:
    bench = Bench(tmp_path / "prt.db")
    bench.open().close()
    for store in (tmp_path / "prt.db", tmp_path / "none.db"):
        here = serve(Settings(str(store)))
        with opened(browser, f"{here.address}/trends", allowed=(here.address,)) as page:
            expect(page.get_by_role("heading", level=2)).to_have_text("There are no nights yet")
            assert_for_everyone(page)
    assert not (tmp_path / "none.db").exists()
