"""Batches: everything is answered once, whatever becomes of a batch; nothing is sent twice; what came is kept."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from prt.runner.config.limits import LimitsConfig, PricesConfig
from prt.runner.config.schema import OpenAIModel
from prt.runner.engine import batch_requests
from prt.runner.engine.batch_run import run_in_batches
from prt.runner.engine.budget import Budget, Purse
from prt.runner.engine.stopping import Stop
from prt.runner.engine.summary import RunSummary
from prt.runner.models.batch_interface import BatchInterface
from prt.runner.models.batches import open_batches
from prt.runner.store.batches import batches_of

from ..batch_server import (
    BatchServer,
    Line,
    Plan,
    answered,
    answers_by_text,
    not_reached,
    prompt_of,
    refused,
)
from ..fault_server import Behaviour, Call, fails, resets_in_the_body, shows_a_page
from ..models.asking import KEY, FakeTime
from ..run_fakes import Bench, FakeGrader, FakeModel, make_world


@dataclass(slots=True)
class Asking:
    """A world that is asked in batches of a server, again and again, each time as by a new process."""

    bench: Bench
    server: BatchServer
    time: FakeTime = field(default_factory=FakeTime)
    told: list[str] = field(default_factory=list)
    on_tell: Callable[[str], None] = lambda _: None

    def tell(self, line: str) -> None:
        self.told.append(line)
        self.on_tell(line)

    def __call__(
        self,
        *,
        limits: LimitsConfig | None = None,
        prices: PricesConfig | None = None,
        stop: Stop | None = None,
        cancels: bool = False,
        fresh: bool = False,
        batch: dict[str, Any] | None = None,
        **model: Any,
    ) -> RunSummary:
        config = OpenAIModel.model_validate(
            {
                "name": "asked-model",
                "base_url": self.server.base_url,
                "mode": "batch",
                "batch": batch,
                "params": {"max_tokens": 5},
                "retry": {"retries": 1, "first_wait_s": 0},
                **model,
            }
        )
        world, limits = self.bench.world, limits or LimitsConfig()
        purse = Purse(Budget(limits), 5, prices)
        with self.bench.open() as store:
            return asyncio.run(
                run_in_batches(
                    lambda: iter(world.cells()),
                    batches=open_batches(
                        config, env={"OPENAI_API_KEY": KEY}, progress=self.tell, pace=self.time.pace()
                    ),
                    model=FakeModel(),
                    grader=FakeGrader(),
                    store=store,
                    run=self.bench.begin(store, fresh=fresh),
                    total=world.total,
                    stop=stop or Stop(),
                    tell=self.tell,
                    max_error_rate=limits.max_error_rate,
                    give_up_after=limits.give_up_after,
                    purse=purse,
                    on_done=self.bench.note,
                    cancels=cancels,
                )
            )

    def reason(self, item_id: str) -> str:
        """Why an item has no result under the baseline."""
        grade = self.bench.results()[item_id, "baseline", 0].grade
        assert grade is not None
        return grade.reason

    def under_way(self) -> list[str]:
        with self.bench.open() as store:
            return [each.batch_id for each in batches_of(store, self.bench.begin(store))]


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    with BatchServer() as server:
        yield Asking(Bench(tmp_path / "prt.db"), server)


def only(texts: set[str], line: Callable[[Line], Line | None]) -> Callable[[Line], Line | None]:
    """Answer the requests with these texts by a line of another kind."""
    return lambda request: line(request) if question_of(request) in texts else answers_by_text(request)


def question_of(request: Line) -> str:
    """The question in a request that is asked under the baseline."""
    return prompt_of(request).partition("Question: ")[2].partition(" (baseline)")[0]


def test_all_cells_are_answered_by_one_batch_and_graded(asking: Asking) -> None:
    summary = asking()
    assert (summary.state, summary.asked, summary.calls, summary.reused) == ("complete", 8, 8, 0)
    assert (summary.prompt_tokens, summary.completion_tokens) == (56, 24)
    results = asking.bench.results()
    assert len(results) == 8
    assert all(
        result.grade is not None and result.grade.passed == (condition == "baseline")
        for (_, condition, _), result in results.items()
    )
    ((first, *_),) = asking.server.requests()
    assert (first["method"], first["url"]) == ("POST", "/v1/chat/completions")
    assert (first["body"]["model"], first["body"]["max_tokens"]) == ("asked-model", 5)
    assert asking.under_way() == []


def test_no_key_is_in_a_request_and_the_key_is_in_each_call(asking: Asking) -> None:
    asking()
    assert all(each["Authorization"] == f"Bearer {KEY}" for each in asking.server.headers)
    assert KEY not in "".join(content for _, content in asking.server.files.values())


def test_a_finished_run_makes_no_call(asking: Asking) -> None:
    asking()
    calls = len(asking.server.calls)
    assert asking().state == "complete"
    assert len(asking.server.calls) == calls


def test_identical_cells_are_asked_once_and_count_as_one_call(tmp_path: Path) -> None:
    with BatchServer() as server:
        asking = Asking(Bench(tmp_path / "prt.db", world=make_world(3, same=True)), server)
        summary = asking()
        assert (summary.done, summary.asked, summary.reused, summary.calls) == (6, 1, 5, 1)
        assert len(server.asked()) == 1


def test_a_batch_holds_no_more_requests_than_it_may(asking: Asking) -> None:
    asking(batch={"max_requests": 3})
    assert [len(lines) for lines in asking.server.requests()] == [3, 3, 2]
    assert len(set(asking.server.asked())) == 8


def test_a_batch_holds_no_more_bytes_than_it_may(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    asking()
    size = len(next(iter(asking.server.files.values()))[1].splitlines()[0]) + 1
    monkeypatch.setattr("prt.runner.engine.batch_requests.MOST_BYTES", 3 * size + 30)
    asking(fresh=True)
    assert [len(lines) for lines in asking.server.requests()] == [8, 3, 3, 2]


def test_a_request_that_no_batch_can_hold_is_an_error_of_its_cell(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prt.runner.engine.batch_filling.MOST_BYTES", 10)
    summary = asking()
    assert (summary.state, summary.by_status, asking.server.calls) == ("incomplete", {"error": 8}, [])
    assert asking.reason("q1").endswith("bytes, and a batch may have 10")


def test_looks_become_rarer_up_to_the_longest_wait(asking: Asking) -> None:
    asking.server.plans = [Plan(steps=["in_progress"] * 7)]
    asking(batch={"poll_s": 30})
    assert asking.time.slept == [5, 10, 20, 30, 30, 30, 30]


def test_progress_is_told_when_it_changes(asking: Asking) -> None:
    asking.server.plans = [Plan(steps=["validating", "in_progress", "in_progress", "finalizing"])]
    asking()
    (batch,) = asking.server.batches
    assert [line.removeprefix(f"{batch}: ") for line in asking.told[1:]] == [
        "in_progress, 0 of 8 requests answered",
        "finalizing, 0 of 8 requests answered",
        "completed, 8 of 8 requests answered",
    ]


def test_requests_that_failed_for_the_moment_are_asked_again_in_a_batch_of_their_own(asking: Asking) -> None:
    once = only({"What is 1?", "What is 2?"}, lambda request: refused(request, 429, "too many"))
    asking.server.plans = [Plan(answer=once), Plan()]
    summary = asking()
    assert [len(lines) for lines in asking.server.requests()] == [8, 2]
    assert (summary.state, summary.calls) == ("complete", 10)
    assert asking.bench.results()["q1", "baseline", 0].reply.attempts == 2


def test_retries_are_exact(asking: Asking) -> None:
    asking.server.plans = [Plan(answer=only({"What is 1?"}, lambda request: refused(request, 503, "overloaded")))]
    summary = asking(retry={"retries": 2})
    assert [len(lines) for lines in asking.server.requests()] == [8, 1, 1]
    assert (summary.state, summary.missing) == ("incomplete", 1)
    reply = asking.bench.results()["q1", "baseline", 0].reply
    assert reply.error is not None
    assert (reply.error.kind, reply.attempts) == ("server", 3)
    assert reply.error.message.endswith("answered 503: overloaded (asked 3 times)")


def test_errors_that_asking_again_can_not_mend_are_not_asked_again(asking: Asking) -> None:
    asking.server.plans = [
        Plan(answer=only({"What is 1?"}, lambda request: refused(request, 400, "max_tokens is not supported")))
    ]
    summary = asking()
    assert (len(asking.server.batches), summary.missing) == (1, 1)
    assert "model.params.max_tokens" in asking.reason("q1")


def test_a_refusal_by_a_filter_is_a_reply(asking: Asking) -> None:
    line = only({"What is 1?"}, lambda request: refused(request, 400, "filtered", "content_filter"))
    asking.server.plans = [Plan(answer=line)]
    assert asking().state == "complete"
    assert asking.bench.results()["q1", "baseline", 0].reply.finish_reason == "content_filter"


def test_what_an_expired_batch_did_not_get_to_is_asked_again(asking: Asking) -> None:
    late = only({"What is 1?", "What is 3?"}, not_reached)
    asking.server.plans = [Plan("expired", answer=late), Plan()]
    assert asking().state == "complete"
    assert [len(lines) for lines in asking.server.requests()] == [8, 2]


def test_what_expires_each_time_is_an_error_in_the_end(asking: Asking) -> None:
    asking.server.plans = [Plan("expired", answer=only({"What is 1?"}, not_reached))]
    assert asking().missing == 1
    assert "the batch expired before it was answered" in asking.reason("q1")


def test_a_request_that_is_called_cancelled_in_a_batch_that_was_not_is_not_asked_for_ever(asking: Asking) -> None:
    asking.server.plans = [Plan(answer=only({"What is 1?"}, lambda request: not_reached(request, "batch_cancelled")))]
    assert asking().missing == 1
    assert len(asking.server.batches) == 2
    assert "though its batch was not" in asking.reason("q1")


def doubled_and_damaged(text: str) -> str:
    """The lines twice, the first of the copies damaged, with strangers among them."""
    lines = text.splitlines(keepends=True)
    strange = '{"custom_id": "' + "0" * 64 + '", "response": null}\n'
    return "".join([*lines, lines[0][:20] + "\n", "\n", "[]\n", '{"custom_id": 7}\n', strange, *lines])


def test_lines_twice_damaged_or_of_strangers_change_nothing(asking: Asking) -> None:
    asking.server.plans = [Plan(rewrite=doubled_and_damaged)]
    summary = asking()
    assert (summary.state, summary.calls, len(asking.server.batches)) == ("complete", 8, 1)
    assert "12 lines left aside" in asking.told[-1]


def test_requests_without_a_readable_line_are_asked_again(asking: Asking) -> None:
    def lost(text: str) -> str:
        return "".join(line[:-9] + "\n" if at == 2 else line for at, line in enumerate(text.splitlines(keepends=True)))

    asking.server.plans = [Plan(answer=only({"What is 0?"}, lambda _: None), rewrite=lost), Plan()]
    assert asking().state == "complete"
    assert [len(lines) for lines in asking.server.requests()] == [8, 2]


def test_answers_without_choices_are_asked_again_and_told(asking: Asking) -> None:
    asking.server.plans = [Plan(answer=only({"What is 1?"}, lambda request: answered(request, "", choices=None)))]
    assert asking().missing == 1
    assert "`choices: null`" in asking.reason("q1")


def test_half_a_surrogate_pair_in_a_line_is_kept_as_a_replacement(asking: Asking) -> None:
    asking.server.plans = [Plan(answer=only({"What is 1?"}, lambda request: answered(request, "\ud800")))]
    asking()
    assert asking.bench.results()["q1", "baseline", 0].reply.text == "\ufffd"


def test_a_key_that_an_endpoint_repeats_is_hidden(asking: Asking) -> None:
    def repeats_it(request: Line) -> Line:
        first = question_of(request) == "What is 1?"
        return refused(request, 400, f"no {KEY}") if first else answered(request, KEY)

    asking.server.plans = [Plan(answer=repeats_it)]
    asking()
    assert {result.reply.text for result in asking.bench.results().values()} == {"", "[hidden]"}
    assert asking.reason("q1").endswith("answered 400: no [hidden]")


def test_a_refused_file_is_told_in_the_words_of_the_endpoint_with_its_line(asking: Asking) -> None:
    problem: dict[str, Any] = {
        "code": "invalid_model",
        "line": 3,
        "message": "The model `m` takes no batches.",
        "param": None,
    }
    asking.server.plans = [Plan("failed", errors=[problem, problem])]
    summary = asking()
    assert summary.state == "stopped"
    assert summary.reason.endswith("was refused: line 3 (q1, baseline): The model `m` takes no batches (and 1 more)")
    assert (asking.under_way(), len(asking.server.batches)) == ([], 1)


def test_a_refused_file_costs_nothing_and_the_same_command_sends_it_anew(asking: Asking) -> None:
    asking.server.plans = [Plan("failed", errors=[{"message": "no"}]), Plan()]
    asking()
    assert asking(limits=LimitsConfig(max_calls=8)).state == "complete"


def test_what_the_queue_has_no_room_for_waits_for_another_batch(asking: Asking) -> None:
    full = Plan("failed", errors=[{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}])
    asking.server.plans = [Plan(steps=["in_progress"] * 4), full, full, Plan()]
    summary = asking(batch={"max_requests": 3}, limits=LimitsConfig(max_calls=8))
    assert (summary.state, summary.calls) == ("complete", 8)
    assert sorted(asking.server.asked()) == sorted(set(asking.server.asked()))


def test_a_queue_that_has_no_room_for_the_only_batch_is_told_with_what_to_do(asking: Asking) -> None:
    full = Plan("failed", errors=[{"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}])
    asking.server.plans = [full]
    summary = asking(batch={"max_requests": 3})
    assert summary.reason.endswith("Enqueued token limit reached; lower model.batch.max_requests")
    assert len(asking.server.batches) == 3


def test_a_batch_that_was_cancelled_at_the_endpoint_is_not_sent_anew_by_itself(asking: Asking) -> None:
    part = only({"What is 1?"}, lambda request: not_reached(request, "batch_cancelled"))
    asking.server.plans = [Plan("cancelled", answer=part), Plan()]
    summary = asking()
    assert (summary.state, summary.done, len(asking.server.batches)) == ("stopped", 7, 1)
    assert "was cancelled at the endpoint" in summary.reason
    assert asking().state == "complete"
    assert [len(lines) for lines in asking.server.requests()] == [8, 1]


def test_a_bad_key_in_a_request_stops_the_run_and_keeps_what_came(asking: Asking) -> None:
    asking.server.plans = [
        Plan(answer=only({"What is 1?"}, lambda request: refused(request, 429, "no money", "insufficient_quota")))
    ]
    summary = asking()
    assert (summary.state, summary.done, len(asking.server.batches)) == ("stopped", 7, 1)
    assert "has no quota left for this key" in summary.reason


def test_where_nothing_is_answered_nothing_is_asked_again(asking: Asking) -> None:
    asking.server.plans = [Plan(answer=lambda request: refused(request, 503, "down"))]
    summary = asking(limits=LimitsConfig(give_up_after=5))
    assert (summary.state, len(asking.server.batches)) == ("stopped", 1)
    assert "no request was answered, and 8 requests failed, the first so: " in summary.reason


def interrupted_by(asking: Asking, told: str) -> Stop:
    """A stop that is set once something is told that ends so."""
    stop = Stop()
    asking.on_tell = lambda line: stop.set() if line.endswith(told) else None
    return stop


def test_an_interrupt_leaves_batches_under_way_and_the_next_command_collects_them(asking: Asking) -> None:
    summary = asking(stop=interrupted_by(asking, "in_progress, 0 of 8 requests answered"))
    (batch,) = asking.server.batches
    assert summary.state == "stopped"
    assert summary.reason == (
        f"it was interrupted; 1 batch goes on at the endpoint ({batch}): the same command collects them, with --cancel "
        "it cancels them"
    )
    assert asking.under_way() == [batch]
    again = asking()
    assert (again.state, again.asked, list(asking.server.batches)) == ("complete", 8, [batch])


def test_a_second_interrupt_ends_the_grading_of_what_batches_brought(asking: Asking) -> None:
    asking.server.plans = [Plan("cancelled")]
    stop = Stop()
    asking.on_tell = lambda line: stop.drop() if "cancelled, 8 of 8 requests answered" in line else None
    summary = asking(stop=stop)
    assert (summary.state, summary.done) == ("stopped", 0)
    asking.on_tell = lambda _: None
    again = asking()
    assert (again.state, again.done, again.asked, len(asking.server.batches)) == ("complete", 8, 0, 1)


def test_cancelling_keeps_what_was_answered(asking: Asking) -> None:
    part = only({"What is 1?"}, lambda request: not_reached(request, "batch_cancelled"))
    asking.server.plans = [Plan(steps=["in_progress"] * 50, answer=part), Plan()]
    asking(stop=interrupted_by(asking, "in_progress, 0 of 8 requests answered"))
    asking.on_tell = lambda _: None
    summary = asking(cancels=True)
    assert (summary.state, summary.done) == ("stopped", 7)
    assert summary.reason == "no batch is under way any more, as `--cancel` asked"
    assert asking.under_way() == []
    assert asking().state == "complete"
    assert [len(lines) for lines in asking.server.requests()] == [8, 1]


def test_a_batch_that_the_endpoint_does_not_know_is_told_and_can_be_forgotten(asking: Asking) -> None:
    asking(stop=interrupted_by(asking, "in_progress, 0 of 8 requests answered"))
    asking.on_tell = lambda _: None
    (batch,) = asking.server.batches
    asking.server.batches.clear()
    assert f"does not know the batch {batch}; if it was made with another key or project" in asking().reason
    asking(cancels=True)
    assert asking.under_way() == []
    assert asking().state == "complete"


class Killed(BaseException):
    """Stands for the death of a process."""


@pytest.mark.parametrize("died_in", ["file_id", "batch_id", None], ids=["sent", "begun", "collected"])
def test_a_process_that_dies_at_any_step_leaves_nothing_to_be_paid_twice(asking: Asking, died_in: str | None) -> None:
    attribute = "forget_batch" if died_in is None else "note_batch"
    original = getattr(batch_requests, attribute)

    def dies(*args: Any, **given: Any) -> Any:
        if died_in is None or given[died_in]:
            raise Killed
        return original(*args, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_requests, attribute, dies)
        with pytest.raises(Killed):
            asking()
    assert asking().state == "complete"
    assert (len(asking.server.batches), len(asking.server.asked())) == (1, 8)
    assert asking.server.count("POST", "/files") == 1
    with asking.bench.open() as store, store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM replies").scalar_one() == 8


def begun_without_an_answer(asking: Asking) -> Callable[[Call], Behaviour | None]:
    """Begin the first batch, and lose the answer to that on its way."""

    def loses_it(call: Call) -> Behaviour | None:
        if call.method == "POST" and call.path == "/v1/batches" and not asking.server.batches:
            asking.server.begin(call.json)
            return fails(502, message="bad gateway")
        return None

    return loses_it


def test_a_batch_whose_beginning_got_no_answer_is_looked_up_before_it_is_begun_again(asking: Asking) -> None:
    asking.server.before = begun_without_an_answer(asking)
    assert asking().state == "complete"
    assert len(asking.server.batches) == 1


def test_without_looking_it_up_it_would_be_paid_twice(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    async def finds_nothing(*_: object) -> None:
        return None

    monkeypatch.setattr(BatchInterface, "_found", finds_nothing)
    asking.server.before = begun_without_an_answer(asking)
    assert asking().state == "complete"
    assert len(asking.server.batches) == 2


def test_a_look_that_fails_for_the_moment_is_made_again(asking: Asking) -> None:
    def fails_now_and_then(call: Call) -> Behaviour | None:
        return fails(503) if call.method == "GET" and call.number % 2 == 0 else None

    asking.server.before = fails_now_and_then
    assert asking().state == "complete"


def test_a_file_of_answers_that_breaks_off_is_fetched_again(asking: Asking) -> None:
    broken: list[int] = []

    def breaks_off_once(call: Call) -> Behaviour | None:
        if call.path.endswith("/content") and not broken:
            broken.append(call.number)
            return resets_in_the_body()
        return None

    asking.server.before = breaks_off_once
    summary = asking()
    assert (summary.state, summary.calls, len(broken)) == ("complete", 8, 1)


@pytest.mark.parametrize("path", ["/v1/files", "/v1/batches"])
def test_an_endpoint_without_batches_is_told_with_what_to_do(asking: Asking, path: str) -> None:
    asking.server.before = lambda call: fails(404, message="Not Found") if call.path == path else None
    summary = asking()
    assert summary.state == "stopped"
    assert "where the endpoint has no batches, leave model.mode out" in summary.reason


def test_a_page_instead_of_an_answer_is_told(asking: Asking) -> None:
    asking.server.before = lambda call: shows_a_page() if call.path == "/v1/files" else None
    assert "sent an answer without `id`" in asking().reason


def test_max_calls_bounds_the_requests_of_a_command_and_the_next_goes_on(asking: Asking) -> None:
    summary = asking(limits=LimitsConfig(max_calls=5))
    assert (summary.state, summary.done) == ("stopped", 5)
    assert summary.reason == "limits.max_calls allows 5 calls; the same command goes on, with the whole budget again"
    assert asking(limits=LimitsConfig(max_calls=5)).state == "complete"
    assert [len(lines) for lines in asking.server.requests()] == [5, 3]


def test_max_tokens_is_never_exceeded_and_what_was_not_used_is_spent_on_further_batches(asking: Asking) -> None:
    summary = asking(limits=LimitsConfig(max_tokens=500))
    assert summary.prompt_tokens + summary.completion_tokens <= 500
    sizes = [len(lines) for lines in asking.server.requests()]
    assert len(sizes) > 1
    most = sum(len(prompt_of(line).encode()) + 16 + 5 for line in asking.server.requests()[0])
    assert most <= 500


def test_max_cost_is_reckoned_by_the_prices_of_batches(asking: Asking) -> None:
    dear = PricesConfig(input=1e6, output=1e6)
    cheap = PricesConfig.model_validate({"input": 1e6, "output": 1e6, "batch": {"input": 1, "output": 1}})
    assert asking(limits=LimitsConfig(max_cost=1.0), prices=dear).done == 0
    assert asking(limits=LimitsConfig(max_cost=1.0), prices=cheap).state == "complete"


def test_a_fresh_run_asks_everything_again(asking: Asking) -> None:
    asking()
    assert asking(fresh=True).asked == 8
    assert len(asking.server.asked()) == 16
