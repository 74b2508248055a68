"""The few-shot examples of a config or of a row, and which items they give away."""

from pydantic import JsonValue as Json
from pydantic import ValidationError

from ...perturbations.question import Example
from ..config.schema import ExampleKeys, PromptConfig
from ..errors import ConfigError, Problem
from ..problems import RowError, quoted
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


def refuse_given_away(item: Item) -> None:
    """Check that an item does not stand among its own few-shot examples, with its answer.

    Items that share one question text are told apart by their passages, earlier turns or files, which examples lack.

    Raises:
        RowError: If it does.
    """
    question = item.question
    if question.context or question.history or item.attachments:
        return
    asked = (folded(question.text), {folded(option) for option in question.options})
    for example in question.examples:
        if (folded(example.text), {folded(option) for option in example.options}) == asked:
            raise RowError(
                "its question is one of the few-shot examples, which tell its answer; take it out of the examples, or "
                "out of the dataset"
            )
