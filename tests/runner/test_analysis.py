"""Stored results to findings: each figure is over the right cells; what is missing is counted with its cause."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from prt.perturbations.variant import Variant
from prt.runner.analysis import analyse_run
from prt.runner.findings import ConditionFinding, LeftOut, Report, StatusCounts
from prt.runner.records import AnswerKey, Grade, Reply, ReplyError, Request
from prt.runner.reports.wording import conclusion, verdict_words
from prt.runner.results.read import read_results
from prt.runner.store.read import load_run
from prt.runner.table_analysis import analyse_table
from prt.stats import PairedTable

from .run_fakes import Bench, FakeGrader, FakeModel, World, equals_gold, make_item, make_variant

WORKED_EXAMPLE = """item,baseline,format,reorder,paraphrase,typo
q01,1,1,1,1,1
q02,1,1,1,1,1
q03,1,1,1,1,1
q04,1,1,1,1,1
q05,1,1,1,1,1
q06,1,1,1,1,1
q07,1,1,1,1,1
q08,1,0,0,0,1
q09,1,0,1,0,1
q10,1,0,1,0,1
q11,1,0,1,1,0
q12,1,0,1,1,0
q13,1,0,1,1,1
q14,1,0,1,1,1
q15,1,0,1,1,1
q16,0,0,0,0,0
q17,0,0,0,0,0
q18,0,0,0,0,0
q19,0,0,1,0,0
q20,0,0,0,1,0
"""


def with_outcome(variant: Variant, outcome: str, reason: str) -> Variant:
    return replace(variant, outcome=outcome, reason=reason)  # type: ignore[arg-type]  # a test's shorthand


def world_of(conditions: dict[str, list[str]], items: int = 12) -> World:
    """Items whose variants under each condition have the given outcomes, by item; applied where the list ends."""
    made = [make_item(number) for number in range(items)]
    return World(
        made,
        {
            item.id: [
                with_outcome(make_variant(item, name, f"{item.question.text} ({name})"), outcome, reason)
                for name, outcomes in {"baseline": [], **conditions}.items()
                for outcome, reason in [
                    (outcomes[at], "because") if at < len(outcomes) and outcomes[at] != "applied" else ("applied", "")
                ]
            ]
            for at, item in enumerate(made)
        },
    )


def table_of(finding: ConditionFinding) -> PairedTable:
    assert finding.summary.table is not None
    return finding.summary.table


def report_of(bench: Bench, model: FakeModel, grader: FakeGrader | None = None) -> Report:
    bench.run(model, grader=grader, max_error_rate=1.0)
    with bench.open() as store:
        return analyse_run(load_run(store, "latest"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


def test_the_worked_example_has_the_published_figures() -> None:
    report = analyse_table(read_results(None, WORKED_EXAMPLE), alpha=0.05, margin=0.05)
    found = {each.summary.condition: each for each in report.conditions}
    changed = {name: each.summary for name, each in found.items()}
    change = changed["format"].change
    assert [round(100 * figure, 1) for figure in (change.estimate, change.low, change.high) if figure is not None] == [
        -40.0,
        -58.3,
        -14.3,
    ]
    assert round(changed["format"].exact.pvalue or 0, 4) == 0.0078
    assert report.summary.bonferroni_bar == 0.0125
    assert (table_of(found["reorder"]).flips, changed["reorder"].change.estimate) == (2, 0.0)
    overall = report.summary.overall
    assert (overall.pooled_flip_rate.count, overall.pooled_flip_rate.n) == (16, 80)
    assert (overall.fully_stable.count, overall.fully_stable.n) == (10, 20)
    assert overall.robust_rate.estimate == 0.35


def test_reruns_made_elsewhere_are_the_noise_floor_and_no_variant() -> None:
    table = WORKED_EXAMPLE.replace("reorder", "rerun.1")
    report = analyse_table(read_results(None, table), alpha=0.05, margin=0.05)
    assert [each.summary.condition for each in report.conditions] == ["format", "paraphrase", "typo"]
    assert [(each.role, each.summary.condition) for each in report.apart] == [("rerun", "rerun.1")]
    assert report.summary.tests == 3
    excess = report.conditions[0].summary.excess
    assert excess is not None
    assert excess.excess.estimate == pytest.approx(8 / 20 - 2 / 20)


def test_what_was_not_asked_leaves_the_pair_and_is_counted_with_its_reason(bench: Bench) -> None:
    bench.world = world_of({"typo.1": ["unchanged", "not_applicable", "rejected"]})
    report = report_of(bench, FakeModel())
    found = report.conditions[0]
    assert (found.summary.n, found.summary.without_variant) == (9, 3)
    assert set(found.left_out) == {
        LeftOut("unchanged", "because", 1),
        LeftOut("not_applicable", "because", 1),
        LeftOut("rejected", "because", 1),
    }


def test_a_failed_call_is_a_missing_cell_and_not_a_wrong_answer(bench: Bench) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        if request.item_id == "q3" and request.condition == "typo.1":
            return Reply(error=ReplyError("server", "503"))
        return Reply(text=request.item_id[1:])

    bench.world = world_of({"typo.1": []})
    report = report_of(bench, FakeModel(answer))
    found = report.conditions[0]
    assert (found.summary.n, table_of(found).pass_to_fail) == (11, 0)
    assert found.statuses == StatusCounts(graded=11, error=1)
    assert found.left_out == (LeftOut("error", "503", 1),)


def test_an_unread_answer_counts_as_fail_and_the_change_among_read_ones_stands_beside(bench: Bench) -> None:
    def judge(reply: Reply, key: AnswerKey) -> Grade:
        return Grade(False, "unparsed", reason="no label") if reply.text == "?" else equals_gold(reply, key)  # noqa: FBT003 - passed

    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        lost = request.condition == "typo.1" and request.item_id in {"q1", "q2", "q3"}
        return Reply(text="?" if lost else request.item_id[1:])

    bench.world = world_of({"typo.1": []})
    found = report_of(bench, FakeModel(answer), FakeGrader(judge)).conditions[0]
    assert (found.summary.change.estimate, found.summary.n) == (-0.25, 12)
    assert found.parsed_change is not None
    assert (found.parsed_change.estimate, found.parsed_change.n) == (0.0, 9)
    assert found.statuses == StatusCounts(graded=9, unparsed=3)


def test_a_rerun_stands_apart_and_moves_no_figure_of_the_headline(bench: Bench) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(text="?" if request.condition == "rerun.1" else request.item_id[1:])

    bench.world = world_of({"typo.1": [], "rerun.1": []})
    report = report_of(bench, FakeModel(answer))
    assert [each.summary.condition for each in report.conditions] == ["typo.1"]
    assert [(each.role, table_of(each).pass_to_fail) for each in report.apart] == [("rerun", 12)]
    assert report.summary.overall.robust_rate.estimate == 1.0
    assert report.summary.tests == 1


def test_the_items_that_flip_most_come_first_with_both_prompts_and_answers(bench: Bench) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        wrong = {"q4": {"a.1", "b.1"}, "q2": {"b.1"}}.get(request.item_id, set())
        return Reply(text="wrong" if request.condition in wrong else request.item_id[1:])

    bench.world = world_of({"a.1": [], "b.1": []})
    flipped = report_of(bench, FakeModel(answer)).flipped
    assert [(each.item_id, each.flips, each.compared, each.condition) for each in flipped] == [
        ("q4", 2, 2, "a.1"),
        ("q2", 1, 2, "b.1"),
    ]
    assert flipped[0].gold == "4"
    assert "(a.1)" in flipped[0].variant_prompt
    assert "(a.1)" not in flipped[0].prompt
    assert (flipped[0].baseline.text, flipped[0].variant.text) == ("4", "wrong")
    assert (flipped[0].baseline.passed, flipped[0].variant.passed) == (True, False)


def test_an_endpoint_that_answers_as_two_models_is_named(bench: Bench) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(text="1", model="m-1" if request.condition == "baseline" else "m-2")

    bench.world = world_of({"typo.1": []})
    report = report_of(bench, FakeModel(answer))
    assert report.source.resolved_models == ("m-1", "m-2")
    assert any("m-1, m-2" in note for note in report.notes)


def test_a_condition_that_applies_to_no_item_takes_nothing_from_the_others(tmp_path: Path) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        wrong = request.condition == "typo.1" and request.item_id in {"q1", "q2"}
        return Reply(text="wrong" if wrong else request.item_id[1:])

    none = ["not_applicable"] * 12
    conditions: list[dict[str, list[str]]] = [
        {"typo.1": [], "format.1": []},
        {"paraphrase.1": none, "typo.1": [], "style.1": none, "format.1": []},
    ]
    plain, report = (
        report_of(Bench(tmp_path / f"{number}.db", world_of(each)), FakeModel(answer))
        for number, each in enumerate(conditions)
    )
    names = ["paraphrase.1", "typo.1", "style.1", "format.1"]
    assert [(each.summary.condition, each.summary.n) for each in report.conditions] == list(
        zip(names, [0, 12, 0, 12], strict=True)
    )
    assert [each.condition for each in report.summary.conditions] == names
    assert report.not_compared == ("paraphrase.1", "style.1")
    assert (report.summary.overall, report.summary.item_stability, report.summary.tests) == (
        plain.summary.overall,
        plain.summary.item_stability,
        2,
    )
    assert [each.summary for each in report.compared] == [each.summary for each in plain.conditions]
    assert report.summary.overall.robust_rate.estimate == pytest.approx(10 / 12)
    assert "paraphrase.1 and style.1 applied to no item and count in no figure over all variants." in conclusion(report)
    assert plain.not_compared == ()
    assert "applied to no item" not in conclusion(plain)


def test_where_no_condition_applies_it_is_said_and_nothing_is_called_robust(bench: Bench) -> None:
    bench.world = world_of({"style.1": ["not_applicable"] * 12, "typo.1": ["unchanged"] * 12})
    report = report_of(bench, FakeModel())
    assert report.compared == ()
    said = conclusion(report)
    assert "no variant has a result to compare with it. style.1 and typo.1 applied to no item." in said
    assert {verdict_words(each, report) for each in report.conditions} == {"not asked"}


def test_a_condition_whose_calls_all_fail_has_no_result_which_is_not_the_same_as_not_asked(bench: Bench) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        if request.condition == "typo.1":
            return Reply(error=ReplyError("server", "503"))
        return Reply(text=request.item_id[1:])

    bench.world = world_of({"typo.1": [], "format.1": []})
    report = report_of(bench, FakeModel(answer))
    assert [verdict_words(each, report) for each in report.conditions] == ["no result", "too few items"]
    assert report.summary.overall.robust_rate.estimate == 1.0
    assert "typo.1 has no item to compare and counts in no figure over all variants." in conclusion(report)


def test_a_column_without_results_made_elsewhere_takes_nothing_from_the_others() -> None:
    more = "\n".join(
        f"{line},{'style' if at == 0 else ''}" for at, line in enumerate(WORKED_EXAMPLE.strip().split("\n"))
    )
    report = analyse_table(read_results(None, more), alpha=0.05, margin=0.05)
    plain = analyse_table(read_results(None, WORKED_EXAMPLE), alpha=0.05, margin=0.05)
    assert report.not_compared == ("style",)
    assert report.summary.overall == plain.summary.overall
    assert "style has no item to compare and counts in no figure over all variants." in conclusion(report)


def test_where_the_baseline_passes_nothing_no_verdict_comforts() -> None:
    rows = "".join(f"q{at},0,0\n" for at in range(120))
    report = analyse_table(read_results(None, "item,baseline,typo\n" + rows), alpha=0.05, margin=0.05)
    (found,) = report.conditions
    assert found.summary.verdict == "no_worse"
    assert verdict_words(found, report) == "says nothing"
    assert "says nothing about robustness" in conclusion(report)


def test_cells_not_asked_yet_are_missing_for_that_reason(bench: Bench) -> None:
    bench.world = world_of({"typo.1": []})
    with bench.open() as store:
        run = bench.begin(store)
        report = analyse_run(load_run(store, run.id))
    assert report.summary.overall.baseline_rate.n == 0
    assert report.baseline_left_out == (LeftOut("no_reply", "not asked yet", 12),)
    assert report.flipped == ()
