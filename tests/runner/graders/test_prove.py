"""The proof that a question can be graded, before a call is paid for it."""

from dataclasses import dataclass, field, replace
from itertools import permutations, product
from pathlib import Path
from typing import ClassVar

import pytest
from prt.perturbations.question import Gold, Question
from prt.runner.graders import Samples, make_grader, prove
from prt.runner.graders.base import Prover, prove_changed, register
from prt.runner.records import AnswerKey, Grade, Item, Reply
from pydantic import JsonValue as Json

from .keys import CITIES, LETTERS, grader, grader_in, options_key, texts_key


@dataclass(frozen=True)
class Constant:
    """A grader that is wrong on purpose."""

    passes: bool
    refuses_empty: bool = True
    name: ClassVar[str] = "constant"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        return {"name": self.name}

    def samples(self, key: AnswerKey) -> Samples:
        return Samples(key.item.gold.texts, ("wrong",))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        del key
        return Grade(self.passes and bool(reply.text or not self.refuses_empty), "graded")


def test_a_grader_that_passes_everything_is_caught_by_a_wrong_answer() -> None:
    reason = prove(Constant(passes=True), texts_key("right"))
    assert reason is not None
    assert 'wrong answer "wrong"' in reason


def test_a_grader_that_fails_everything_is_caught_by_a_right_answer() -> None:
    reason = prove(Constant(passes=False), texts_key("right"))
    assert reason is not None
    assert 'correct answer "right"' in reason


def test_a_grader_that_passes_the_empty_reply_is_caught() -> None:
    class Lenient(Constant):
        def samples(self, key: AnswerKey) -> Samples:
            del key
            return Samples()

    assert prove(Lenient(passes=True, refuses_empty=False), texts_key("right")) == "an empty reply is graded as passed"


@pytest.mark.parametrize(
    ("name", "parameters", "key"),
    [
        ("choice", {}, options_key()),
        ("choice", {}, options_key(("a", "b", "c"), gold=(2,), labels=("1", "2", "3"))),
        ("choice", {}, options_key(("Paris", "Paris", "Lyon"), gold=(0,))),
        ("exact", {}, texts_key("Paris", "City of Light")),
        ("exact", {"ignore_case": False, "ignore_punctuation": False}, texts_key("?")),
        ("contains", {}, texts_key("Paris")),
        ("contains", {}, texts_key("nothing", "C++", "東京", "$5")),
        ("regex", {"pattern": r"answer is (.+)\."}, texts_key("New York")),
        ("regex", {"pattern": r"^(\w+)"}, texts_key("Paris")),
        ("regex", {"pattern": "VERDICT=(.+)"}, texts_key("Paris")),
        ("numeric", {}, texts_key("51.0")),
        ("numeric", {"tolerance": 1000.0, "relative_tolerance": 0.5}, texts_key("-3", "1/3")),
        ("numeric", {"pattern": "#### (.+)"}, texts_key("1,234")),
        ("numeric", {"pattern": "VERDICT=(.+)"}, texts_key("5")),
    ],
)
def test_a_question_that_can_be_graded_is_proved(name: str, parameters: dict[str, object], key: AnswerKey) -> None:
    assert prove(grader(name, **parameters), key) is None


@pytest.mark.parametrize(
    ("name", "parameters", "key", "reason"),
    [
        ("choice", {}, texts_key("Paris"), "has no options"),
        ("choice", {}, options_key(gold=()), "none of the options"),
        ("choice", {}, options_key(gold=(7,)), "none of the options"),
        ("choice", {}, options_key(("B", "A"), gold=(0,)), "a label stands beside another"),
        ("choice", {}, options_key(("3", "1", "2"), labels=("1", "2", "3")), "a label stands beside another"),
        ("exact", {}, texts_key(), "no right answer as a text"),
        ("exact", {}, texts_key("Paris", " "), "empty one"),
        ("contains", {}, texts_key(""), "empty one"),
        ("regex", {"pattern": r"(\d+)"}, texts_key("1,000"), 'it was read as "000"'),
        ("regex", {"pattern": r"(\d+)"}, texts_key(), "no right answer as a text"),
        ("numeric", {}, texts_key("many"), "'many' is no number"),
        ("numeric", {}, texts_key("between 3 and 5"), "is no number"),
        ("numeric", {}, options_key(), "no right answer"),
        ("numeric", {"pattern": r"(\d)"}, texts_key("12"), "correct answer"),
        ("choice", {}, options_key(gold=(0, 1, 2, 3)), "every option counts as right"),
        ("choice", {}, options_key(("Paris", "Paris"), gold=(0,)), "every option counts as right"),
        ("choice", {}, options_key(("Paris",), gold=(0,)), "every option counts as right"),
        ("regex", {"pattern": r"answer is ([A-D])\b"}, texts_key("Paris"), "none where 'Paris' stands there"),
        ("regex", {"pattern": r"^(\w+)$"}, texts_key("New York"), "none where 'New York' stands there"),
    ],
)
def test_a_question_that_can_not_be_graded_is_refused_with_the_reason(
    name: str, parameters: dict[str, object], key: AnswerKey, reason: str
) -> None:
    found = prove(grader(name, **parameters), key)
    assert found is not None
    assert reason in found


def asked_key(*golds: str, text: str, instruction: str = "", context: tuple[str, ...] = ()) -> AnswerKey:
    return AnswerKey(Item("q1", Question(text, instruction=instruction, context=context), Gold(texts=golds)))


@pytest.mark.parametrize(
    ("name", "parameters", "key"),
    [
        ("contains", {}, asked_key("Paris", text="Is Paris or Lyon the capital?")),
        ("contains", {}, asked_key("True", text="True or false: snails have teeth")),
        ("contains", {}, asked_key("positive", text="I liked it.", instruction="Say positive or negative.")),
        ("contains", {}, asked_key("cat", "dog", text="Which is it, a dog?")),
        (
            "regex",
            {"pattern": r"(\w+)\W*$"},
            asked_key("capital", text="What is the city that rules called? A capital"),
        ),
    ],
)
def test_a_question_that_holds_its_answer_is_no_question(
    name: str, parameters: dict[str, object], key: AnswerKey
) -> None:
    reason = prove(grader(name, **parameters), key)
    assert reason is not None
    assert reason.startswith("a reply that only repeats what is asked is graded as passed")
    assert "`exact`" in reason


def test_an_answer_may_stand_in_a_passage_or_within_another_word() -> None:
    assert prove(grader("contains"), asked_key("Paris", text="Which city?", context=("Paris is a city.",))) is None
    assert prove(grader("contains"), asked_key("cat", text="Which category?")) is None
    assert prove(grader("exact"), asked_key("True", text="True or false: snails have teeth")) is None


def test_what_is_asked_also_holds_the_options_as_shown() -> None:
    key = options_key(gold=(1,))
    both = AnswerKey(Item("q1", key.item.question, Gold(options=(1,), texts=("Paris",))), key.labels, key.options)
    assert prove(grader("contains"), both) is not None


def test_a_pattern_that_takes_too_long_is_found_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.graders.timed.TIME_LIMIT_S", 0.05)
    reason = prove(grader("regex", pattern=r"(?:a|a)+$"), texts_key("a" * 60 + "!"))
    assert reason is not None
    assert reason.endswith("took longer than 0.05 s on this reply; make it less ambiguous")


def test_a_label_that_is_another_option_s_text_is_graded_again_once_they_stand_together() -> None:
    swapped = options_key(("A", "B", "C"), gold=(0,), permutation=(1, 0, 2))
    assert prove(grader("choice"), options_key(("A", "B", "C"), gold=(0,))) is None
    assert prove(grader("choice"), swapped) is not None


@dataclass(frozen=True)
class Counted(Constant):
    """A grader that counts how often it is asked for its samples."""

    asked: list[AnswerKey] = field(default_factory=list)

    def samples(self, key: AnswerKey) -> Samples:
        self.asked.append(key)
        return Samples()


def test_variants_that_look_the_same_to_a_grader_are_tried_once() -> None:
    key = options_key()
    judge = Counted(passes=False)
    prover = Prover(judge, key.item)
    others = (
        replace(key, labels=tuple("abcd")),
        replace(key, options=tuple(reversed(CITIES)), permutation=(3, 2, 1, 0)),
        replace(key, item=replace(key.item, gold=Gold(options=(2,)))),
    )
    for each in (key, key, replace(key), *others, *others):
        assert prover.reason(each, changed=False) is None
    assert len(judge.asked) == 1 + len(others)


@pytest.mark.parametrize("options", [CITIES, ("B", "A", "D", "C"), ("May", "may", "none", "no"), ("1", "2", "3", "3")])
def test_a_prover_says_what_each_proof_says(options: tuple[str, ...]) -> None:
    key, judge = options_key(options), grader("choice")
    prover = Prover(judge, key.item)
    for permutation, gold, changed in product(permutations(range(4)), ((), (1,), (2,), (1, 2)), (False, True)):
        item = replace(key.item, gold=Gold(options=gold))
        shown = AnswerKey(item, key.labels, tuple(options[place] for place in permutation), permutation)
        expected = prove(judge, shown)
        if expected is None and changed:
            expected = prove_changed(judge, shown, replace(shown, item=key.item))
        assert prover.reason(shown, changed=changed) == expected
        assert prover.reason(shown, changed=changed) == expected


def test_twenty_six_options_are_proved() -> None:
    texts = tuple(f"city {letter.lower()}x" for letter in LETTERS)
    assert prove(grader("choice"), options_key(texts, gold=(25,))) is None


def test_a_second_grader_under_a_taken_name_is_refused() -> None:
    assert grader("choice").name == "choice"
    with pytest.raises(ValueError, match="already a grader 'choice'"):
        register("choice")(lambda config, base: make_grader(config, base=base))


@pytest.mark.parametrize("parameters", [{"tolerance": 0.5}, {"relative_tolerance": 0.01}, {"count_as_fail": []}])
def test_a_parameter_that_changes_grades_changes_the_identity(parameters: dict[str, object]) -> None:
    assert grader("numeric", **parameters).identity() != grader("numeric").identity()


def test_equal_configs_have_equal_identities(tmp_path: Path) -> None:
    one = grader("exact", count_as_fail=["unparsed", "refused"])
    other = grader_in(tmp_path, "exact", count_as_fail=["refused", "unparsed"])
    assert one.identity() == other.identity()
