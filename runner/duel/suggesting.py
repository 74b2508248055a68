"""Drafting the dimensions of a duel from the task and from what changed in the prompt."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ..config.schema import PromptConfig
from .findings import Change
from .prompts import PARTS, prompt_changes
from .templates import CUES, TEMPLATES, Task, Template

FEWEST, MOST = 3, 5
MOST_RULES = 2
"""Rules that the difference itself may add."""
AT_MOST = re.compile(
    r"\b(at most|no more than|up to|maximum of|within|under|fewer than|less than)\s+(\d{1,5})\s+(word|character)s?\b",
    re.IGNORECASE,
)
STRICTLY = ("under", "fewer than", "less than")
QUOTED = r"""[\"'“‘]([^\"'”’\n]{1,40})[\"'”’]"""
NEVER = re.compile(
    rf"\b(?:never|don't|do not|avoid)\s+(?:say|use|write|start with|saying|using)\s+{QUOTED}", re.IGNORECASE
)
ALWAYS = re.compile(rf"\b(?:always|must)\s+(?:say|use|write|include|end with|contain)\s+{QUOTED}", re.IGNORECASE)
IN_JSON = re.compile(r"\b(?:as|in|valid|only|return|output)\s+(?:valid\s+)?json\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Suggested:
    """A draft.

    Attributes:
        task: The task.
        guessed: Whether it was guessed from the prompts.
        dimensions: Three to five dimensions, each with why it is there.
    """

    task: Task
    guessed: bool
    dimensions: tuple[tuple[Template, str], ...]


def suggested(baseline: PromptConfig, candidate: PromptConfig, task: Task | None = None) -> Suggested:
    """Draft dimensions.

    Args:
        baseline: The prompt as it is.
        candidate: The prompt that may take its place.
        task: The task; None to go by the words of the prompts.

    Returns:
        The task's first dimension; those that the changed words speak of; rules that can be read off the difference;
        and of the rest as many as make three.
    """
    chosen = task or guessed_task((baseline, candidate))
    changes = prompt_changes(baseline, candidate)
    words = set(re.findall(r"[\w']+", _changed(changes)))
    first, *others = TEMPLATES[chosen]
    spoken_of = [(each, _why(each, words)) for each in others if _why(each, words)]
    picked = [(first, _why(first, words) or "what this task is for"), *spoken_of]
    rules = [(rule, why) for rule, why in read_off(whole(baseline), whole(candidate)) if not _has_kind(picked, rule)]
    picked = [*picked[: MOST - min(len(rules), MOST_RULES)], *rules[:MOST_RULES]]
    names = {each.id for each, _ in picked}
    rest = [(each, "usual for this task") for each in others if each.id not in names]
    return Suggested(chosen, task is None, (*picked, *rest[: max(FEWEST - len(picked), 0)]))


def guessed_task(prompts: Iterable[PromptConfig]) -> Task:
    """The task whose words stand in prompts most often; `chatbot` where none does."""
    text = " ".join(map(whole, prompts)).casefold()
    counts = {task: sum(_stands_in(cue, text) for cue in cues) for task, cues in CUES.items()}
    best = max(counts, key=lambda task: (counts[task], task != "chatbot"))
    return best if counts[best] else "chatbot"


def _stands_in(cue: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", text) is not None


def _changed(changes: Sequence[Change]) -> str:
    return " ".join(text for change in changes for mark, text in change.marks if mark != "equal").casefold()


def _why(template: Template, words: set[str]) -> str:
    found = [cue for cue in template.cues if cue in words]
    return f"the prompts differ in: {', '.join(found[:3])}" if found else ""


def _has_kind(picked: Iterable[tuple[Template, str]], rule: Template) -> bool:
    """Whether a rule of this kind is among them already, but for keywords, of which each is its own."""
    kind = rule.rule["kind"]
    return kind != "keyword" and any(each.rule.get("kind") == kind for each, _ in picked)


def whole(prompt: PromptConfig) -> str:
    """All texts of a prompt."""
    return "\n".join(getattr(prompt, part) or "" for part in PARTS)


def read_off(before: str, after: str) -> Iterator[tuple[Template, str]]:
    """The rules that the candidate's own words lay down and the baseline's don't, with those words."""
    for pattern, rule in _READ_OFF:
        found = next((each for each in pattern.finditer(after) if each[0] not in before), None)
        if found is not None:
            yield rule(found), f"the candidate says: {' '.join(found[0].split())}"


def _within_length(found: re.Match[str]) -> Template:
    most = int(found[2]) - (found[1].lower() in STRICTLY)
    unit = f"{found[3].lower()}s"
    return _rule(
        "within_length", f"The answer has at most {most} {unit}.", {"kind": "length", "unit": unit, "max": most}
    )


def _in_json(found: re.Match[str]) -> Template:
    del found
    return _rule("json", "The answer is JSON, and nothing else.", {"kind": "json"})


def _avoids(found: re.Match[str]) -> Template:
    word = found[1].strip()
    return _rule("avoids", f"The answer doesn't say “{word}”.", {"kind": "keyword", "absent": [word]})


def _says(found: re.Match[str]) -> Template:
    word = found[1].strip()
    return _rule("says", f"The answer says “{word}”.", {"kind": "keyword", "present": [word]})


def _rule(name: str, description: str, rule: dict[str, Json]) -> Template:
    return Template(name, description, grader="rule", rule=rule)


_READ_OFF: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Template]], ...] = (
    (AT_MOST, _within_length),
    (IN_JSON, _in_json),
    (NEVER, _avoids),
    (ALWAYS, _says),
)
