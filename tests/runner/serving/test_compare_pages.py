"""Comparing on a page: what `prt compare` prints, what is unfair by name, and the items that changed side by side."""

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser, expect
from prt.runner.comparing.listing import changed_between
from prt.runner.serving.settings import Settings
from prt.runner.store.baselines import set_baseline
from prt.runner.store.database import open_store
from prt.runner.store.read import load_run
from prt.runner.store.runs import list_runs
from pydantic import JsonValue as Json

from ...browser import LOOKS, Scheme, opened
from ..command_line import CommandLine
from ..comparing.worlds import Made, always, put
from .site import Answer, Site, assert_for_everyone

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
RUNS = (
    Made("before"),
    Made("after", passes=lambda _, condition: 0.9 if condition == "baseline" else 0.5),
    Made("cut", troubled=always(0.4)),
    Made("shifted", first_item=60),
    Made("alien", items=5, first_item=5000),
    Made(HOSTILE, reworded="typo.1"),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of runs, the first of which is the baseline `main`; they have impact and gates where these matter."""
    path = tmp_path_factory.mktemp("compare") / "prt.db"
    gate: Json = {"figure": "pass_rate", "against": "compared", "fail_if_worse_than": 0.05}
    with open_store(str(path)) as opened_store:
        for number, made in enumerate(RUNS):
            config: dict[str, Json] = {"impact": {"traffic": 1000}, "gates": [gate]} if made.name == "after" else {}
            named = put(opened_store, replace(made, config=config), number=number)
            if not number:
                set_baseline(opened_store, "main", named.run.record)
    return path


@pytest.fixture(scope="module")
def site(serve: Callable[[Settings], Site], store: Path) -> Site:
    here = serve(Settings(str(store)))
    # What draws takes seconds to load; no browser has to wait for it.
    assert here.ask(asked(a="main", b="after")).status == 200
    return here


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


class Texts(HTMLParser):
    """What a page says."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(answer.text)
        self.text = " ".join(" ".join(self.parts).split())

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def asked(path: str = "/compare", **query: str) -> str:
    return f"{path}?{urlencode(query, errors='surrogatepass')}"


def test_two_runs_are_chosen_from_lists_and_compared_without_scripts(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/compare", scripts=False, allowed=(site.address,)) as page:
        page.get_by_label("Reference").select_option("main")
        later = page.get_by_label("Later run").first
        label = next(text for text in later.locator("option").all_inner_texts() if text.startswith("after-"))
        later.select_option(label=label)
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("against main")
        expect(page.locator(".conclusion")).to_contain_text("is proven worse than main")
        expect(page.locator("#chart-comparison-1 svg")).to_be_visible()
        assert page.get_by_label("Reference").input_value() == "main"


def test_a_page_says_what_the_command_says(site: Site, prt: CommandLine, store: Path) -> None:
    found = prt("compare", "main", "after", "--store", str(store), "--json").json
    shown = Texts(site.ask(asked(a="main", b="after"))).text
    assert found["conclusion"] in shown
    for claim in found["claims"]:
        assert " ".join(claim["sentence"].split()) in shown
    assert "requests a day" in shown
    assert found["gates"][0]["gate"] in shown


@pytest.mark.parametrize(("form", "option"), [("json", "--json"), ("md", "--markdown")])
def test_what_is_saved_is_what_the_command_prints(
    site: Site, prt: CommandLine, store: Path, form: str, option: str
) -> None:
    answer = site.ask(asked(f"/compare/download/{form}", a="main", b="after"))
    assert answer.headers["content-disposition"] == f'attachment; filename="prt-comparison.{form}"'
    assert answer.text == prt("compare", "main", "after", "--store", str(store), option).out


def test_the_saved_page_is_whole(site: Site) -> None:
    answer = site.ask(asked("/compare/download/html", a="main", b="after"))
    assert answer.text.startswith("<!doctype html>")
    assert "<style>" in answer.text
    assert "/static/" not in answer.text
    assert "/compare/item" not in answer.text


def test_several_versions_are_each_held_against_the_reference(site: Site, prt: CommandLine, store: Path) -> None:
    found = prt("compare", "main", "after", "cut", "--store", str(store), "--json").json
    shown = Texts(site.ask(asked(a="main", b="after", b2="cut"))).text
    assert found["conclusion"] in shown
    assert all(each["conclusion"] in shown for each in found["comparisons"])


def test_what_is_not_fair_is_named_and_compared_once_it_is_allowed(browser: Browser, site: Site) -> None:
    address = site.address + asked(a="main", b="shifted")
    with opened(browser, address, allowed=(site.address,)) as page:
        expect(page.get_by_role("alert")).to_contain_text("60 items only in the earlier run, 60 only in the later")
        assert_for_everyone(page)
        page.get_by_role("link", name="all the same").click()
        expect(page.locator(".caveats")).to_contain_text("60 of 120 are compared")
        expect(page.get_by_label("even where that is not fair")).to_be_checked()
        page.get_by_label("even where that is not fair").uncheck()
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("alert")).to_be_visible()


def test_what_cannot_be_compared_at_all_cannot_be_allowed(site: Site) -> None:
    shown = site.ask(asked(a="main", b="alien", allow="1"))
    assert "These runs can&#39;t be compared" in shown.text or "These runs can't be compared" in shown.text
    assert "none is alike in both" in shown.text
    assert "all the same" not in shown.text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"a": "main", "b": "nosuch"}, "there is no run"),
        ({"a": "main", "b": "after", "alpha": "2"}, "a number from 1e-06 to 0.5"),
        ({"a": "main", "b": "after", "margin": "<b>"}, "&#34;&lt;b&gt;&#34; is not allowed"),
    ],
)
def test_a_mistake_is_told_on_the_page_and_the_form_is_kept(site: Site, query: dict[str, str], told: str) -> None:
    answer = site.ask(asked(**query))
    assert answer.status == 422
    assert told in answer.text
    assert 'value="main" selected' in answer.text


def test_a_run_is_found_by_value_and_never_as_a_path(site: Site) -> None:
    for name in ("../../etc/passwd", "%", "_", "' or 1=1 --", "\ud800"):
        answer = site.ask(asked(a="main", b=name))
        assert (answer.status, "there is no run" in answer.text) == (422, True)


def test_all_items_that_changed_are_listed_by_the_page(site: Site, store: Path) -> None:
    with open_store(str(store)) as opened_store:
        every = changed_between(load_run(opened_store, "main"), load_run(opened_store, "after"))
    assert 100 < len(every) <= 150
    first, last = (site.ask(asked("/compare/items", a="main", b="after", page=str(at))).text for at in (1, 3))
    assert first.count('<th scope="row">') == 50
    assert last.count('<th scope="row">') == len(every) - 100
    assert f"Items 1 to 50 of {len(every)}." in first
    better = [each for each in every if "typo.2" in each.better]
    narrowed = site.ask(asked("/compare/items", a="main", b="after", way="better", condition="typo.2")).text
    assert narrowed.count('<th scope="row">') == len(better)
    assert f"of {len(better)}; {len(every)} changed in all." in narrowed


def test_one_item_is_shown_in_both_runs(browser: Browser, site: Site, store: Path) -> None:
    with open_store(str(store)) as opened_store:
        change = changed_between(load_run(opened_store, "main"), load_run(opened_store, "after"))[0]
    with opened(browser, site.address + asked("/compare/items", a="main", b="after"), allowed=(site.address,)) as page:
        page.get_by_role("link", name=change.item_id, exact=True).click()
        expect(page.get_by_role("heading", level=2).first).to_have_text(f"Under {change.foremost}")
        panes = page.locator(".pane")
        expect(panes.nth(0).locator(".verdict")).to_have_text("pass")
        expect(panes.nth(1).locator(".verdict")).to_have_text("fail")
        expect(page.get_by_text("The prompt, the same in both runs")).to_be_visible()
        page.get_by_role("link", name="style.1", exact=True).click()
        expect(page.get_by_role("heading", level=2).first).to_have_text("Under style.1")
        page.get_by_role("link", name="The comparison").click()
        expect(page.get_by_role("heading", name="What is proven")).to_be_visible()


def test_other_words_of_a_prompt_are_marked_and_hostile_names_are_text(browser: Browser, site: Site) -> None:
    query = {"a": "main", "b": HOSTILE, "allow": "1", "item": "q3", "condition": "typo.1"}
    with opened(browser, site.address + asked("/compare/item", **query), allowed=(site.address,)) as page:
        expect(page.locator("ins").last).to_have_text(" please")
        expect(page.locator(".facts")).to_contain_text("onerror=alert(1)>\\u202e against main")
        assert page.locator("img").count() == 0
        page.get_by_role("link", name="The comparison").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("\\u202e against main")
        assert page.locator("img").count() == 0


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"item": "nosuch"}, "there is no item"),
        ({"item": "q3", "condition": "<i>x"}, "not asked under the condition &lt;i&gt;x"),
    ],
)
def test_an_item_that_is_not_there_is_said_so(site: Site, query: dict[str, str], told: str) -> None:
    answer = site.ask(asked("/compare/item", a="main", b="after", **query))
    assert (answer.status, told in answer.text) == (404, True)


@pytest.mark.sqlite
def test_without_a_store_the_page_says_what_makes_one(browser: Browser, serve: Callable[[Settings], Site]) -> None:
    none = serve(Settings("nowhere.db"))
    with opened(browser, f"{none.address}/compare", allowed=(none.address,)) as page:
        expect(page.locator("main")).to_contain_text("there is no such store; `prt run` makes one")
        assert_for_everyone(page)
    assert not Path("nowhere.db").exists()


def test_an_item_of_any_id_has_its_page(serve: Callable[[Settings], Site], tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as opened_store:
        put(opened_store, Made("a", items=3), number=1)
        put(opened_store, Made("b", items=3, passes=always(0.0)), number=2)
        ids = [run.id for run in list_runs(opened_store)]
    here = serve(Settings(str(tmp_path / "prt.db")))
    answer = here.ask(f"/compare/item?a={quote(ids[1])}&b={quote(ids[0])}&item=q1")
    assert (answer.status, "Under baseline" in answer.text) == (200, True)


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize(
    "path",
    [
        "/compare",
        asked(a="main", b="after"),
        asked(a="main", b="after", b2="cut"),
        asked("/compare/items", a="main", b="after"),
        asked("/compare/item", a="main", b="after", item="q3", condition="typo.1"),
    ],
)
def test_everyone_can_use_the_pages(browser: Browser, site: Site, path: str, scheme: Scheme, width: int) -> None:
    with opened(browser, site.address + path, width=width, scheme=scheme, allowed=(site.address,)) as page:
        assert_for_everyone(page)


def test_the_form_is_worked_by_keys_alone(browser: Browser, site: Site) -> None:
    with opened(browser, site.address + asked(a="main", b="after"), allowed=(site.address,)) as page:
        page.get_by_label("Reference").focus()
        passed = []
        for _ in range(9):
            page.keyboard.press("Tab")
            passed.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        assert passed[:6] == ["b", "b2", "alpha", "margin", "allow", "Compare"]
        assert passed[6:] == [f"Save the comparison as {form}" for form in ("HTML", "JSON", "Markdown")]
