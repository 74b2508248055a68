"""What a run took: calls, tokens, cost and seconds, counted for each condition and together."""

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.analysis import analyse_run
from prt.runner.findings import Latency, Usage
from prt.runner.records import Reply, ReplyError, Request
from prt.runner.reports.usage import usage_sentences
from prt.runner.store.read import load_run
from prt.runner.usage import QUANTILES, latency_of
from pydantic import JsonValue as Json

from .run_fakes import Bench, FakeModel, make_world, number_in

PRICES: dict[str, Json] = {"prices": {"input": 2.0, "output": 10.0, "currency": "EUR"}}


async def timed(request: Request) -> Reply:
    """A second for the first item, two for the next one, and so on; the last item's call fails under the variant."""
    await asyncio.sleep(0)
    number = int(request.item_id[1:])
    if number == 9 and request.condition != "baseline":
        return Reply(error=ReplyError("timeout", "no answer in 60 s"), attempts=3)
    return Reply(
        text=str(number), prompt_tokens=100, completion_tokens=None if number == 8 else 10, latency_s=number + 1.0
    )


def usage(bench: Bench) -> Usage:
    with bench.open() as store:
        found = analyse_run(load_run(store, "latest")).usage
    assert found is not None
    return found


def test_calls_tokens_cost_and_seconds_are_counted_for_each_condition(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=10))
    with bench.open() as store:
        bench.begin(store, config=PRICES)
    bench.run(FakeModel(timed))
    with bench.open() as store:
        bench.begin(store, config=PRICES)
    found = usage(bench)
    baseline, typo = found.conditions
    assert [baseline.condition, typo.condition] == ["baseline", "typo.1"]
    assert (baseline.replies, baseline.failed, baseline.calls) == (10, 0, 10)
    assert (typo.replies, typo.failed, typo.calls) == (10, 1, 12)
    assert (baseline.with_tokens, baseline.prompt_tokens, baseline.completion_tokens) == (9, 900, 90)
    assert baseline.cost == pytest.approx((900 * 2 + 90 * 10) / 1e6)
    assert found.currency == "EUR"
    assert baseline.latency == Latency(10, 5.0, 9.0, 10.0)
    assert typo.latency == Latency(9, 5.0, 9.0, 9.0)
    assert (found.total.replies, found.total.calls, found.total.prompt_tokens) == (20, 22, 1700)
    assert found.total.cost == pytest.approx((baseline.cost or 0) + (typo.cost or 0))


def test_replies_of_an_earlier_run_are_told_apart(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=3))
    bench.run(FakeModel(number_in), name="first")
    assert usage(bench).total.reused == 0
    bench.run(FakeModel(number_in), name="second")
    assert usage(bench).total.reused == 6


def test_no_reply_took_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=3))
    with bench.open() as store:
        bench.begin(store)
        assert analyse_run(load_run(store, "latest")).usage is None


def test_what_was_not_timed_has_no_seconds_and_what_has_no_price_no_cost(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=3))
    bench.run(FakeModel(number_in))
    found = usage(bench)
    assert found.total.latency == Latency(0, None, None, None)
    assert found.total.cost is None
    assert [*usage_sentences(found)] == ["6 calls for 6 replies; 30 tokens in, 6 out."]


def test_quantiles_are_times_that_were_observed() -> None:
    seconds = np.arange(1.0, 101.0)
    assert latency_of([seconds]) == Latency(100, 50.0, 90.0, 99.0)
    # Interpolated between neighbours, as percentiles often are, they would be times of no call.
    assert float(np.quantile(seconds, 0.5)) == 50.5


@given(st.lists(st.lists(st.floats(min_value=0, exclude_min=True), max_size=30), min_size=1, max_size=4))
def test_quantiles_of_several_conditions_are_those_of_all_their_answers(seconds: list[list[float]]) -> None:
    ascending = [np.sort(np.array(each)) for each in seconds]
    every = np.concatenate(ascending)
    expected = np.quantile(every, QUANTILES, method="inverted_cdf").tolist() if every.size else [None] * 3
    assert latency_of(ascending) == Latency(every.size, *expected)


def test_ranks_are_those_of_numpy() -> None:
    for answers in (*range(1, 1002), 4321, 100_000):
        seconds = np.arange(1.0, answers + 1)
        expected = np.quantile(seconds, QUANTILES, method="inverted_cdf").tolist()
        assert latency_of([seconds]) == Latency(answers, *expected)


def test_the_sentences_say_what_is_known(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", make_world(items=10))
    bench.run(FakeModel(timed))
    found = usage(bench)
    first, second = usage_sentences(replace(found, total=replace(found.total, cost=0.0123, reused=4), currency="EUR"))
    assert first == (
        "22 calls for 20 replies, 1 of them failed, 4 taken from an earlier run; 1,700 tokens in, 170 out "
        "(17 of 20 say so); 0.0123 EUR."
    )
    assert second.startswith("Of 19 timed answers, half within 5 s, 90% within 9 s, 99% within 10 s")
