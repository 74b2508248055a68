"""What is counted of variants, and that a fault is found, said loudly, and ends in an exit code of its own."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations import (
    Draft,
    Draw,
    Generator,
    Gold,
    Question,
    Reorder,
    Subject,
    Typo,
    Variant,
    baseline_variant,
    perturb,
)
from prt.perturbations.bundle import read_bundle
from prt.perturbations.variant import Outcome, Tier
from prt.runner.commands.outcomes import fault_lines
from prt.runner.perturb_stats import (
    Fault,
    PerturbStats,
    Reason,
    ReasonGroup,
    Severity,
    grouped_reasons,
    outcome_tallies,
    perturb_stats,
    shared_words,
)
from pydantic import JsonValue as Json

from .command_line import CommandLine

SUBJECTS = {
    name: Subject(name, Question(text, ("iron", "salt", "ice"), answer_form="label"), gold=Gold(options=(0,)))
    for name, text in [
        ("q1", "Which of these materials conducts electricity best at 20 degrees?"),
        ("q2", "Which material never melts below 300 degrees in a kitchen oven?"),
        ("q3", "Is it so?"),
    ]
}


def made(*, typos: int = 1) -> list[Variant]:
    generators: list[Generator] = [Reorder(variants=2), Typo(rate=0.3, variants=typos)]
    return [
        variant
        for subject in SUBJECTS.values()
        for variant in (baseline_variant(subject), *perturb(subject, generators, seed=1))
    ]


def counted(variants: list[Variant]) -> PerturbStats:
    return perturb_stats(variants, SUBJECTS)


def test_conditions_generators_and_the_whole_are_counted_and_the_baseline_is_not() -> None:
    stats = counted(made())
    assert [(each.name, each.generator, each.tier, each.n) for each in stats.conditions] == [
        ("reorder.1", "reorder", "guaranteed", 3),
        ("reorder.2", "reorder", "guaranteed", 3),
        ("typo.1", "typo", "checked", 3),
    ]
    assert [(each.name, each.tier, each.n) for each in stats.generators] == [
        ("reorder", "guaranteed", 6),
        ("typo", "checked", 3),
    ]
    assert (stats.items, stats.total.n, stats.total.tier) == (3, 9, None)
    for each in (*stats.conditions, *stats.generators, stats.total):
        assert sum(each.outcomes.values()) == each.n
    assert stats.total.outcomes["applied"] == sum(variant.outcome == "applied" for variant in made()) - 3


def test_severity_is_that_of_the_applied_variants_that_edit_words() -> None:
    typo = counted(made()).conditions[2]
    severities = [each.severity for each in made() if each.condition == "typo.1" and each.outcome == "applied"]
    known = [each for each in severities if each is not None]
    assert len(known) == 2
    assert typo.severity == Severity(2, sum(known) / 2, min(known), max(known))
    assert counted(made()).conditions[0].severity is None


def test_duplicates_are_counted_among_the_rejected() -> None:
    class Twice:
        name: ClassVar[str] = "twice"
        version: ClassVar[int] = 1
        tier: ClassVar[Tier] = "checked"
        variants: ClassVar[int] = 2

        def parameters(self) -> dict[str, object]:
            return {}

        def draft(self, subject: Subject, draw: Draw) -> Draft:
            text = f"{'Well' if draw.number else 'Never'}: {subject.question.text}"
            return Draft("applied", question=replace(subject.question, text=text))

    variants = [each for subject in SUBJECTS.values() for each in perturb(subject, [Twice()], seed=1)]
    total = counted(variants).total
    assert (total.outcomes["applied"], total.outcomes["rejected"], total.duplicates) == (3, 3, 3)
    assert [(group.reason, group.n) for group in total.reasons] == [("duplicate of twice.1", 3)]


def test_a_duplicate_is_not_counted_by_any_other_reason() -> None:
    rejected = [replace(each, outcome="rejected", reason="no duplicate of anything") for each in made()[1:2]]
    assert counted(rejected).total.duplicates == 0


Twin = Callable[[Variant], Variant]


def each_changed(variants: list[Variant], condition: str, twin: Twin) -> list[Variant]:
    return [twin(each) if each.condition == condition and each.outcome == "applied" else each for each in variants]


def test_nothing_is_altered_in_what_generators_make_and_all_of_it_was_looked_at() -> None:
    stats = counted(made(typos=3))
    assert stats.faults == ()
    assert list(fault_lines(stats)) == []
    applied = stats.total.outcomes["applied"]
    assert stats.total.gold.n == applied
    assert stats.total.protected.n > 3 * applied
    assert stats.total.protected.n == sum(each.protected.n for each in stats.conditions)


def test_a_wrong_twin_of_a_typo_is_found() -> None:
    def twin(variant: Variant) -> Variant:
        text = variant.question.text.replace("20", "21").replace("never", "always")
        return replace(variant, question=replace(variant.question, text=text))

    stats = counted(each_changed(made(), "typo.1", twin))
    assert stats.total.protected.wrong == 2
    assert stats.faults == (
        Fault("q1", "typo.1", "'20 degrees' is missing in text"),
        Fault("q2", "typo.1", "'never' is missing in text"),
    )
    assert [each.protected.wrong for each in stats.conditions] == [0, 0, 2]
    first, *rest = fault_lines(stats)
    assert (
        first == f"FAULT: 2 of {stats.total.protected.n} protected tokens are altered in variants that would be asked"
    )
    assert rest == [
        "  item q1, typo.1: '20 degrees' is missing in text",
        "  item q2, typo.1: 'never' is missing in text",
    ]


def test_a_wrong_twin_of_a_reorder_is_found() -> None:
    stats = counted(each_changed(made(), "reorder.1", lambda variant: replace(variant, permutation=(0, 1, 2))))
    assert stats.total.gold.wrong == 3
    assert f"FAULT: 3 of {stats.total.gold.n} right options stand behind a wrong label" in "\n".join(fault_lines(stats))


def test_what_is_not_asked_is_not_looked_at() -> None:
    rejected = [replace(each, outcome="rejected", reason="r", permutation=(2, 1, 0)) for each in made()]
    assert counted(rejected).total.protected.n == 0


def test_many_faults_are_not_all_printed() -> None:
    subject = SUBJECTS["q1"]
    broken = replace(baseline_variant(subject), condition="typo.1", question=replace(subject.question, text="None"))
    stats = perturb_stats([replace(broken, condition=f"typo.{at}") for at in range(30)], SUBJECTS)
    lines = list(fault_lines(stats))
    assert lines[-1] == f"  and {stats.total.protected.wrong - 20} more; `prt perturb --json` has them all"
    assert len(lines) == 22


@pytest.mark.parametrize(
    ("reason", "shared"),
    [
        ("text: numbers differ: '3' is missing, '4' is new", "text: numbers differ"),
        ("the word 'lion' is new and stands in an answer", "the word … is new and stands in an answer"),
        ('the option "B\'s" names itself', "the option … names itself"),
        ("the right option can't stand in place 3", "the right option can't stand in place …"),
        ("its length is 29 characters to 9; 0.5 to 2 times", "its length is … characters to …; … to … times"),
        ("duplicate of typo.1", "duplicate of typo.1"),
        ("no options", "no options"),
        ("", ""),
    ],
)
def test_reasons_are_put_together_by_what_they_share(reason: str, shared: str) -> None:
    assert shared_words(reason) == shared


def test_groups_come_largest_first_with_every_reason_and_item_in_them() -> None:
    found: list[tuple[Outcome, str, str]] = [
        ("rejected", "names differ: 'Ann' is missing", "q1"),
        ("applied", "", "q2"),
        ("rejected", "names differ: 'Bob' is missing", "q3"),
        ("rejected", "names differ: 'Bob' is missing", "q4"),
        ("not_applicable", "no options", "q5"),
        ("unchanged", "names differ: 'Bob' is missing", "q6"),
    ]
    bob, ann = Reason("names differ: 'Bob' is missing", 2, ("q3", "q4")), Reason(found[0][1], 1, ("q1",))
    assert grouped_reasons(found) == (
        ReasonGroup("rejected", "names differ", 3, (bob, ann)),
        ReasonGroup("unchanged", "names differ: 'Bob' is missing", 1, (Reason(bob.reason, 1, ("q6",)),)),
        ReasonGroup("not_applicable", "no options", 1, (Reason("no options", 1, ("q5",)),)),
    )


OUTCOMES = st.sampled_from(["applied", "unchanged", "not_applicable", "rejected"])


@given(st.lists(st.tuples(OUTCOMES, st.text(max_size=20), st.text(min_size=1, max_size=3)), max_size=12))
def test_no_reason_is_lost_in_grouping(found: list[tuple[Outcome, str, str]]) -> None:
    groups = grouped_reasons(found)
    listed = [(group.outcome, each.reason) for group in groups for each in group.reasons for _ in range(each.n)]
    assert sorted(listed) == sorted((outcome, reason) for outcome, reason, _ in found if outcome != "applied")
    assert [group.n for group in groups] == sorted((group.n for group in groups), reverse=True)


def test_reviews_are_those_of_the_applied_variants() -> None:
    variants = made()
    said = [replace(each, review="reject") if each.condition == "reorder.1" else each for each in variants]
    assert [each.reviews.rejected for each in outcome_tallies(said)] == [3, 0, 0]
    assert [each.reviews.none for each in outcome_tallies(said)] == [0, 3, 2]


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    config: dict[str, Json] = {
        "model": {"name": "m", "api_key_env": None, "params": {"temperature": 0}},
        "dataset": prt.capitals(),
        "perturbations": [{"reorder": {"variants": 2}}, "typo", {"paraphrase": {"file": "mine.jsonl"}}],
        "bundle": "frozen.jsonl",
    }
    prt.write("prt.yaml", yaml.safe_dump(config))
    rows = [
        {"id": "q0", "text": "1: the capital of France is which city?"},
        {"id": "q1", "text": "2: the capital of Portugal is which city?"},
        {"id": "q2", "text": "3: the capital of Germany is which city?"},
    ]
    prt.write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return prt


def test_the_command_prints_every_reason_and_what_was_looked_for(prt: CommandLine) -> None:
    ended = prt("perturb", "--stats", "prt.yaml")
    assert (ended.code, ended.err) == (0, "")
    assert "Outcomes of 12 items" in ended.out
    reasons = " ".join(ended.out.split())
    assert "paraphrase.1: 9 not applicable (no paraphrase for this item), such as item q3 " in reasons
    assert "paraphrase.1: 2 rejected (text: names differ), such as item q2: text: names differ: 'Italy' is" in reasons
    rows = {line.split()[0]: line.split()[1:] for line in ended.out.partition("Looked for")[2].splitlines()[2:] if line}
    assert rows["reorder.1"][-3:] == ["0", "12", "0"]
    assert rows["total"][-3:] == ["0", str(12 + 12 + 12 + 1), "0"]
    assert "q0\n" not in ended.out
    assert "right: Paris" in prt("perturb", "--stats", "-n", "1", "prt.yaml").out


def test_the_command_without_stats_prints_the_commonest_reasons_alone(prt: CommandLine) -> None:
    ended = prt("perturb", "-n", "0", "prt.yaml")
    assert "paraphrase.1: 2 rejected (text: names differ)" in ended.out
    assert "Looked for" not in ended.out


def test_json_holds_it_all_and_nothing_else(prt: CommandLine) -> None:
    ended = prt("perturb", "--json", "prt.yaml")
    assert ended.code == 0
    found = ended.json
    assert found["bundle"]["variants"] == len(read_bundle("frozen.jsonl").variants)
    assert found["bundle"]["path"] == "frozen.jsonl"
    paraphrase = next(each for each in found["conditions"] if each["name"] == "paraphrase.1")
    assert paraphrase["outcomes"] == {"applied": 1, "unchanged": 0, "not_applicable": 9, "rejected": 2}
    groups = {group["reason"]: group for group in paraphrase["reasons"]}
    assert sorted(item for reason in groups["text: names differ"]["reasons"] for item in reason["items"]) == [
        "q1",
        "q2",
    ]
    assert (paraphrase["protected"]["wrong"], found["total"]["gold"]["wrong"]) == (0, 0)
    assert found["total"]["severity"]["n"] == 12
    assert "note:" not in ended.err
    assert "note: the variants are made anew" in prt("perturb", "--json", "prt.yaml").err


def test_a_generator_that_alters_what_it_must_not_ends_in_an_exit_code_of_its_own(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A generator that says of itself that its words were validated is not believed."""

    def draft(_self: Typo, subject: Subject, _draw: Draw) -> Draft:
        text = subject.question.text.replace("France", "Spain")
        return Draft("applied", question=replace(subject.question, text=text), validated=True)

    monkeypatch.setattr(Typo, "draft", draft)
    for output in ("--stats", "--json"):
        ended = prt("perturb", output, "prt.yaml")
        assert ended.code == 1
        assert "FAULT: 3 of " in ended.err
        assert "  item q0, typo.1: 'France' is missing in text\n" in ended.err
    assert next(each for each in ended.json["conditions"] if each["name"] == "typo.1")["protected"]["wrong"] == 3
    assert prt("perturb", "prt.yaml").code == 0
