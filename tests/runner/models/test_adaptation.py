"""Parameters that a model does not take: told with the line to change, or changed where the config says so."""

import asyncio

import pytest
from prt.runner.models.base import Model, adaptations_of
from prt.runner.models.throttle import Caps, Limits
from prt.runner.records import Reply
from pydantic import JsonValue as Json

from ..fault_server import Behaviour, Call, FaultServer, answers, fails
from .asking import FakeTime, chat, opened, replies, reply, request


def picky(*refused: str, word: str = "Unsupported parameter") -> FaultServer:
    """A model that takes none of these parameters, and says so of the first that it is sent."""

    def by(call: Call) -> Behaviour:
        name = next((name for name in refused if name in call.json), None)
        if name is None:
            return answers("B")
        message = f"{word}: '{name}' is not supported with this model."
        return fails(400, message=message, code="unsupported_parameter", param=name)

    return FaultServer(by=by)


def bodies(server: FaultServer) -> list[dict[str, Json]]:
    return [
        {name: value for name, value in call.json.items() if name not in {"model", "messages"}} for call in server.calls
    ]


REASONING: dict[str, Json] = {"max_tokens": 16, "temperature": 0, "seed": 1, "stop": ["\n"]}


def test_parameters_are_renamed_or_left_out_one_call_each_and_then_never_sent_again() -> None:
    told: list[str] = []
    with picky("max_tokens", "temperature", "seed") as server:
        model = opened(chat(server.base_url, params=REASONING, adapt=True), told=told)
        first, second = replies(model, request("one"), request("two"))
    assert [(answer.text, answer.error, answer.attempts) for answer in (first, second)] == [
        ("B", None, 4),
        ("B", None, 1),
    ]
    assert bodies(server)[-2:] == [{"max_completion_tokens": 16, "stop": ["\n"]}] * 2
    assert (
        list(adaptations_of(model))
        == told
        == [
            "asked-model does not take the parameter max_tokens: max_completion_tokens is sent in its place",
            "asked-model does not take the parameter temperature: it is not sent",
            "asked-model does not take the parameter seed: it is not sent",
        ]
    )


def test_an_older_server_gets_max_tokens() -> None:
    with picky("max_completion_tokens") as server:
        assert reply(opened(chat(server.base_url, params={"max_completion_tokens": 9}, adapt=True))).text == "B"
    assert bodies(server) == [{"max_completion_tokens": 9}, {"max_tokens": 9}]


def test_a_model_that_takes_neither_name_is_not_asked_for_ever() -> None:
    with picky("max_tokens", "max_completion_tokens") as server:
        answer = reply(opened(chat(server.base_url, params={"max_tokens": 9}, adapt=True)))
        assert len(server.calls) == 2
    assert answer.error is not None
    assert (answer.error.kind, answer.attempts) == ("bad_request", 2)


def test_without_leave_nothing_is_changed_and_the_line_is_named() -> None:
    with picky("temperature") as server:
        model = opened(chat(server.base_url, params=REASONING))
        answer = reply(model)
        assert len(server.calls) == 1
    assert answer.error is not None
    assert answer.error.message.endswith(
        "Change or remove model.params.temperature, or let prt do that by model.adapt: true"
    )
    assert adaptations_of(model) == ()


def test_what_the_model_cannot_do_without_is_not_left_out() -> None:
    with picky("stop") as server:
        answer = reply(opened(chat(server.base_url, params=REASONING, adapt=True)))
        assert len(server.calls) == 1
    assert answer.error is not None
    assert answer.error.message.endswith("Change or remove model.params.stop")


@pytest.mark.parametrize(
    "message",
    ["'temperature' must be at most 2", "Invalid 'temperature': decimal above maximum value. Expected a value <= 2"],
)
def test_a_value_out_of_range_is_the_user_s_mistake_and_not_adapted(message: str) -> None:
    with FaultServer(fails(400, message=message, param="temperature")) as server:
        answer = reply(opened(chat(server.base_url, params={"temperature": 9}, adapt=True)))
        assert len(server.calls) == 1
    assert answer.error is not None
    assert answer.error.message.endswith("Change or remove model.params.temperature")


def test_workers_that_were_refused_together_learn_together() -> None:
    told: list[str] = []
    with picky("seed") as server:
        config = chat(server.base_url, params={"seed": 1}, adapt=True)
        model = opened(config, limits=Limits(Caps(concurrency=20)), told=told)

        async def run() -> list[Reply]:
            async with model:
                return await asyncio.gather(*(model.ask(request(str(number))) for number in range(40)))

        answers_ = asyncio.run(run())
        assert len(server.calls) == sum(answer.attempts for answer in answers_) <= 60
    assert [answer.text for answer in answers_] == ["B"] * 40
    assert len(told) == 1


def test_an_adaptation_is_no_retry() -> None:
    time = FakeTime()
    with picky("seed") as server:
        config = chat(server.base_url, params={"seed": 1}, adapt=True, retry={"retries": 0})
        assert reply(opened(config, time=time)).text == "B"
    assert time.slept == []


def test_other_models_adapt_nothing() -> None:
    class Other:
        pass

    other: Model = Other()  # type: ignore[assignment]
    assert adaptations_of(other) == ()
