"""The few-shot examples of a config or of a row, and which items they give away."""

from collections.abc import Sequence

from pydantic import JsonValue as Json
from pydantic import ValidationError

from ...perturbations.question import Example
from ..config.schema import ExampleKeys, PromptConfig
from ..errors import ConfigError, Problem
from ..problems import RowError, listed, quoted
from ..records import Item
from .golds import fits_of
from .option_set import OptionSet
from .paths import kind_of
from .texts import folded


def read_examples(prompt: PromptConfig) -> tuple[Example, ...]:
    """Read the examples.

    Raises:
        ConfigError: If an answer is none of its example's options.
    """
    return tuple(_config_example(example, f"prompt.examples[{at}]") for at, example in enumerate(prompt.examples))


def read_row_examples(value: Json) -> tuple[Example, ...]:
    """Read the examples that a row brings with it.

    Raises:
        RowError: If they are no list of examples, or an answer is none of its example's options.
    """
    if not isinstance(value, list):
        raise RowError(f"the examples are {kind_of(value)}, where a list of {{question, options, answer}} is needed")
    return tuple(_row_example(raw, at) for at, raw in enumerate(value))


def _row_example(raw: Json, at: int) -> Example:
    try:
        return _example(ExampleKeys.model_validate(raw))
    except ValidationError:
        allowed = "{question, options, answer} is needed, with texts and, for the answer, a text or an index"
        raise RowError(f"example {at} is {quoted(raw)}, where {allowed}") from None
    except RowError as error:
        raise RowError(f"example {at}: {error}") from None


def _config_example(raw: dict[str, Json], key: str) -> Example:
    try:
        return _example(ExampleKeys.model_validate(raw))
    except RowError as error:
        raise ConfigError(Problem(str(error), key=f"{key}.answer")) from None


def _example(example: ExampleKeys) -> Example:
    if not example.options:
        return Example(text=example.question, answer=str(example.answer))
    meant = _option(example.answer, OptionSet.of(example.options))
    if len(meant) != 1:
        shown = f"position 0 to {len(example.options) - 1}, label or text of one of the options is needed"
        raise RowError(f"the answer {quoted(str(example.answer))} is no option; {shown}")
    return Example(text=example.question, options=tuple(example.options), answer=meant[0])


def _option(answer: str | int, options: OptionSet) -> tuple[int, ...]:
    """The options that an answer may mean: a number counts from 0; a text is a label or an option's text."""
    if isinstance(answer, int):
        return fits_of([answer], options, "index").get("index", ())
    fits = fits_of([answer], options)
    return tuple({*fits.get("label", ()), *fits.get("text", ())})


def given_away(items: Sequence[Item]) -> tuple[str, ...]:
    """Say which items stand among their own few-shot examples; nothing where none does."""
    found = [item.id for item in items if _gives_itself_away(item)]
    return (f"the few-shot examples contain the question of {_items(found)}",) if found else ()


def _gives_itself_away(item: Item) -> bool:
    text = folded(item.question.text)
    return any(folded(example.text) == text for example in item.question.examples)


def _items(ids: Sequence[str]) -> str:
    return f"{'item' if len(ids) == 1 else f'{len(ids)} items:'} {listed(ids)}"
