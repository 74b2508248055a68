"""Suggested dimensions: three to five, by task and by what changed, in a config that loads as it stands."""

from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.config.duel import DimensionConfig
from prt.runner.config.duel_loading import parse_duel
from prt.runner.config.schema import PromptConfig
from prt.runner.duel.draft import draft_of_config, draft_of_prompts
from prt.runner.duel.prompts import prompt_changes
from prt.runner.duel.rules import TIE, make_rule
from prt.runner.duel.suggesting import FEWEST, MOST, guessed_task, suggested
from prt.runner.duel.templates import TEMPLATES, Task, Template
from prt.runner.errors import UsageError

EVERY = [(task, template) for task, templates in TEMPLATES.items() for template in templates]
TASKS: tuple[Task, ...] = get_args(Task)


def system(text: str) -> PromptConfig:
    return PromptConfig(system=text)


def ids(before: str, after: str, task: Task | None = None) -> list[str]:
    return [each.id for each, _ in suggested(system(before), system(after), task).dimensions]


@pytest.mark.parametrize(("task", "template"), EVERY, ids=lambda each: getattr(each, "id", each))
def test_every_template_is_a_dimension_of_a_config(task: Task, template: Template) -> None:
    dimension = DimensionConfig.model_validate(template.block())
    assert dimension.description.endswith(".")
    assert dimension.rule is None or make_rule(dimension, base=Path())("one", "one").score == TIE
    assert bool(dimension.rubric) is (dimension.grader != "rule")
    assert all(cue == cue.casefold() for cue in template.cues)
    assert len({each.id for each in TEMPLATES[task]}) == 5


@pytest.mark.parametrize("task", TASKS)
def test_a_draft_loads_as_it_stands_and_has_three_to_five_dimensions(task: Task) -> None:
    config = parse_duel(draft_of_prompts(None, None, task), Path("duel.yaml"), env={}).config
    assert FEWEST <= len(config.dimensions) <= MOST
    assert config.dimensions[0].id == TEMPLATES[task][0].id


texts = st.lists(
    st.sampled_from(
        [
            "brief",
            "cite",
            "json",
            "in JSON",
            "at most 50 words",
            "never say 'no'",
            "always say 'ok'",
            "tools",
            "\x00é",
            "«",
        ]
        + [cue for _, template in EVERY for cue in template.cues]
    ),
    max_size=12,
).map(" ".join)


@given(texts, texts, st.sampled_from([*TASKS, None]))
def test_any_difference_gives_three_to_five_dimensions_each_with_a_reason(
    before: str, after: str, task: Task | None
) -> None:
    draft = suggested(system(before), system(after), task)
    names = [each.id for each, _ in draft.dimensions]
    assert FEWEST <= len(names) <= MOST
    assert len(set(names)) == len(names)
    assert all(why for _, why in draft.dimensions)
    assert names[0] == TEMPLATES[draft.task][0].id


def test_what_changed_decides_which_dimensions_are_drafted() -> None:
    assert "tone" in ids("Answer.", "Answer in a friendly way.", "chatbot")
    assert "tone" not in ids("Answer.", "Answer as fast as possible.", "translation")
    assert "cites" in ids("Answer.", "Answer and cite your sources.", "rag")


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("Help.", "Help in at most 60 words.", {"kind": "length", "unit": "words", "max": 60}),
        ("Help in at most 90 words.", "Help in at most 60 words.", {"kind": "length", "unit": "words", "max": 60}),
        ("Help.", "Help, under 200 characters.", {"kind": "length", "unit": "characters", "max": 199}),
        ("Help.", "Answer in JSON.", {"kind": "json"}),
        ("Help.", 'Never say "Unfortunately".', {"kind": "keyword", "absent": ["Unfortunately"]}),
        ("Help.", "Always include 'Sources'.", {"kind": "keyword", "present": ["Sources"]}),
    ],
)
def test_rules_are_read_off_the_difference(before: str, after: str, rule: dict[str, object]) -> None:
    rules = [each.rule for each, _ in suggested(system(before), system(after), "translation").dimensions if each.rule]
    assert rule in rules


def test_what_both_prompts_lay_down_is_no_difference() -> None:
    both = "in at most 60 words"
    rules = [each.rule for each, _ in suggested(system(f"Help {both}."), system(f"Do {both}."), "rag").dimensions]
    assert all(rule.get("kind") != "length" for rule in rules)


@pytest.mark.parametrize(
    ("prompt", "task"),
    [
        ("You are a helpful assistant.", "chatbot"),
        ("Answer only from the passages in the context.", "rag"),
        ("Review this pull request for bugs.", "code-review"),
        ("Use the tools to reach the goal; plan first.", "agent"),
        ("Translate the text into French.", "translation"),
        ("Write a summary of the key points.", "summarisation"),
        ("Hello", "chatbot"),
    ],
)
def test_the_task_is_told_by_the_words_of_the_prompts(prompt: str, task: str) -> None:
    assert guessed_task([system(prompt)]) == task


def test_a_draft_of_two_files_holds_both_prompts_whole(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("Be kind: # always\n- yes: no\n", encoding="utf-8")
    new.write_text("Be kind: # always\n- yes: no\n012 ${HOME}\n", encoding="utf-8")
    config = parse_duel(draft_of_prompts(old, new, None), Path("duel.yaml"), env={}).config
    assert config.prompts is not None
    assert config.prompts.baseline.system == "Be kind: # always\n- yes: no"
    assert config.prompts.candidate.system == "Be kind: # always\n- yes: no\n012 ${HOME}"


CONFIG = """\
# mine
model: {name: m, base_url: "${URL}"}
dataset: items.jsonl
prompts:
  baseline: {instruction: Answer.}
  candidate: {instruction: Answer briefly.}
"""


def test_a_config_keeps_all_that_stands_in_it(tmp_path: Path) -> None:
    path = tmp_path / "duel.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    draft = draft_of_config(path, "chatbot", env={"URL": "http://127.0.0.1:9/v1"})
    assert draft.startswith(CONFIG)
    assert [each["id"] for each in yaml.safe_load(draft)["dimensions"]] == ["helpful", "concise", "correct"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (CONFIG + "dimensions: []\n", "has `dimensions` already"),
        ("model: local\ndataset: x.jsonl\n", "has no `prompts: {baseline: …, candidate: …}`"),
        (CONFIG.replace("instruction: Answer.", "instrution: x"), "prompts.baseline.instrution: unknown key"),
        (CONFIG + "alpha: 2\n", "alpha: expected a number"),
    ],
)
def test_a_config_that_cannot_be_completed_is_refused_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "duel.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        draft_of_config(path, None, env={"URL": "http://127.0.0.1:9/v1"})
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_files_are_needed_and_they_must_differ(tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text("Help.", encoding="utf-8")
    with pytest.raises(UsageError, match="takes both prompts or none"):
        draft_of_prompts(old, None, None)
    with pytest.raises(UsageError, match="hold the same prompt"):
        draft_of_prompts(old, old, None)
    with pytest.raises(UsageError, match="there is no such file"):
        draft_of_prompts(old, tmp_path / "none.txt", None)


def test_the_difference_of_prompts_is_marked_part_by_part() -> None:
    before = PromptConfig(system="Be kind.", instruction="Answer.", examples=[{"question": "1+1?", "answer": "2"}])
    after = PromptConfig(system="Be brief.", instruction="Answer.")
    changes = prompt_changes(before, after)
    assert [change.part for change in changes] == ["system", "examples"]
    assert changes[0].marks == (("equal", "Be "), ("delete", "kind"), ("insert", "brief"), ("equal", "."))
    assert prompt_changes(before, before) == ()


def test_a_prompt_s_file_that_is_missing_is_no_config(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a text file that holds the prompt") as raised:
        draft_of_prompts(tmp_path / "old.txt", tmp_path / "new.txt", None)
    assert "prt init" not in str(raised.value)
