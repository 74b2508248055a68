"""Slots: who always answers A passes one variant in so many, who knows passes all, and who leans is found out."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import jsonschema
import numpy as np
import pytest
import yaml
from prt.perturbations import Gold, Question, Reorder, Subject, baseline_variant, perturb
from prt.perturbations.generators.kinds import EXTREME, FormatKind
from prt.runner.config.generators import ReorderConfig
from prt.runner.findings import PositionsFinding, Report
from prt.runner.orders import Order, Orders, Slots, differs_in_order_alone
from prt.runner.positions import untold
from prt.runner.records import Item
from prt.runner.reports.machine import report_json, report_schema
from prt.runner.reports.terminal import print_report
from prt.runner.store.columns import read_payloads
from prt.runner.store.database import open_store
from prt.runner.store.read import StoredRun, load_run
from prt.runner.store.runs import RunSpec, open_run
from prt.stats import Outcomes, positions
from pydantic import JsonValue as Json
from rich.console import Console

from .command_line import KEY, CommandLine
from .fault_server import Behaviour, Call, FaultServer, answers
from .test_reports import worked_report

CAPITALS = ("Paris", "Madrid", "Rome", "Tokyo", "Cairo", "Oslo", "Vienna", "Lisbon", "Athens", "Dublin")
OTHERS = ("Lyon", "Seville", "Milan", "Osaka", "Luxor", "Bergen", "Graz", "Porto")
KINDS: tuple[Json, ...] = get_args(ReorderConfig.model_fields["kind"].annotation)
FORMATS: tuple[Json, ...] = tuple(kind for kind in get_args(FormatKind) if kind != EXTREME)
"""Without the extreme ones: where nothing stands between options, the scripted model can't tell label and text."""


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return CommandLine(tmp_path, capsys, monkeypatch)


def config(prt: CommandLine, base_url: str, options: list[int], perturbations: list[Json], **rest: Json) -> str:
    """A config of items with so many options each, one of them a capital, which stands in every place in turn."""
    chance = random.Random(1)  # noqa: S311 - a dataset, not a secret
    rows = []
    for at, count in enumerate(options):
        right = CAPITALS[at % len(CAPITALS)]
        shown = chance.sample(OTHERS, count - 1)
        shown.insert(at % count, right)
        question = f"In round {at + 1} of the game, which of these cities is the capital of its country?"
        rows.append({"id": f"q{at}", "question": question, "options": shown, "answer": right})
    prt.write("cities.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    model: dict[str, Json] = {"name": "m", "base_url": base_url, "params": {"temperature": 0}}
    whole = {"model": model, "dataset": "cities.jsonl", "perturbations": perturbations, **rest}
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


def right_answer(prompt: str) -> tuple[str, str]:
    """Label and text of the capital among the options, read from the prompt alone, whatever its layout."""
    found = re.search(rf"(\w+)[^\w\n]+({'|'.join(CAPITALS)})\b", prompt)
    assert found, prompt
    return found[1], found[2]


def by_label(call: Call) -> Behaviour:
    return answers(right_answer(call.prompt)[0])


def by_text(call: Call) -> Behaviour:
    return answers(right_answer(call.prompt)[1])


def always_a(_call: Call) -> Behaviour:
    return answers("A")


def noisy(lean: int) -> Callable[[Call], Behaviour]:
    """In so many of 100 prompts A; else right in 70 of 100, and any option in the rest."""

    def answer(call: Call) -> Behaviour:
        first, second, third = (byte / 256 for byte in sha256(call.prompt.encode()).digest()[:3])
        labels = re.findall(r"^([A-F])\. ", call.prompt, re.MULTILINE)
        if first < lean / 100:
            return answers("A")
        return by_label(call) if second < 0.7 else answers(labels[int(third * len(labels))])

    return answer


def positions_of(prt: CommandLine) -> Any:
    return prt("report", "--json").json["positions"]


def test_a_model_that_always_answers_a_passes_one_variant_in_as_many_as_there_are_options(prt: CommandLine) -> None:
    options = [2, 3, 4, 5, 6] * 3
    with FaultServer(by=always_a) as server:
        ended = prt("run", config(prt, server.base_url, options, [{"reorder": {"kind": "each_slot"}}]))
    assert ended.code == 0
    rates = []
    with open_store("prt.db", may_create=False) as store:
        run = load_run(store, "latest")
        for item, count in zip(run.items(), options, strict=True):
            passed = {each.condition: each.grade.passed for each in run.results(item.id) if each.grade}
            # The right option may be in its slot already with nothing left to rotate: that variant is the original.
            slots = [
                passed["baseline" if each.outcome == "unchanged" else each.condition]
                for each in run.variants(item.id)
                if each.generator == "reorder" and each.outcome in {"applied", "unchanged"}
            ]
            assert (len(slots), slots.count(True)) == (count, 1)
            rates.append(slots.count(True) / len(slots))
    expected = float(np.mean([1 / count for count in options]))
    assert np.mean(rates) == pytest.approx(expected)
    found = positions_of(prt)["figures"]
    first = found["slots"][0]
    assert (found["verdict"], found["favoured"], found["n"]) == ("favours", [0], 15)
    assert (first["chosen"]["estimate"], first["right"]) == (1.0, pytest.approx(expected))
    assert (first["there"]["estimate"], first["elsewhere"]["estimate"]) == (1.0, 0.0)
    assert "The model chooses slot A in 100.0% of its answers, where the right option stands in 29.0%." in " ".join(
        ended.out.split()
    )


REORDERS: list[Json] = [{"reorder": {"kind": kind}} for kind in KINDS]
ALONE: list[Json] = [{"format": {"kind": [kind]}} for kind in FORMATS]
EVERYTHING: list[Json] = [
    *REORDERS,
    *ALONE,
    {"format": {"variants": 3}},
    "paraphrase",
    {"typo": {"severity": "hard", "parts": ["text", "instruction"], "operations": ["misspelling", "replace"]}},
    {"typo": {"layout": "azerty", "variants": 2}},
    "rerun",
    [{"reorder": {"kind": "random"}}, "format", "paraphrase", "typo"],
    [{"format": {"kind": ["labels"]}}, {"reorder": {"kind": "reverse"}}],
]
COMPOSED = ("reorder+format+paraphrase+typo", "format+reorder")


@pytest.mark.parametrize("oracle", [by_label, by_text])
def test_who_knows_the_answer_is_right_under_every_generator_and_kind(
    prt: CommandLine, oracle: Callable[[Call], Behaviour]
) -> None:
    with FaultServer(by=oracle) as server:
        instruction = "Choose carefully among the options that follow."
        prompt: dict[str, Json] = {"instruction": instruction}
        path = config(prt, server.base_url, [2, 3, 4, 5, 6], EVERYTHING, prompt=prompt)
        ended = prt("run", path, "--json")
    assert ended.code == 0, ended.err
    report = ended.json
    assert (ended.code, report["summary"]["overall"]["baseline_rate"]["estimate"]) == (0, 1.0)
    found = [*report["conditions"], *report["apart"]]
    rates = {each["summary"]["condition"]: each["summary"]["variant_rate"] for each in found}
    assert {name: rate for name, rate in rates.items() if rate["n"] and rate["estimate"] != 1.0} == {}
    asked = {name.rpartition(".")[0] for name, rate in rates.items() if rate["n"]}
    assert asked == {"reorder", "format", "paraphrase", "typo", "rerun", *COMPOSED}
    assert not [why for each in found for why in each["left_out"] if "grader" in why["reason"]]
    assert report["positions"]["figures"]["test"]["pvalue"] == 1.0


def test_a_lean_towards_a_slot_is_said_with_its_figures(prt: CommandLine) -> None:
    with FaultServer(by=noisy(40)) as server:
        ended = prt("run", config(prt, server.base_url, [4] * 24, [{"reorder": {"kind": "each_slot"}}]))
    found = positions_of(prt)["figures"]
    assert found["verdict"] == "favours"
    chosen, right = found["slots"][0]["chosen"], found["slots"][0]["right"]
    assert (right, chosen["n"]) == (0.25, 24)
    said = (
        f"The model chooses slot A in {100 * chosen['estimate']:.1f}% of its answers, where the right option stands in"
    )
    assert f"{said} 25.0%." in " ".join(ended.out.split())


def test_a_noisy_model_that_leans_to_no_slot_is_not_said_to(prt: CommandLine) -> None:
    with FaultServer(by=noisy(0)) as server:
        ended = prt("run", config(prt, server.base_url, [4] * 24, [{"reorder": {"kind": "each_slot"}}]))
    found = positions_of(prt)["figures"]
    assert (found["verdict"], found["favoured"], found["n"]) == ("not_shown", [], 24)
    assert 0.5 < found["slots"][0]["there"]["estimate"] < 0.95
    assert "No: no slot is shown to be favoured (p = " in ended.out
    assert "chooses slot" not in ended.out


def test_one_new_order_an_item_is_compared_with_the_original_and_the_report_says_so(prt: CommandLine) -> None:
    with FaultServer(by=always_a) as server:
        ended = prt("run", config(prt, server.base_url, [4] * 40, ["reorder", "format"]))
    found = positions_of(prt)
    assert found["conditions"] == ["reorder.1"]
    figures = found["figures"]
    assert figures["verdict"] == "favours"
    assert 20 < figures["n"] == figures["with_baseline"] < 40
    assert "by the original order too" in " ".join(ended.out.split())


def test_runs_of_one_prompt_are_no_further_evidence(prt: CommandLine) -> None:
    for repeats, store in ((1, "one.db"), (3, "three.db")):
        with FaultServer(by=noisy(20)) as server:
            path = config(prt, server.base_url, [3] * 12, [{"reorder": {"kind": "each_slot"}}], repeats=repeats)
            assert prt("run", path, "--store", store).code == 0
    one, three = (prt("report", "--store", store, "--json").json["positions"] for store in ("one.db", "three.db"))
    assert one["figures"]["test"] == three["figures"]["test"]


@pytest.mark.parametrize("perturbations", [["typo", "format"], [["reorder", "typo"]]])
def test_where_nothing_but_the_order_never_changed_nothing_is_said_of_slots(
    prt: CommandLine, perturbations: list[Json]
) -> None:
    with FaultServer(by=always_a) as server:
        ended = prt("run", config(prt, server.base_url, [4] * 12, perturbations))
    assert positions_of(prt) is None
    assert "slot" not in ended.out


def shown_by(options: tuple[str, ...], gold: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Options and right slot in the original order and reversed."""
    item = Item("q", Question("Which?", options=options, answer_form="label"), Gold(options=gold))
    subject = Subject(item.id, item.question, gold=item.gold)
    orders = Orders([frozenset(gold)])
    for variant in (baseline_variant(subject), *perturb(subject, [Reorder(kind="reverse")], seed=1)):
        orders.add(0, variant.condition, Order.by(variant))
    return [(tuple(each.options[0, : each.slots()[0]].tolist()), int(each.right[0])) for each in orders.shown.values()]


def test_the_right_option_is_followed_by_its_index() -> None:
    assert shown_by(("x", "y", "z"), (0,)) == [((0, 1, 2), 0), ((2, 1, 0), 2)]


def test_a_right_option_in_several_slots_stands_in_none() -> None:
    assert shown_by(("x", "y", "z"), (0, 1)) == [((0, 1, 2), -1), ((2, 1, 0), -1)]
    assert shown_by(("x", "y", "X "), (2,)) == [((0, 1, 2), 2), ((2, 1, 0), 0)]
    assert shown_by(("x", "y", "x"), (2,)) == [((0, 1, 0), -1)]
    assert shown_by(("x", "x", "y"), (2,)) == [((0, 0, 2), 2), ((2, 0, 0), 0)]


def test_an_answer_that_stands_in_two_slots_or_in_none_chooses_no_slot() -> None:
    slots = Slots.for_items(2)
    slots.put(0, (0, 0, 2), 2)
    slots.put(1, (4, 3, 2, 1, 0), 0)
    chosen = np.array([[0, 1, 2, -1], [0, 4, 5, 2]])
    assert slots.slots_of(chosen).tolist() == [[-1, -1, 2, -1], [4, 0, -1, 2]]
    assert slots.slots().tolist() == [3, 5]


def test_an_order_is_read_from_a_stored_variant_as_from_the_variant(tmp_path: Path) -> None:
    subject = Subject("q", Question("Which?", options=("x", "y", "z")), gold=Gold(options=(0,)))
    variants = [baseline_variant(subject), *perturb(subject, [Reorder()], seed=1)]
    with open_store(str(tmp_path / "prt.db")) as store:
        item = Item("q", subject.question, Gold(options=(0,)))
        run = open_run(store, RunSpec("r", {}, {}), items=[item], variants=variants, token="0a1b")  # noqa: S106
        payloads = [payload for _, payload in read_payloads(StoredRun(store, run), ["baseline", "reorder.1"])]
    for payload, variant in zip(payloads, variants, strict=True):
        stored, made = Order.stored(payload), Order.by(variant)
        assert stored._replace(texts=tuple(stored.texts), permutation=tuple(stored.permutation)) == made


def test_only_a_new_order_of_the_options_counts_as_one() -> None:
    subject = Subject("q", Question("Which?", options=("x", "y")), gold=Gold(options=(0,)))
    (variant,) = perturb(subject, [Reorder()], seed=1)

    def changed(**changes: object) -> Order:
        return Order.by(replace(variant, **changes))  # type: ignore[arg-type]  # a test's shorthand

    assert differs_in_order_alone(Order.by(variant))
    assert differs_in_order_alone(Order.by(baseline_variant(subject)))
    assert not differs_in_order_alone(changed(permutation=(0, 1)))
    assert not differs_in_order_alone(changed(generator="reorder+typo"))
    assert not differs_in_order_alone(Order.by(baseline_variant(Subject("q", Question("Which?")))))


def finding(passed: list[list[int]], right: list[list[int]], chosen: list[list[int]] | None) -> PositionsFinding:
    found = positions(Outcomes.from_array(passed), right, chosen=chosen, rng=np.random.default_rng(1))
    labels = tuple(chr(ord("A") + slot) for slot in range(len(found.slots)))
    return PositionsFinding(labels, ("reorder.1",), len(passed), found, untold(found, unread=False))


def test_without_choices_the_readings_tell_that_no_answer_was_read() -> None:
    figures = finding([[0, 0]] * 12, [[0, 1]] * 12, None).figures
    assert untold(figures, unread=True) == "unread"
    assert untold(figures, unread=False) == "always_wrong"
    assert untold(finding([[1, 0], [0, 1]] * 9, [[0, 1]] * 18, None).figures, unread=False) == ""


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (finding([[1, 0]] * 9, [[0, 1]] * 9, None), "Too few for a verdict: 9 items"),
        (finding([[1, 0], [0, 1]] * 9, [[0, 1]] * 18, None), "No: no slot is shown to be favoured (p = 1, 18 items)."),
        (
            finding([[1, 1]] * 12, [[0, 1]] * 12, [[0, 1]] * 12),
            "This can't be told from a model that is always right (12 items).",
        ),
        (
            finding([[0, 0]] * 12, [[0, 1]] * 12, [[1, 0]] * 12),
            "This can't be told from a model that is always wrong (12 items).",
        ),
        (
            finding([[0, 0]] * 12, [[0, 1]] * 12, [[-1, -1]] * 12),
            "This can't be told: no answer was read (12 items).",
        ),
        (finding([[1, 0]] * 12, [[0, 1]] * 12, None), "With the right option in slot A, 100.0% pass, elsewhere 0.0%"),
        (
            finding([[1, 0]] * 12, [[0, 1]] * 12, [[0, 1]] * 12),
            "The slot of the right option makes a difference (p = .0010, 12 items), but no slot",
        ),
        (finding([[1, 0]] * 12, [[25, 3]] * 12, [[25, 25]] * 12), "and 16 more slots"),
    ],
)
def test_the_report_says_what_the_figures_show_in_80_columns(found: PositionsFinding, said: str) -> None:
    report: Report = worked_report(positions=found)
    out = StringIO()
    print_report(report, Console(file=out, width=80, highlight=False, color_system=None))
    assert said in " ".join(out.getvalue().split())
    assert max(len(line) for line in out.getvalue().split("\n")) <= 80
    jsonschema.validate(json.loads(report_json(report)), report_schema())
