"""The few-shot examples of a config, and which items they give away."""

from collections.abc import Sequence

from pydantic import JsonValue as Json

from ..perturbations.question import Example
from .config import ExampleKeys, PromptConfig
from .errors import ConfigError, Problem
from .golds import fits_of
from .option_set import OptionSet
from .problems import listed, quoted
from .records import Item
from .texts import folded


def read_examples(prompt: PromptConfig) -> tuple[Example, ...]:
    """Read the examples.

    Raises:
        ConfigError: If an answer is none of its example's options.
    """
    return tuple(_example(example, f"prompt.examples[{at}]") for at, example in enumerate(prompt.examples))


def _example(raw: dict[str, Json], key: str) -> Example:
    example = ExampleKeys.model_validate(raw)
    if not example.options:
        return Example(text=example.question, answer=str(example.answer))
    meant = _option(example.answer, OptionSet.of(example.options))
    if len(meant) != 1:
        shown = f"position 0 to {len(example.options) - 1}, label or text of one of the options is needed"
        raise ConfigError(
            Problem(f"the answer {quoted(str(example.answer))} is no option; {shown}", key=f"{key}.answer")
        )
    return Example(text=example.question, options=tuple(example.options), answer=meant[0])


def _option(answer: str | int, options: OptionSet) -> tuple[int, ...]:
    """The options that an answer may mean: a number counts from 0; a text is a label or an option's text."""
    if isinstance(answer, int):
        return fits_of([answer], options, "index").get("index", ())
    fits = fits_of([answer], options)
    return tuple({*fits.get("label", ()), *fits.get("text", ())})


def given_away(items: Sequence[Item], examples: Sequence[Example]) -> tuple[str, ...]:
    """Say which items stand among the few-shot examples; nothing where none does."""
    texts = {folded(example.text) for example in examples}
    found = [item.id for item in items if folded(item.question.text) in texts] if texts else []
    return (f"the few-shot examples contain the question of {_items(found)}",) if found else ()


def _items(ids: Sequence[str]) -> str:
    return f"{'item' if len(ids) == 1 else f'{len(ids)} items:'} {listed(ids)}"
