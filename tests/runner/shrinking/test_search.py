"""The search, with a model made of a function: what is asked, when a prompt flips, and how it ends."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from prt.perturbations.question import Gold, Layout, Question
from prt.perturbations.variant import Edit, Variant
from prt.runner.engine.stopping import Stop
from prt.runner.errors import FatalReplyError, GraderError, StoreError, UsageError
from prt.runner.records import AnswerKey, Grade, Item, Reply, ReplyError, Request
from prt.runner.shrinking.asking import Asking
from prt.runner.shrinking.case import flipped_case
from prt.runner.shrinking.found import Shrunk
from prt.runner.shrinking.search import Shrinking, fewest_calls
from prt.runner.store.read import load_run
from prt.runner.store.results import put_replies
from prt.runner.store.schema import replies
from sqlalchemy import func, select

from ..run_fakes import Bench, FakeGrader, FakeModel, World, equals_gold, make_variant

WORDS = ["one", "two", "three", "four", "five", "six"]
Answers = Callable[[str, int], str]


def variant_of(item: Item, condition: str, text: str, *edits: Edit) -> Variant:
    """A variant whose prompt is the text alone."""
    return replace(make_variant(item, condition, text), question=Question(text, answer_form="none"), edits=edits)


def item_of(text: str) -> Item:
    return Item("q", Question(text, answer_form="none"), Gold(texts=("yes",)))


@dataclass(frozen=True, slots=True)
class Flip:
    """One item whose words may be written in capitals, one change each; a world for it and a stored run."""

    bench: Bench
    item: Item

    def shrink(
        self,
        answer: Answers,
        *,
        repeats: int = 1,
        allowed: int = 100,
        stop: Stop | None = None,
        grader: FakeGrader | None = None,
    ) -> tuple[Shrunk, FakeModel]:
        """Search with another model than that of the run."""
        model = model_of(answer)
        return self.search(model, repeats=repeats, allowed=allowed, stop=stop, grader=grader), model

    def search(
        self,
        model: FakeModel,
        *,
        repeats: int = 1,
        allowed: int = 100,
        stop: Stop | None = None,
        grader: FakeGrader | None = None,
        concurrency: int = 2,
    ) -> Shrunk:
        """Search with a model."""

        async def search() -> Shrunk:
            with self.bench.open() as store:
                run = load_run(store, "latest")
                asking = Asking(
                    run,
                    self.item,
                    model=model,
                    grader=grader or FakeGrader(),
                    concurrency=concurrency,
                    allowed=allowed,
                    stop=stop or Stop(),
                )
                async with asking:
                    return await Shrinking(flipped_case(run, self.item.id, "caps.1"), asking, repeats=repeats).run()

        return asyncio.run(search())


def model_of(answer: Answers) -> FakeModel:
    async def reply(request: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(text=answer(request.messages[-1].content, request.repeat))

    return FakeModel(reply)


def capitals(prompt: str) -> set[str]:
    return {word.lower() for word in prompt.split() if word.isupper()}


def needs(*words: str) -> Answers:
    """Right unless all of these words are in capitals."""
    return lambda prompt, _: "no" if set(words) <= capitals(prompt) else "yes"


@pytest.fixture
def flip(tmp_path: Path) -> Flip:
    text = " ".join(WORDS)
    item = item_of(text)
    edits, at = [], 0
    for word in WORDS:
        edits.append(Edit("text", at, word, word.upper(), "caps"))
        at += len(word) + 1
    variants = [variant_of(item, "baseline", text), variant_of(item, "caps.1", text.upper(), *edits)]
    bench = Bench(tmp_path / "prt.db", World([item], {"q": variants}))
    bench.run(model_of(needs(*WORDS)))
    return Flip(bench, item)


def kept(shrunk: Shrunk) -> list[str]:
    return [edit.before for edits in shrunk.changes for edit in edits]


def test_no_prompt_is_asked_twice_and_both_ends_once(flip: Flip) -> None:
    shrunk, model = flip.shrink(needs("two", "five"))
    asked = [request.messages for request in model.asked]
    assert kept(shrunk) == ["two", "five"]
    assert len(set(asked)) == len(asked) == shrunk.calls == shrunk.subsets + 2
    assert shrunk.guarantee == "smallest"


def test_where_every_change_is_needed_all_are_kept(flip: Flip) -> None:
    shrunk, _ = flip.shrink(needs(*WORDS))
    assert (kept(shrunk), shrunk.guarantee, shrunk.shrunk, shrunk.again) == (WORDS, "smallest", None, None)
    assert shrunk.whole
    assert shrunk.whole.answers[0].extracted == "no"


def test_a_prompt_is_asked_no_more_often_than_it_takes_to_settle_it(flip: Flip) -> None:
    shrunk, model = flip.shrink(needs("two"), repeats=5)
    per_prompt = {request.messages: 0 for request in model.asked}
    for request in model.asked:
        per_prompt[request.messages] += 1
    assert sorted(per_prompt.values())[-3:] == [5, 5, 3 + 5], "both ends, and what was found once more"
    assert set(sorted(per_prompt.values())[:-3]) == {3}
    assert (shrunk.again_flips and shrunk.again_flips.count, shrunk.state) == (5, "found")


@pytest.mark.parametrize(("flipping", "found"), [({0, 1, 2}, ["two"]), ({0, 4}, WORDS)])
def test_most_of_the_replies_decide(flip: Flip, flipping: set[int], found: list[str]) -> None:
    """Samples from the fifth on are those that are asked once more."""

    def answer(prompt: str, sample: int) -> str:
        if capitals(prompt) == set(WORDS):
            return "no"
        return "no" if "two" in capitals(prompt) and (sample in flipping or sample > 4) else "yes"

    shrunk, _ = flip.shrink(answer, repeats=5)
    assert kept(shrunk) == found


def test_replies_without_a_result_are_no_flip(flip: Flip) -> None:
    def lost(reply: Reply, key: AnswerKey) -> Grade:
        return Grade(None, "judge_error", reason="lost") if reply.text == "lost" else equals_gold(reply, key)

    def answer(prompt: str, _: int) -> str:
        found = capitals(prompt)
        return "no" if len(found) > 2 else "lost" if found else "yes"

    shrunk, _ = flip.shrink(answer, grader=FakeGrader(lost))
    assert len(kept(shrunk)) == 3
    gone, _ = flip.shrink(lambda prompt, _: "lost" if capitals(prompt) else "yes", grader=FakeGrader(lost))
    assert gone.state == "gone"
    assert "caps.1 passes in 0 of 0" in gone.reason
    assert "1 reply without a result (lost)" in gone.reason


@pytest.mark.parametrize("at", ["the endpoint", "the grader"])
def test_what_no_retry_mends_ends_it_with_the_best_so_far(flip: Flip, at: str) -> None:
    def answer(prompt: str, _: int) -> str:
        if 0 < len(capitals(prompt)) < 3:
            if at == "the endpoint":
                raise FatalReplyError("the endpoint gave up")
            return "broken"
        return "no" if capitals(prompt) else "yes"

    def judge(reply: Reply, key: AnswerKey) -> Grade:
        if reply.text == "broken":
            raise GraderError("the grader gave up")
        return equals_gold(reply, key)

    shrunk, _ = flip.shrink(answer, grader=FakeGrader(judge))
    assert (shrunk.state, shrunk.reason) == ("stopped", f"{at} gave up")
    assert len(kept(shrunk)) == 3


def test_what_is_asked_is_dropped_and_the_best_is_kept(flip: Flip) -> None:
    stop = Stop()
    hung: list[str] = []

    async def reply(request: Request) -> Reply:
        found = capitals(request.messages[-1].content)
        if 0 < len(found) < 3:
            hung.append("asked")
            stop.drop()
            await asyncio.Event().wait()
        return Reply(text="no" if found else "yes")

    shrunk = flip.search(FakeModel(reply), stop=stop, concurrency=1)
    assert hung == ["asked"]
    assert (shrunk.state, shrunk.reason, len(kept(shrunk))) == ("stopped", "it was interrupted", 3)


def test_an_interrupt_hides_no_store_that_could_not_keep_a_reply(flip: Flip, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop()

    async def reply(request: Request) -> Reply:
        found = capitals(request.messages[-1].content)
        if 0 < len(found) < 3:
            stop.gently(60)
            await asyncio.sleep(0.01)
        return Reply(text="no" if found else "yes")

    def put(*args: Any) -> list[int]:
        if stop.is_set():
            raise StoreError("the disk is full")
        return put_replies(*args)

    monkeypatch.setattr("prt.runner.shrinking.asking.put_replies", put)
    shrunk = flip.search(FakeModel(reply), stop=stop, concurrency=1)
    assert (shrunk.state, shrunk.reason, len(kept(shrunk))) == ("stopped", "the disk is full", 3)


def test_an_interrupt_waits_for_what_is_asked_stores_its_replies_and_asks_no_more(flip: Flip) -> None:
    stop = Stop()
    late: list[Request] = []

    async def reply(request: Request) -> Reply:
        found = capitals(request.messages[-1].content)
        if 0 < len(found) < 3:
            late.append(request)
            stop.gently(60)
            await asyncio.sleep(0.01)
        return Reply(text="no" if found else "yes")

    before = len(flip.bench.results())
    shrunk = flip.search(FakeModel(reply), stop=stop, concurrency=1, repeats=3)
    with flip.bench.open() as store, store.reading() as connection:
        stored = connection.execute(select(func.count()).select_from(replies)).scalar_one()
    assert len(late) == 1, "of the calls for one prompt those that wait for their turn are not made"
    assert (shrunk.state, shrunk.reason, len(kept(shrunk))) == ("stopped", "it was interrupted", 3)
    assert stored - before == shrunk.calls


def test_calls_are_bounded_and_some_are_kept_back_to_ask_once_more(flip: Flip) -> None:
    least = fewest_calls(3)
    assert least == 9
    shrunk, model = flip.shrink(needs("two"), repeats=3, allowed=least + 2)
    assert len(model.asked) == shrunk.calls <= least + 2
    assert (shrunk.state, shrunk.guarantee) == ("stopped", "none")
    assert shrunk.again is not None
    assert shrunk.again.n == 3


def test_a_failing_endpoint_before_the_search_leaves_nothing_to_say(flip: Flip) -> None:
    async def fail(_: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(error=ReplyError("server", "it is down"))

    shrunk = flip.search(FakeModel(fail), concurrency=1, allowed=9)
    assert (shrunk.state, shrunk.reason) == ("stopped", "a call failed: it is down")
    assert (shrunk.baseline, shrunk.whole, shrunk.guarantee) == (None, None, "none")


def test_what_would_ask_something_else_is_not_asked(tmp_path: Path) -> None:
    before, after = "Which of these planets is not large?", "Not large is which of these planets?"
    item = item_of(before)
    variants = [
        variant_of(item, "baseline", before),
        variant_of(item, "caps.1", after, Edit("text", 0, before, after, "paraphrase")),
    ]
    bench = Bench(tmp_path / "prt.db", World([item], {"q": variants}))

    def answer(prompt: str, _: int) -> str:
        return "yes" if prompt == before else "no"

    bench.run(model_of(answer))
    shrunk, model = Flip(bench, item).shrink(answer)
    assert {request.messages[-1].content for request in model.asked} == {before, after}
    assert (shrunk.unfit, shrunk.subsets, shrunk.calls, len(shrunk.changes)) == (2, 2, 2, 2)


def test_a_prompt_that_the_grader_can_not_be_trusted_with_is_not_asked(flip: Flip) -> None:
    class Picky(FakeGrader):
        def grade(self, reply: Reply, key: AnswerKey) -> Grade:
            return super().grade(reply, key) if reply.text else Grade(passed=True, status="graded")

    shrunk, model = flip.shrink(needs("two"), grader=Picky())
    assert len(model.asked) == 2
    assert shrunk.unfit == shrunk.subsets > 0


def stored(tmp_path: Path, variants: Sequence[Variant], item: Item, answer: Answers, *, repeats: int = 1) -> Bench:
    bench = Bench(tmp_path / "prt.db", World([item], {item.id: list(variants)}, repeats=repeats))
    bench.run(model_of(answer))
    return bench


@pytest.mark.parametrize(
    ("before", "after", "flips"),
    [
        ("yy", "yn", "to fail"),
        ("yn", "nn", "to fail"),
        ("nn", "yn", "to pass"),
        ("ny", "yy", "to pass"),
        ("yn", "ny", ""),
    ],
)
def test_an_item_of_several_repeats_flips_as_the_report_counts_it(
    tmp_path: Path, before: str, after: str, flips: str
) -> None:
    item = item_of("what")
    variants = [variant_of(item, "baseline", "what"), variant_of(item, "caps.1", "WHAT")]
    replies = {"what": before, "WHAT": after}
    bench = stored(
        tmp_path, variants, item, lambda prompt, at: "yes" if replies[prompt][at] == "y" else "no", repeats=2
    )
    with bench.open() as store:
        run = load_run(store, "latest")
        if flips:
            assert flipped_case(run, "q", "caps.1").to_pass is (flips == "to pass")
        else:
            with pytest.raises(UsageError, match=r"passes in 1 of 2 and caps\.1 passes in 1 of 2; .* no condition"):
                flipped_case(run, "q", "caps.1")


def test_a_control_is_no_flip_of_wording(tmp_path: Path) -> None:
    item = item_of("what")
    control = replace(variant_of(item, "control.1", "what not"), tier="control", gold=Gold(texts=("no",)))
    bench = stored(tmp_path, [variant_of(item, "baseline", "what"), control], item, lambda *_: "yes")
    with (
        bench.open() as store,
        pytest.raises(UsageError, match=r"control\.1 is a control, which changes what is right"),
    ):
        flipped_case(load_run(store, "latest"), "q", "control.1")


def test_the_layout_counts_too(tmp_path: Path) -> None:
    item = item_of("what")
    other = replace(
        variant_of(item, "caps.1", "WHAT", Edit("text", 0, "what", "WHAT", "caps")),
        layout=Layout(markup="json"),
    )

    def answer(prompt: str, _: int) -> str:
        return "no" if prompt.startswith("{") else "yes"

    bench = stored(tmp_path, [variant_of(item, "baseline", "what"), other], item, answer)
    shrunk, _ = Flip(bench, item).shrink(answer)
    assert [edit.part for edits in shrunk.changes for edit in edits] == ["layout.markup"]
