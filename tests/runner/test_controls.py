"""Controls in a run: a model that ignores the question is found out, one that reads it isn't; no figure counts them."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from prt.perturbations import Control, Generator, Gold, Question, Rerun, Subject, Typo, baseline_variant, perturb
from prt.runner.analysis import analyse_run
from prt.runner.config.schema import GradeConfig
from prt.runner.findings import LeftOut, Report
from prt.runner.graders.base import make_grader
from prt.runner.records import Item, Reply, ReplyError, Request
from prt.runner.reports.machine import report_json, report_schema
from prt.runner.reports.terminal import print_report
from prt.runner.reports.wording import conclusion
from prt.runner.store.read import load_run
from prt.runner.tallies import role_of
from rich.console import Console

from .run_fakes import Bench, FakeGrader, FakeModel, World

Answer = Callable[[Request], Reply | str]
WITH_CONTROL: tuple[Generator, ...] = (Typo(rate=0.5), Control(), Rerun())


def larger_item(number: int) -> Item:
    """Two of three are answered by yes."""
    larger = number % 3 != 0
    question = Question(f"Is the number {number + 5 * larger} greater than the number {number + 2}?")
    return Item(id=f"q{number}", question=question, gold=Gold(texts=("Yes" if larger else "No",)), number=number)


def sum_item(number: int) -> Item:
    """Sums so far apart that no item's control is another item."""
    gold = Gold(texts=(str(100 * number + 31),))
    return Item(id=f"q{number}", question=Question(f"What is {100 * number} + 31?"), gold=gold, number=number)


def colour_item(number: int) -> Item:
    """An item of which no control is known."""
    return Item(id=f"q{number}", question=Question("What is the colour of coal?"), gold=Gold(texts=("black",)))


def world_of(items: Sequence[Item], generators: Sequence[Generator] = WITH_CONTROL, *, repeats: int = 1) -> World:
    subjects = [Subject(item.id, item.question, gold=item.gold) for item in items]
    return World(
        items,
        {each.item_id: [baseline_variant(each), *perturb(each, generators, seed=7)] for each in subjects},
        repeats,
    )


def reader(request: Request) -> str:
    """Answers what is asked, in whatever wording and with whatever typing mistakes."""
    question = request.messages[-1].content.partition("\n\n")[0]
    numbers = [int(figure) for figure in re.findall(r"\d+", question)]
    if "+" in question:
        return str(sum(numbers))
    return "Yes" if (numbers[0] > numbers[1]) != ('"No"' in question) else "No"


def by_heart(items: Sequence[Item]) -> Answer:
    """Knows the dataset's answers and looks at nothing but which item it is."""
    golds = {item.id: item.gold.texts[0] for item in items}
    return lambda request: golds[request.item_id]


def report_of(bench: Bench, world: World, answer: Answer, grader: str = "exact") -> Report:
    async def ask(request: Request) -> Reply:
        await asyncio.sleep(0)
        reply = answer(request)
        return Reply(text=reply, model="m-1") if isinstance(reply, str) else reply

    real = make_grader(GradeConfig.model_validate({"grader": grader}), base=Path())
    bench.world = world
    bench.run(FakeModel(ask), grader=FakeGrader(real.grade), max_error_rate=1.0)
    with bench.open() as store:
        return analyse_run(load_run(store, "latest"))


def printed(report: Report, width: int = 80) -> str:
    out = StringIO()
    print_report(report, Console(file=out, width=width, highlight=False, color_system=None))
    return out.getvalue()


def flat(report: Report) -> str:
    return " ".join(printed(report).split())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


def test_a_model_that_says_the_same_to_everything_looks_robust_and_is_found_out(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)]), lambda _: "Yes")
    overall = report.summary.overall
    assert (overall.fully_stable.count, overall.pooled_flip_rate.count) == (30, 0)
    (found,) = report.controls
    assert (found.response.verdict, found.response.n, found.response.right_before) == ("stays", 30, 20)
    assert found.response.same is not None
    assert (found.response.same.count, found.response.follows.count) == (30, 0)
    assert conclusion(report).endswith(
        "The model gives the old answer to questions whose right answer changed in 30 of 30 (100.0%, 88.6 to 100.0): "
        "its robustness may mean that it ignores the question."
    )
    said = "control.1: of 20 items answered rightly before, 0 (0.0%, 0.0 to 16.1) follow the change, 20 still give the"
    assert said in flat(report)


def test_a_model_that_answers_what_is_asked_follows_and_is_not_suspected(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)]), reader)
    (found,) = report.controls
    assert (found.response.verdict, found.response.follows.count, found.response.right_before) == ("follows", 30, 30)
    assert found.response.same is not None
    assert found.response.same.count == 0
    assert "ignores" not in conclusion(report)
    assert "The answers follow what is asked." in flat(report)


@pytest.mark.parametrize(("made", "grader"), [(larger_item, "exact"), (sum_item, "numeric"), (sum_item, "exact")])
def test_a_model_that_knows_the_dataset_by_heart_is_found_out(
    tmp_path: Path, made: Callable[[int], Item], grader: str
) -> None:
    items = [made(number) for number in range(30)]
    report = report_of(Bench(tmp_path / "heart.db"), world_of(items), by_heart(items), grader)
    assert report.summary.overall.robust_rate.estimate == 1.0
    assert report.controls[0].response.verdict == "stays"
    assert "may mean that it ignores the question" in conclusion(report)
    read = report_of(Bench(tmp_path / "read.db"), world_of(items), reader, grader)
    assert read.controls[0].response.verdict == "follows"


def test_where_a_grader_reads_only_right_answers_it_is_the_lost_ones_that_tell(bench: Bench) -> None:
    items = [larger_item(number) for number in range(30)]
    report = report_of(bench, world_of(items), by_heart(items), "contains")
    response = report.controls[0].response
    assert (response.verdict, response.same, response.follows.count) == ("fails", None, 0)
    assert "only 0 of 30 (0.0%, 0.0 to 11.4) of the items answered rightly are still answered rightly" in conclusion(
        report
    )
    assert "does not tell what a wrong answer was" in flat(report)


@pytest.mark.parametrize("answer", [reader, lambda _: "Yes"])
def test_no_figure_but_its_own_counts_a_control(tmp_path: Path, answer: Answer) -> None:
    items = [larger_item(number) for number in range(30)]
    without = [each for each in WITH_CONTROL if not isinstance(each, Control)]
    plain = report_of(Bench(tmp_path / "plain.db"), world_of(items, without), answer)
    report = report_of(Bench(tmp_path / "control.db"), world_of(items), answer)
    for name in Report.__slots__:
        if name not in {"controls", "source", "usage"}:
            assert getattr(report, name) == getattr(plain, name), name
    assert report.usage is not None
    assert plain.usage is not None
    of_others = [each for each in report.usage.conditions if not each.condition.startswith("control")]
    assert of_others == [*plain.usage.conditions]
    assert plain.controls == ()
    assert "Controls" not in printed(plain)


def test_a_control_taken_for_a_perturbation_would_condemn_the_model_that_reads(bench: Bench) -> None:
    """The twin: by the dataset's right answers every item that follows the change would be a flip."""
    world = world_of([larger_item(number) for number in range(30)])
    taken = {
        item: [replace(each, tier="checked", gold=None) if each.tier == "control" else each for each in variants]
        for item, variants in world.variants.items()
    }
    report = report_of(bench, World(world.items, taken), reader)
    assert [each.summary.verdict for each in report.conditions if each.summary.condition == "control.1"] == [
        "regressed"
    ]


def test_items_without_a_control_and_failed_calls_are_missing_with_their_causes(bench: Bench) -> None:
    def answer(request: Request) -> Reply | str:
        if request.item_id == "q4" and request.condition == "control.1":
            return Reply(error=ReplyError("server", "503"))
        return reader(request) if request.item_id != "q40" else "black"

    report = report_of(bench, world_of([*(larger_item(number) for number in range(12)), colour_item(40)]), answer)
    (found,) = report.controls
    assert (found.response.n, found.statuses.graded, found.statuses.error) == (11, 11, 1)
    assert LeftOut("error", "server: 503", 1) in found.left_out
    assert {(each.cause, each.n) for each in found.left_out} == {("error", 1), ("not_applicable", 1)}
    assert "control.1: 1 not applicable (numbers: no plain arithmetic" in flat(report)


def test_nine_items_get_figures_and_no_verdict(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(9)]), lambda _: "Yes")
    assert report.controls[0].response.verdict == "too_few"
    assert "Too few for a verdict" in flat(report)
    assert "ignores" not in conclusion(report)


def test_with_repeats_shares_stand_without_counts(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)], repeats=2), lambda _: "Yes")
    assert report.controls[0].response.verdict == "stays"
    assert "follow the change, 100.0% still give the old answer" in flat(report)


def test_a_run_of_nothing_but_controls_has_their_line(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(12)], [Control()]), lambda _: "Yes")
    assert "no variant has a result to compare with it" in conclusion(report)
    assert conclusion(report).endswith("it seems to ignore the question.")
    assert report.summary.tests == 0


def test_a_model_that_is_always_wrong_has_no_robustness_to_doubt(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)]), lambda _: "Maybe")
    assert report.controls[0].response.verdict == "stays"
    assert report.summary.overall.baseline_rate.count == 0
    assert conclusion(report).endswith("it seems to ignore the question.")
    assert "its robustness" not in conclusion(report)


def test_programs_get_the_same_figures(bench: Bench) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)]), lambda _: "Yes")
    found = json.loads(report_json(report))
    jsonschema.validate(found, report_schema())
    (control,) = found["controls"]
    assert control["response"]["condition"] == "control.1"
    assert (control["response"]["same"]["count"], control["response"]["same"]["n"]) == (30, 30)
    assert control["response"]["right"]["method"].startswith("Wilson")


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_wider_than_the_terminal(bench: Bench, width: int) -> None:
    report = report_of(bench, world_of([larger_item(number) for number in range(30)]), lambda _: "Yes")
    assert max(len(line) for line in printed(report, width).split("\n")) <= width


def test_the_tier_alone_makes_a_control() -> None:
    item = larger_item(1)
    (variant,) = perturb(Subject(item.id, item.question, gold=item.gold), [Control()], seed=1)
    assert role_of(variant.generator, variant.tier) == "control"
