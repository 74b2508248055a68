"""Pages for tests: of runs, of tables, and of a run as large as they come."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
from prt.perturbations.question import Gold, Question
from prt.runner.analysis import analyse_run, read_results_of
from prt.runner.explorer import CellMap, cell_map, map_of_results
from prt.runner.explorer_texts import ShownAnswer, ShownItem, ShownVariant, texts_of
from prt.runner.findings import REPORT_SCHEMA_VERSION, ConditionFinding, Report, Source
from prt.runner.records import Reply, Request
from prt.runner.reports.html import ReportView, report_page
from prt.runner.store.read import load_run
from prt.stats import Outcomes, summarise

from .run_fakes import Bench, FakeModel, World, make_item, make_variant

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


async def wavering(request: Request) -> Reply:
    """Right under the original but for each fifth item; wrong under the first variant for each third one."""
    await asyncio.sleep(0)
    number = int(re.findall(r"\d+", request.item_id)[0])
    right = number % 5 != 0 and not (request.condition == "typo.1" and number % 3 == 0)
    return Reply(
        text=f"It is {number}" if right else "no idea",
        model="m-1",
        prompt_tokens=20,
        completion_tokens=4,
        latency_s=0.1 + number / 100,
    )


def run_view(folder: Path, *, items: int = 30, hostile: str = "") -> ReportView:
    """A run of so many items under three conditions; `hostile` stands in all of its texts and names.

    It is made in a thread of its own, since a browser that is open holds the event loop of the test's.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run_view, folder, items, hostile).result()


def _run_view(folder: Path, items: int, hostile: str) -> ReportView:
    made = []
    for number in range(items):
        item = make_item(number)
        question = Question(f"What is {number}? {hostile}")
        gold = Gold(texts=(f"It is {number}", hostile)) if hostile else Gold(texts=(f"It is {number}",))
        made.append(
            replace(
                item,
                id=f"{item.id} {hostile}".strip(),
                question=question,
                gold=gold,
                cluster=f"even {hostile}" if number % 2 == 0 else "odd",
            )
        )
    names = ("baseline", "typo.1", f"style.1 {hostile}".strip())
    variants = {
        item.id: [
            make_variant(item, name, item.question.text if name == "baseline" else f"{item.question.text} {name}")
            for name in names
        ]
        for item in made
    }
    bench = Bench(folder / "prt.db", World(made, variants))
    bench.run(FakeModel(wavering))
    with bench.open() as store:
        run = load_run(store, "latest")
        results = read_results_of(run)
        cells = map_of_results(results)
        return ReportView(analyse_run(run, results=results), cells, texts_of(run, results, cells))


def large_view(items: int = 10_000, conditions: int = 20, *, texts: int = 400) -> ReportView:
    """A run of so many items × conditions, with the texts of some."""
    draw = np.random.default_rng(8)
    hard = draw.random(items)
    names = ("baseline", *(f"typo.{number}" for number in range(1, conditions)))
    chances = 0.95 - 0.8 * hard[:, None] - np.linspace(0, 0.08, conditions)[None, :]
    results = (hard[:, None] * 0.3 + draw.random((items, conditions)) * 0.7 < chances + 0.25).astype(np.int8)
    results[draw.random((items, conditions)) < 0.01] = -1
    ids = tuple(f"item-{number:05}" for number in range(items))
    outcomes = Outcomes(results[:, :, None], ids, names, tuple(f"topic {number % 40}" for number in range(items)))
    unread = draw.random((items, conditions)) < 0.02
    cells = cell_map(outcomes, {}, asked=np.ones(results.shape, dtype=bool), unread=unread)
    summary = summarise(outcomes.without_clusters())
    report = Report(
        schema_version=REPORT_SCHEMA_VERSION,
        source=Source("run", "large-1", "model-x", store="large.db", started_at="2026-03-01T12:00:00+00:00"),
        summary=summary,
        conditions=tuple(ConditionFinding("perturbation", each) for each in summary.conditions),
    )
    telling = np.argsort(-cells.flips, kind="stable")[:texts]
    return ReportView(report, cells, tuple(large_item(cells, int(at)) for at in telling))


def large_item(cells: CellMap, at: int) -> ShownItem:
    """An item of about as much text as people ask."""
    prompt = f"Ticket {cells.items[at]}: " + "the customer wants a refund because the parcel came late. " * 4
    variants = tuple(
        ShownVariant(
            name,
            "applied",
            "",
            "",
            () if name == "baseline" else (12, -4, "tehm", 20, -3, "xyz", len(prompt) - 39),
            (ShownAnswer("The team is ", "B. Billing", ".", "B. Billing", passed=True, status="graded", reason=""),),
        )
        for name in cells.conditions
    )
    return ShownItem(cells.items[at], "A. Shipping", prompt, variants)


def written(view: ReportView, path: Path) -> Path:
    path.write_text(report_page(view), encoding="utf-8")
    return path


class Elements(HTMLParser):
    """The elements and the text of a page, as a parser reads it; fails where it is not well nested."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] not in (["script"], ["style"]):
            self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]
