"""The reference of the config file, made from its schema: `python -m prt.runner.config.docs > docs/config.md`."""

import sys
from collections.abc import Iterator, Mapping

from pydantic.fields import FieldInfo

from .descriptions import descriptions
from .gates import GateConfig
from .json_schema import long_schema
from .limits import BatchPrices
from .models import MODEL_KEYS, AzureConfig, BatchConfig
from .nightly import EmailSink, FileSink, NotifyConfig, WebhookSink
from .presets import PRESETS
from .schema import (
    GENERATORS,
    PROVIDERS,
    AnalysisConfig,
    Config,
    DatasetConfig,
    ExampleKeys,
    FieldsConfig,
    FilterTest,
    FixedOptions,
    GradeConfig,
    ImpactConfig,
    InsideOptions,
    LimitsConfig,
    ModelSection,
    NightlyConfig,
    PricesConfig,
    PromptConfig,
    ReportConfig,
    RetryConfig,
    RubricFile,
    Section,
    SplitOptions,
)
from .show import yaml_line
from .words import describe, takes_null

INTRODUCTION = """\
# The config file

A config is one YAML file. Three blocks are enough, `model`, `dataset` and `perturbations`; every other key has a
default. `prt init` writes a commented one to start from, `prt check FILE` validates it without a call, `prt check FILE
--show` prints every value and where it comes from, and `prt schema` prints a JSON Schema with which editors complete
and check it. Relative paths start at the config file's folder.

<!-- Made by `python -m prt.runner.config.docs`; a test compares the two. -->

## Short forms

| short | means |
| --- | --- |
| `model: local` | `model: {provider: local}` |
| `model: {name: gpt-4.1-mini}` | `model: {provider: openai, name: gpt-4.1-mini}` |
| `dataset: items.jsonl` | `dataset: {path: items.jsonl}` |
| `- typo` or `- typo:` | `- typo: {}`, a generator with its defaults |
| `- [paraphrase, typo: {severity: hard}]` | generators composed: each works on what the one before it made |
| `perturbations: medium` | a list of generators: see [Presets](#presets) |
| `paraphrase: {file: mine.jsonl}` | `paraphrase: {kind: file, file: mine.jsonl}` |
| `paraphrase: {model: local}` | `paraphrase: {kind: llm, model: {provider: local}}` |
| `python: gen.py:make` or `{python: gen.py:make, variants: 2}` | `python: {callable: gen.py:make, variants: 2}` |
| `grade: choice` | `grade: {grader: choice}` |
| `grade: [numeric, exact]` | `grade: {grader: any_of, graders: [{grader: numeric}, {grader: exact}]}` |
| `prompt:` with nothing below it | the block's defaults; so for every block and list that has one |

## Values from the environment

`${NAME}` in a text is filled in once from the environment variable `NAME`; a variable that is not set is an error, and
`$${` stands for a plain `${`. Between `[ ]` and `{ }` such a text needs quotes. Only texts are filled in, not keys or
numbers. What the config prints, stores and reports is the text with `${NAME}`, never its value. A key or a password
written into the file is refused: it belongs into a variable.

## Values that YAML bends

Unquoted, YAML takes `no` and `on` for truth values, `012` for ten, `12:30` for 750, `1.10` for 1.1 and `2024-01-02` for
a date. Where text is meant, each of these is an error that says how to quote it; nothing is converted silently. Truth
values are `true` and `false`; numbers may have an exponent (`1e-5`). Tags (`!…`), duplicate keys, merge keys (`<<`) and
several documents in one file are refused; anchors and aliases work.
"""

PRESETS_INTRODUCTION = """\
## Presets

One word instead of a list, where strength is all that matters. `prt check --show` prints the list with every value.
For anything else, such as compositions or a generator listed twice, write the list.
"""

EXAMPLES = """\
## Examples

The shortest one: the embedded model on multiple-choice items.

```yaml
model: local
dataset: items.jsonl
perturbations: [reorder, format, paraphrase, typo]
```

An endpoint, rows of another shape, a grader, variants of several strengths.

```yaml
name: ticket-triage
model:
  name: gpt-4.1-mini
  base_url: http://127.0.0.1:8000/v1
  api_key_env: TRIAGE_KEY
  params: {temperature: 0, max_tokens: 16}
dataset:
  path: tickets.jsonl
  fields: {id: id, question: ticket.text, options: "labels[].text", answer: gold, cluster: customer}
  sample: 200
prompt:
  system: You sort support tickets.
  instruction: Choose the one label that fits.
perturbations:
  - reorder: {kind: each_slot}
  - format: {kind: [labels, markdown], variants: 2}
  - paraphrase: {file: paraphrases.jsonl}
  - typo: {severity: medium}
  - [paraphrase, typo: {severity: hard}]
  - rerun
grade: choice
protect: ['\\b[A-Z]{2}-\\d+\\b']
limits: {concurrency: 16, max_error_rate: 0.01}
analysis: {margin: 0.03}
```

An application behind an endpoint of its own, on questions with a number for an answer.

```yaml
model:
  provider: http
  url: https://assistant.example/ask
  headers: {Authorization: "Bearer ${ASSISTANT_TOKEN}"}
  body: {input: "{prompt}", session: null}
  answer: output.text
  timeout_s: 30
dataset:
  path: word_problems.jsonl
  answer_pattern: '#### (.+)'
perturbations:
  - paraphrase
  - typo: {rate: 0.08, layout: qwertz}
grade: {grader: numeric, tolerance: 0.01}
```
"""

BLOCKS: Mapping[str, type[Section]] = {
    "Top level": Config,
    "model: every provider": ModelSection,
    **{f"model: provider {name}": section for name, section in PROVIDERS.items()},
    "model.retry": RetryConfig,
    "model.azure": AzureConfig,
    "model.batch": BatchConfig,
    "dataset": DatasetConfig,
    "dataset.fields": FieldsConfig,
    "dataset.fields.options: lines within a text": InsideOptions,
    "dataset.fields.options: one text with separators": SplitOptions,
    "dataset.fields.options: the same in every row": FixedOptions,
    "dataset.filter: more than equality": FilterTest,
    **{f"perturbations: {name}": section for name, section in GENERATORS.items()},
    "prompt": PromptConfig,
    "prompt.examples: each": ExampleKeys,
    "grade": GradeConfig,
    "grade.rubric: in a file": RubricFile,
    "limits": LimitsConfig,
    "analysis": AnalysisConfig,
    "gates: each": GateConfig,
    "prices": PricesConfig,
    "prices.batch": BatchPrices,
    "impact": ImpactConfig,
    "report": ReportConfig,
    "nightly": NightlyConfig,
    "nightly.notify: each": NotifyConfig,
    "nightly.notify: webhook": WebhookSink,
    "nightly.notify: email": EmailSink,
    "nightly.notify: file": FileSink,
}
"""Every block, as its heading names it."""


TAKES = {
    "model": "`local`, or a block",
    "dataset": "a path, or a block",
    "perturbations": "a list of generators, or `mild`, `medium` or `hard`",
    "grade": "a grader's name, a block, or a list of graders",
}
"""What the top-level keys with a short form take."""
OPTIONAL_MODEL = "`local`, or a block as the top-level `model`"


def config_reference() -> str:
    """The reference as Markdown."""
    tables = "\n".join(line for heading, section in BLOCKS.items() for line in _table(heading, section))
    return f"{INTRODUCTION}\n{tables}\n{presets()}\n{EXAMPLES}"


def presets() -> str:
    """The presets with the lists that they stand for."""
    rows = [f"| `perturbations: {name}` | `{_list_of(preset)}` |" for name, preset in PRESETS.items()]
    return "\n".join([PRESETS_INTRODUCTION, "| preset | means |", "| --- | --- |", *rows, ""])


def _list_of(preset: Mapping[str, Mapping[str, str]]) -> str:
    return yaml_line([{name: dict(parameters)} if parameters else name for name, parameters in preset.items()])


def _table(heading: str, section: type[Section]) -> Iterator[str]:
    shared = ModelSection.model_fields if section in PROVIDERS.values() else {}
    yield from (f"## {heading}", "", " ".join((section.__doc__ or "").split()), "")
    yield from ("| key | takes | default | meaning |", "| --- | --- | --- | --- |")
    meanings = descriptions(section)
    for key, field in section.model_fields.items():
        if key not in shared:
            meaning = " ".join(meanings.get(key, "").split())
            yield _row(f"`{key}`", _takes(section, key), _default(key, field), meaning)
    yield ""


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _takes(section: type[Section], key: str) -> str:
    if section is Config and key in TAKES:
        return TAKES[key]
    if key in (*MODEL_KEYS, "reference_model"):
        return OPTIONAL_MODEL
    properties = long_schema(section)["properties"]
    schema = properties[key] if isinstance(properties, dict) else {}
    if not isinstance(schema, dict) or "properties" in schema:
        return "a block"
    unset = section.model_fields[key].get_default(call_default_factory=True) is None
    return describe(schema) + (" or null" if takes_null(schema) and not unset else "")


def _default(key: str, field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if field.is_required() or (key == "provider" and default != "openai"):
        return "required"
    if isinstance(default, Section):
        return "its defaults"
    if field is Config.model_fields["name"]:
        return "the file's name"
    return "none" if default is None else f"`{yaml_line(default)}`"


if __name__ == "__main__":
    sys.stdout.write(config_reference())
