"""Duels on pages: those of the store as `prt duel` prints them, what can't be rebuilt, and pasted comparisons."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from playwright.sync_api import Browser, FilePayload, expect
from prt.runner.commands.duel import Bars
from prt.runner.commands.duel_opening import prepare
from prt.runner.commands.duel_run import ask_both, concluded
from prt.runner.duel.findings import Duel
from prt.runner.duel.rebuilding import Rebuilt, rebuilt
from prt.runner.duel.stored import stored_duels
from prt.runner.reports.duel_json import duel_json
from prt.runner.serving.pages.duels import address, example
from prt.runner.serving.settings import Settings
from prt.runner.store.database import open_store
from pydantic import JsonValue as Json
from rich.console import Console

from ...browser import LOOKS, Scheme, opened
from ..command_line import CommandLine
from ..duel.test_duel_run import BRIEF, answering, judging, shorter
from ..fault_server import FaultServer
from .site import Answer, Site, assert_for_everyone

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e"
LONGER: dict[str, Json] = {
    "id": "longer",
    "description": "The answer is long.",
    "grader": "rule",
    "rule": {"kind": "length", "wins": "longer"},
}
SCHEMA: dict[str, Json] = {
    "id": "json",
    "description": "It is JSON.",
    "grader": "rule",
    "rule": {"kind": "json", "json_schema": "schema.json"},
}
DUELS: dict[str, tuple[list[Json], str]] = {
    "fair": ([{"id": "brief", "description": "It is short: $${not a variable}."}, LONGER], "shorter"),
    "partial": ([{"id": "brief", "description": "It is short."}], "first"),
    "rules": ([LONGER], ""),
    "file": ([SCHEMA, LONGER], ""),
    "lost": ([SCHEMA], ""),
}


Value = TypeVar("Value")
BAD = "id,model_a,model_b,score\nq1,new,old,7\nq1,old,new,1\nq2,new,<b>other</b>,1\n"


def in_thread(work: Callable[[], Value]) -> Value:
    """Do something in a thread, since the browser's event loop has this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


class World:
    """A store of duels, and what the command printed of each as JSON."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = str(folder / "prt.db")
        self.printed: dict[str, Any] = {}

    def fight(self, config: dict[str, Json]) -> None:
        """Ask, judge and conclude as `prt duel` does."""
        name = str(config["name"])
        path = self.folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
        self.printed[name] = json.loads(duel_json(self._concluded(path)))

    def _concluded(self, path: Path) -> Duel:
        quiet = Console(quiet=True)
        prepared = prepare(path, told=quiet, alarming=quiet)
        with open_store(self.store) as store:
            asked = asyncio.run(ask_both(prepared, store, fresh=False))
            return concluded(prepared, store, asked, Bars(None, None), fresh=False)[0]

    def path(self, name: str, page: str = "/duels/stored") -> str:
        """The address of a duel."""
        with open_store(self.store) as store:
            return next(address(duel, page) for duel in stored_duels(store) if duel.name == name)


def config(name: str, dimensions: list[Json], model: str, judge: str | None) -> dict[str, Json]:
    def block(called: str, url: str) -> dict[str, Json]:
        return {"name": called, "base_url": url, "timeout_s": 5, "retry": {"retries": 0}}

    return {
        "name": name,
        "model": block("m", model),
        "dataset": "items.jsonl",
        "prompts": {"baseline": {"system": "Answer."}, "candidate": {"system": BRIEF}},
        "dimensions": dimensions,
        **({"judge": block("j", judge)} if judge else {}),
    }


@pytest.fixture(scope="module", autouse=True)
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    made = World(tmp_path_factory.mktemp("duels"))
    rows = [{"id": f"q{n}" if n else HOSTILE, "question": f"Say {n}."} for n in range(12)]
    (made.folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (made.folder / "schema.json").write_text('{"type": "object"}', encoding="utf-8")
    with (
        pytest.MonkeyPatch.context() as patch,
        FaultServer(by=answering) as model,
        FaultServer(by=judging(shorter)) as fair,
        FaultServer(by=judging(lambda _first, _second: "A")) as first,
    ):
        patch.setenv("OPENAI_API_KEY", "k")
        judges = {"shorter": fair.base_url, "first": first.base_url}
        for name, (dimensions, judge) in DUELS.items():
            made.fight(config(name, dimensions, model.base_url, judges.get(judge)))
    return made


@pytest.fixture(scope="module")
def site(serve: Callable[[Settings], Site], world: World) -> Site:
    return serve(Settings(world.store))


def sent(site: Site, path: str = "/duels/comparisons", **fields: str) -> Answer:
    """Send a form as a browser does."""
    whole = {"rows": example(), "candidate": "new", "baseline": "old", "alpha": "0.05", "margin": "0.05", **fields}
    edge = "edge"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in whole.items()
    ]
    body = ("".join(parts) + f"--{edge}--\r\n").encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={edge}", "Origin": site.address}
    return site.ask(path, method="POST", headers=headers, body=body)


@pytest.mark.parametrize("name", ["fair", "partial", "rules"])
def test_a_duel_of_the_store_comes_out_as_it_was_printed(site: Site, world: World, name: str) -> None:
    saved = json.loads(site.ask(world.path(name, "/duels/stored/json")).text)
    printed = world.printed[name]
    assert saved.pop("source") == name
    assert saved == {key: value for key, value in printed.items() if key != "source"}


def test_its_page_has_the_tables_the_bias_and_the_prompts(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/duels", allowed=(site.address,)) as page:
        assert page.locator("tbody th").all_inner_texts() == [*reversed(DUELS)]
        page.get_by_role("link", name="partial", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("partial")
        expect(page.locator("#verdict")).to_contain_text("INCONCLUSIVE in brief")
        cells = [
            table.locator("tbody tr").first.locator("th, td").all_inner_texts() for table in page.locator("table").all()
        ]
        assert cells[0] == ["brief", "INCONCLUSIVE", "0.0/0.0/100.0", "50.0%", "37.9 to 62.1", "1", "12"]
        assert cells[1] == ["brief", "0", "12", "12", "0", ".0005", "+50.0", "YES, first"]
        expect(page.locator(".caveats")).to_contain_text("the judge favours what is shown first")
        expect(page.locator("#prompts ins").last).to_have_text(" briefly")


def test_lost_queries_are_shown_with_both_answers_and_hostile_ids_are_text(
    browser: Browser, site: Site, world: World
) -> None:
    with opened(browser, site.address + world.path("rules"), allowed=(site.address,)) as page:
        lost = page.locator("#lost details").first
        expect(lost.locator("summary")).to_have_text("</script><img src=x onerror=alert(1)>\\u202e")
        assert lost.locator(".pane pre").all_inner_texts() == ["0.", "I think that it may well be 0."]
        assert page.locator("img").count() == 0


def test_what_the_store_lacks_is_named_and_the_rest_is_shown(browser: Browser, site: Site, world: World) -> None:
    with opened(browser, site.address + world.path("file"), allowed=(site.address,)) as page:
        expect(page.get_by_role("heading", name="Some of this duel")).to_be_visible()
        expect(page.locator("main")).to_contain_text("json: its rule reads the file schema.json")
        expect(page.locator("#verdict")).to_have_text("▼ WORSE in longer")
        expect(page.locator("main")).to_contain_text("a verdict may look clearer than it was")
    saved = json.loads(site.ask(world.path("file", "/duels/stored/json")).text)
    assert saved["notes"][0].startswith("not judged again, since the store lacks something: `json`")


def test_a_duel_that_cannot_be_rebuilt_says_so_and_what_is_known(site: Site, world: World) -> None:
    shown = site.ask(world.path("lost"))
    assert shown.status == 200
    assert "This duel can&#39;t be judged again" in shown.text or "This duel can't be judged again" in shown.text
    assert "two prompts" in shown.text
    assert "Save the duel" not in shown.text
    assert site.ask(world.path("lost", "/duels/stored/json")).status == 400


def test_a_verdict_of_another_question_is_none_of_this_one(world: World) -> None:
    """A twin: the dimension reads otherwise than what the judge was asked."""

    def both() -> tuple[Rebuilt, Rebuilt]:
        with open_store(world.store) as store:
            duel = next(each for each in stored_duels(store) if each.name == "partial")
            other: list[Json] = [{"id": "brief", "description": "Another one.", "grader": "pairwise"}]
            sides = (
                replace(run, config={**run.config, "dimensions": other}) for run in (duel.baseline, duel.candidate)
            )
            baseline, candidate = sides
            return rebuilt(store, duel), rebuilt(store, replace(duel, baseline=baseline, candidate=candidate))

    asked, twin = in_thread(both)
    assert asked.duel is not None
    assert twin.duel is None
    assert twin.lacking == (("brief", "the store has no verdict of a judge on any of its 24 questions"),)


@pytest.mark.parametrize(
    "path",
    [
        "/duels/stored",
        "/duels/stored?baseline=x&candidate=../../etc/passwd",
        "/duels/stored/json?baseline=%ED%A0%80&candidate=%FF",
        "/duels/stored/exe?baseline=x&candidate=y",
    ],
)
def test_a_duel_that_is_not_there_is_said_so(site: Site, path: str) -> None:
    assert site.ask(path).status == 404


@pytest.mark.parametrize("way", ["with scripts", "without"])
def test_pasted_comparisons_are_analysed(browser: Browser, site: Site, way: str) -> None:
    scripts = way == "with scripts"
    with opened(browser, f"{site.address}/duels", scripts=scripts, allowed=(site.address,)) as page:
        page.get_by_role("button", name="Analyse").click()
        expect(page.locator("#verdict")).to_contain_text("BETTER in helpful; INCONCLUSIVE in brief")
        assert page.get_by_label("Rows of a judge").input_value() == example()


def test_their_figures_are_those_of_the_command_to_the_last_digit(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    file = prt.write("rows.csv", example())
    words = prt("duel", "--comparisons", file, "--candidate", "new", "--baseline", "old", "--json").json
    saved = json.loads(sent(site, "/duels/comparisons/json").text)
    assert {**saved, "source": words["source"]} == words
    shown = sent(site).text
    for each in words["dimensions"]:
        assert f"<td>{each['verdict']}</td>" in shown
        rate = each["rate"]
        assert f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}" in shown


def test_every_bad_row_is_told_and_what_was_typed_is_kept(site: Site) -> None:
    answer = sent(site, rows=BAD, alpha="0.1")
    assert answer.status == 422
    assert "<b>line 2</b>" in answer.text
    assert "<b>line 4</b>" in answer.text
    assert "&lt;b&gt;other&lt;/b&gt;" in answer.text
    assert "<b>other" not in answer.text
    assert 'value="0.1"' in answer.text
    assert "q1,old,new,1" in answer.text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"candidate": ""}, "name the candidate and the baseline"),
        ({"candidate": "old"}, "name the same model"),
        ({"candidate": "nobody"}, "the candidate &#34;nobody&#34; stands in no row"),
        ({"margin": "0.5"}, "a number from 1e-06 to 0.499"),
        ({"rows": ""}, "Nothing was read"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(site: Site, fields: dict[str, str], told: str) -> None:
    answer = sent(site, **fields)
    assert (answer.status, told in answer.text) == (422, True)
    assert "One row" not in answer.text
    assert sent(site, "/duels/comparisons/json", **fields).status == 422


@pytest.mark.sqlite
def test_a_file_stands_for_the_box_and_nothing_is_stored(browser: Browser, site: Site, world: World) -> None:
    before = Path(world.store).read_bytes()
    file = example().replace("new", HOSTILE[:9]).encode()
    rows: FilePayload = {"name": "rows.csv", "mimeType": "text/csv", "buffer": file}
    with opened(browser, f"{site.address}/duels", allowed=(site.address,)) as page:
        page.get_by_label("Or a file").set_input_files(rows)
        page.get_by_label("Candidate").fill(HOSTILE[:9])
        page.get_by_role("button", name="Analyse").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("</script> against old")
        assert_for_everyone(page)
    assert Path(world.store).read_bytes() == before


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_everyone_can_use_the_pages(browser: Browser, site: Site, world: World, scheme: Scheme, width: int) -> None:
    for path in ("/duels", *map(world.path, DUELS)):
        with opened(browser, site.address + path, width=width, scheme=scheme, allowed=(site.address,)) as page:
            assert_for_everyone(page)


def test_everyone_can_read_what_is_wrong(browser: Browser, site: Site) -> None:
    # The answer is no success, which browsers say on the console; so this page is opened by itself.
    page = browser.new_page(viewport={"width": 375, "height": 900})
    page.goto(f"{site.address}/duels")
    page.get_by_label("Rows of a judge").fill(BAD)
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("alert")).to_contain_text("line 2")
    assert_for_everyone(page)
    page.close()


@pytest.mark.sqlite
def test_without_a_store_comparisons_can_be_pasted(browser: Browser, serve: Callable[[Settings], Site]) -> None:
    none = serve(Settings("nowhere.db"))
    with opened(browser, f"{none.address}/duels", allowed=(none.address,)) as page:
        expect(page.locator("main")).to_contain_text("there is no such store")
        page.get_by_role("button", name="Analyse").click()
        expect(page.locator("#verdict")).to_contain_text("BETTER in helpful")
    assert not Path("nowhere.db").exists()
