"""Who is asked, as a config says: settled before any call, described without secrets, refused where it can't work."""

import json
from pathlib import Path

import pytest
from prt.perturbations.bundle import records
from prt.runner.config.loading import parse_config
from prt.runner.config.schema import LocalModel, OpenAIModel
from prt.runner.errors import ConfigError
from prt.runner.generators import build_generators
from prt.runner.paraphrasing.paraphrasers import (
    Paraphraser,
    asks_a_model,
    begun,
    find_paraphrasers,
    model_name,
    paraphraser_notes,
)

SECRET = "geheim-4711-0815"  # noqa: S105  no secret: it stands for one
UNDER_TEST = "{name: m, params: {temperature: 0, max_tokens: 5, stop: [x], seed: 3, top_p: 0.9}}"


def paraphrasers(*entries: str, model: str = UNDER_TEST) -> tuple[Paraphraser, ...]:
    lines = "".join(f"  - {entry}\n" for entry in entries)
    text = f"model: {model}\ndataset: d.jsonl\nperturbations:\n{lines}"
    return find_paraphrasers(parse_config(text, Path("c.yaml"), env={"TOKEN": SECRET}))


def only(entry: str, *, model: str = UNDER_TEST) -> Paraphraser:
    (found,) = paraphrasers(entry, model=model)
    return found


def test_the_model_under_test_writes_where_none_is_named_without_what_shapes_its_answers() -> None:
    found = only("paraphrase: {kind: llm}")
    assert isinstance(found.model, OpenAIModel)
    assert found.model.params == {"seed": 3, "top_p": 0.9, "temperature": 0.7}
    assert found.asked.model == {"provider": "openai", "name": "m", "params": {"seed": 3, "top_p": 0.9}}
    (note,) = paraphraser_notes([found])
    assert note.startswith("the model under test (m) writes the paraphrases too")


def test_a_model_of_their_own_writes_with_its_own_parameters() -> None:
    found = only("paraphrase: {model: {name: w, params: {max_tokens: 300}}, temperature: 0.2, formality: formal}")
    assert isinstance(found.model, OpenAIModel)
    assert found.model.params == {"max_tokens": 300, "temperature": 0.2}
    assert (found.asked.temperature, found.asked.formality, found.asked.attempts) == (0.2, "formal", 4)
    assert paraphraser_notes([found]) == ()


def test_no_temperature_is_sent_where_none_is_wanted() -> None:
    found = only("paraphrase: {model: {name: w}, temperature: null}")
    assert isinstance(found.model, OpenAIModel)
    assert found.model.params == {}
    assert found.asked.temperature is None


@pytest.mark.parametrize("entry", ["paraphrase: {model: local}", "paraphrase: {kind: llm}"])
def test_a_local_model_does_not_write_at_the_length_of_an_answer(entry: str) -> None:
    found = only(entry, model="local")
    assert isinstance(found.model, LocalModel)
    assert found.model.params == {"temperature": 0.7}
    assert model_name(found.model) == "the embedded model"


def test_entries_that_ask_alike_share_one_paraphraser_and_others_have_their_own() -> None:
    alike = "paraphrase: {kind: llm, variants: 2}"
    formal = "paraphrase: {kind: llm, formality: formal}"
    first, second = paraphrasers(alike, f"[{alike}, typo]", formal, "paraphrase", "paraphrase: {kind: llm}")
    assert [(use.entry, use.variants, use.composed) for use in first.uses] == [
        (0, 2, False),
        (1, 2, True),
        (4, 1, False),
    ]
    assert first.numbers() == 3
    assert [use.entry for use in second.uses] == [2]
    assert second.numbers() == 1


def test_models_of_one_name_at_two_addresses_are_two() -> None:
    entries = (f"paraphrase: {{model: {{name: any, base_url: 'http://127.0.0.1:{port}/v1'}}}}" for port in (1, 2))
    first, second = paraphrasers(*entries)
    assert first.asked == second.asked
    assert first.key != second.key


def test_a_composition_alone_takes_the_paraphrases_from_the_first_on() -> None:
    assert only("[paraphrase: {kind: llm, variants: 2}, typo]").numbers() == 2


def test_what_a_model_writes_begins_its_entries() -> None:
    text = (
        f"model: {UNDER_TEST}\ndataset: d.jsonl\nperturbations: [typo, [paraphrase: {{kind: llm}}, typo], paraphrase]"
    )
    loaded = parse_config(text, Path("c.yaml"), env={})
    assert asks_a_model(loaded.config)
    generators = build_generators(loaded.config, base=Path(), paraphrases=begun(find_paraphrasers(loaded), {}))
    assert [each.name for each in generators] == ["typo", "paraphrase+typo", "paraphrase"]
    kinds = [json.loads(each.parameters) for each in records(generators)]
    assert [step["parameters"].get("kind") for step in kinds[1]["steps"]] == ["llm", None]
    assert kinds[2]["kind"] == "frames"


@pytest.mark.parametrize(
    "model",
    [
        "{provider: http, url: 'http://x.example/a?key=${TOKEN}', headers: {Authorization: 'Bearer ${TOKEN}'}}",
        "{provider: http, url: 'http://x.example', body: {prompt: '{prompt}', token: '${TOKEN}'}}",
        "{name: w, base_url: 'http://user:${TOKEN}@x.example/v1', params: {api_key: '${TOKEN}'}}",
    ],
)
def test_no_secret_is_in_the_record_in_a_repr_or_in_the_name(model: str) -> None:
    found = only(f"paraphrase: {{model: {model}, judge: {model}, self_judge: true}}")
    (generator,) = (made for _, made in found.generators(None))
    (record,) = records([generator])
    for shown in (record.parameters, repr(found), repr(generator), model_name(found.model), found.key):
        assert SECRET not in shown
    assert "timeout_s" not in record.parameters


MISTAKES = [
    (
        "[typo, paraphrase: {kind: llm}]",
        UNDER_TEST,
        "c.yaml:4: perturbations[0][1].paraphrase: a model rewords the original question, so this is the first step of",
    ),
    (
        "paraphrase: {kind: llm}",
        "{provider: http, url: 'http://x'}",
        "c.yaml:4: perturbations[0].paraphrase: without `model` the model under test writes the paraphrases, and that",
    ),
    ("paraphrase: {kind: llm}", "{provider: http, url: 'http://x'}", "is an application; name a model"),
    ("paraphrase: {kind: llm}", "{provider: replay, path: r.jsonl}", "is a file of replies; name a model"),
    (
        "paraphrase: {kind: llm, judge: {name: m}}",
        UNDER_TEST,
        "c.yaml:4: perturbations[0].paraphrase.judge: the judge is the paraphraser itself, which approves of its own",
    ),
    ("paraphrase: {model: local, judge: local}", UNDER_TEST, "name another model, or say `self_judge: true`"),
]


@pytest.mark.parametrize(("entry", "model", "sentence"), MISTAKES)
def test_what_can_not_work_is_refused_with_its_place(entry: str, model: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        paraphrasers(entry, model=model)
    assert sentence in str(caught.value)


def test_a_judge_that_is_the_paraphraser_may_be_asked_for_plainly() -> None:
    found = only("paraphrase: {kind: llm, judge: {name: m}, self_judge: true}")
    assert found.asked.judge == {"provider": "openai", "name": "m", "params": {}}
    assert only("paraphrase: {kind: llm, judge: {name: j}}").judge is not None
