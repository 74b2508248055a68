"""Short forms of a config made long, so that each thing has one shape: `model: local`, `- typo`, `grade: choice`.

Works on the tree, so that every long form still knows where it stands in the file and what the user wrote there.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, get_args, get_origin

from ..suggest import did_you_mean, listed, shown
from .models import MODEL_KEYS
from .presets import PRESETS
from .schema import GENERATORS, PROVIDERS, ParaphraseConfig, PythonGeneratorConfig
from .secret_literals import masked
from .words import found, is_null
from .yaml_nodes import Fault, ListNode, MapNode, Mark, Node, ScalarNode

NEEDS_PROVIDER = {"url": "http", "callable": "python"}


class ShortFormError(Exception):
    """A value has none of the forms that its key takes."""

    def __init__(self, node: Node, message: str, mark: Mark | None = None) -> None:
        super().__init__(message)
        self.fault = Fault(node.path, mark or node.mark, message)


def expand(root: MapNode, stem: str) -> tuple[MapNode, list[Fault]]:
    """Give every block of a config its long form.

    Args:
        root: The config as it was read.
        stem: The file's name without its ending, which names the run where the config does not.

    Returns:
        The config in long forms, without the keys that have no form at all, and a fault for each of those.
    """
    entries = dict(root.entries)
    faults: list[Fault] = []
    if "name" not in entries:
        entries["name"] = ScalarNode(stem, stem, quoted=True, mark=root.mark, path=("name",), implied=True)
    for key, form in (("model", model_form), ("dataset", dataset_form), ("grade", _grade)):
        if key in entries:
            try:
                entries[key] = form(entries[key])
            except ShortFormError as error:
                del entries[key]
                faults.append(error.fault)
    if isinstance(nightly := entries.get("nightly"), MapNode):
        entries["nightly"] = _nightly(nightly, faults)
    if "perturbations" in entries:
        entries["perturbations"] = _perturbations(entries["perturbations"], faults)
    return replace(root, entries=entries), faults


def _block(key: str, value: Node) -> MapNode:
    """A block of one key, whose value is the short form itself."""
    return MapNode({key: value}, {key: value.mark}, mark=value.mark, path=value.path)


def dataset_form(node: Node) -> Node:
    """`items.jsonl` as `{path: items.jsonl}`.

    Raises:
        ShortFormError: It is neither a path nor a block.
    """
    if isinstance(node, MapNode):
        return node
    if isinstance(node, ListNode) or is_null(node):
        raise ShortFormError(node, f"expected a path, or a block with `path`, found {found(node)}")
    return _block("path", node)


def _nightly(node: MapNode, faults: list[Fault]) -> MapNode:
    """The block with the long form of its model."""
    model = node.entries.get("reference_model")
    if model is None or is_null(model):
        return node
    try:
        return replace(node, entries={**node.entries, "reference_model": model_form(model)})
    except ShortFormError as error:
        faults.append(error.fault)
        return replace(node, entries={key: each for key, each in node.entries.items() if key != "reference_model"})


def _grade(node: Node) -> Node:
    """`choice` as `{grader: choice}`, and `[numeric, exact]` as `{grader: any_of, graders: [numeric, exact]}`."""
    if isinstance(node, ListNode):
        word = ScalarNode("any_of", "any_of", quoted=True, mark=node.mark, path=(*node.path, "grader"), implied=True)
        node = MapNode({"grader": word, "graders": node}, {}, mark=node.mark, path=node.path)
    if not isinstance(node, MapNode):
        return node if is_null(node) else _block("grader", node)
    if isinstance(model := node.entries.get("model"), MapNode | ScalarNode) and not is_null(model):
        node = replace(node, entries={**node.entries, "model": model_form(model)})
    members = node.entries.get("graders")
    if not isinstance(members, ListNode):
        return node
    items = tuple(_block("grader", item) if isinstance(item, ScalarNode) else item for item in members.items)
    return replace(node, entries={**node.entries, "graders": replace(members, items=items)})


def model_form(node: Node) -> Node:
    """`local` as `{provider: local}`, and a block without a provider as one of the provider `openai`.

    Raises:
        ShortFormError: It is neither `local` nor a block, or its provider can't be told.
    """
    if isinstance(node, MapNode):
        return _with_provider(node)
    if isinstance(node, ScalarNode) and node.value == "local":
        return _block("provider", node)
    raise ShortFormError(node, f"expected `local` or a block, found {found(node)}{_model_hint(node)}")


def _model_hint(node: Node) -> str:
    if not isinstance(node, ScalarNode) or not node.value or not isinstance(node.value, str) or node.template:
        return ""
    text, key = masked(node.value), node.path[-1]
    if text in PROVIDERS:
        return f"; write `{key}: {{provider: {text}, …}}` with what else it needs"
    if text.endswith(".gguf"):
        return f"; write `{key}: {{provider: local, path: {text}}}`"
    return f"; write `{key}: {{name: {text}}}` for a model of an OpenAI-compatible endpoint"


def _with_provider(node: MapNode) -> MapNode:
    if "provider" in node.entries:
        return node
    other = next((key for key in NEEDS_PROVIDER if key in node.entries), None)
    if other and "name" not in node.entries:
        raise ShortFormError(node, f"`{other}` without a provider; add `provider: {NEEDS_PROVIDER[other]}`")
    if "path" in node.entries and "name" not in node.entries:
        hint = "add `provider: local` for a GGUF model, or `provider: replay` for a file of replies"
        raise ShortFormError(node, f"`path` without a provider; {hint}")
    implied = ScalarNode("openai", "openai", quoted=True, mark=node.mark, path=(*node.path, "provider"), implied=True)
    return replace(node, entries={"provider": implied, **node.entries})


def _perturbations(node: Node, faults: list[Fault]) -> Node:
    if isinstance(node, ScalarNode) and isinstance(node.value, str) and node.value in PRESETS:
        return _preset(node, node.value)
    if not isinstance(node, ListNode) or not node.items:
        takes = f"a list of generators ({listed(GENERATORS)}), or {listed(PRESETS)} alone"
        message = f"expected {takes}, found {found(node)}{_list_hint(node)}"
        faults.append(Fault(node.path, node.mark, message))
    entries: list[Node] = []
    for item in node.items if isinstance(node, ListNode) else ():
        try:
            entries.append(_entry(item))
        except ShortFormError as error:
            faults.append(error.fault)
    return ListNode(tuple(entries), mark=node.mark, path=node.path)


def _preset(node: ScalarNode, preset: str) -> ListNode:
    """`medium` as the list of generators that it stands for; all of it stands where the word does."""
    at = replace(node, template=None)
    steps = []
    for name, parameters in PRESETS[preset].items():
        given: dict[str, Node] = {key: replace(at, value=value, raw=value) for key, value in parameters.items()}
        steps.append(_named(name, at, MapNode(given, mark=node.mark, path=node.path)))
    entries = tuple(ListNode((step,), mark=node.mark, path=node.path) for step in steps)
    return ListNode(entries, mark=node.mark, path=node.path)


def _list_hint(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return f"; write `[{node.raw}]`" if node.raw in GENERATORS else did_you_mean(node.raw, PRESETS)
    return "; start each generator with `- `" if isinstance(node, MapNode) else ""


def _entry(node: Node) -> ListNode:
    if not isinstance(node, ListNode):
        return ListNode((_step(node),), mark=node.mark, path=node.path)
    if not node.items:
        raise ShortFormError(node, f"expected generators to be composed ({listed(GENERATORS)}), found an empty list")
    nested = next((item for item in node.items if isinstance(item, ListNode)), None)
    if nested:
        raise ShortFormError(nested, "a list within a composition; write its generators one after the other")
    return replace(node, items=tuple(_step(item) for item in node.items))


def _step(node: Node) -> MapNode:
    """`typo`, `typo:` or `{typo: {severity: medium}}` as `{name: typo, config: {severity: medium}}`."""
    if isinstance(node, ScalarNode):
        if not isinstance(node.value, str):
            raise ShortFormError(node, f"expected a generator ({listed(GENERATORS)}), found {found(node)}")
        return _named(node.value, node, MapNode({}, mark=node.mark, path=node.path))
    if isinstance(node, MapNode):
        node = _with_callable(node)
        key = _only_key(node)
        at = node.keys.get(key, node.mark)
        return _named(key, replace(node, mark=at), _parameters(key, node.entries[key]))
    raise ShortFormError(node, "expected a generator, found a list")


def _with_callable(node: MapNode) -> MapNode:
    """`{python: gen.py:make, variants: 2}` as `{python: {callable: gen.py:make, variants: 2}}`."""
    name = next((key for key in node.entries if GENERATORS.get(key) is PythonGeneratorConfig), "")
    value = node.entries.get(name)
    beside = [key for key in node.entries if key != name]
    if not isinstance(value, ScalarNode) or not beside or any(key in GENERATORS for key in beside):
        return node
    entries = {"callable": value, **{key: node.entries[key] for key in beside}}
    block = replace(node, entries=entries, keys={**node.keys, "callable": node.keys.get(name, node.mark)})
    return replace(node, entries={name: block}, keys={name: node.keys.get(name, node.mark)})


def _named(name: str, node: Node, parameters: Node) -> MapNode:
    if name not in GENERATORS:
        wrong = node.template if isinstance(node, ScalarNode) and node.template else name
        alone = f"; `{name}` stands for a whole list: write `perturbations: {name}`" if name in PRESETS else ""
        allowed = alone or did_you_mean(name, GENERATORS) or f"; expected {listed(GENERATORS)}"
        raise ShortFormError(node, f"there is no generator {shown(masked(wrong))}{allowed}")
    title = ScalarNode(name, name, quoted=True, mark=node.mark, path=node.path)
    return MapNode({"name": title, "config": parameters}, mark=node.mark, path=node.path)


def _only_key(node: MapNode) -> str:
    names = [key for key in node.entries if key in GENERATORS]
    others = [key for key in node.entries if key not in GENERATORS]
    if len(node.entries) == 1:
        return next(iter(node.entries))
    if not names:
        keys = listed(list(node.entries)[:3], "and") if node.entries else "an empty block"
        raise ShortFormError(node, f"expected one generator ({listed(GENERATORS)}), found {keys}")
    if len(names) > 1:
        hint = f"give each a `- ` of its own, or write `- [{', '.join(names)}]` to compose them"
        raise ShortFormError(node, f"{listed(names, 'and')} stand in one entry; {hint}")
    at = node.keys.get(others[0])
    hint = f"indent it under `{names[0]}:`, or write `{names[0]}: {{{others[0]}: …}}`"
    raise ShortFormError(node, f"`{others[0]}` stands beside `{names[0]}`; {hint}", at)


def _parameters(name: str, node: Node) -> Node:
    if is_null(node):
        return MapNode({}, mark=node.mark, path=node.path)
    if name not in GENERATORS:
        return node
    if GENERATORS[name] is PythonGeneratorConfig and isinstance(node, ScalarNode):
        return _block("callable", node)
    if not isinstance(node, MapNode):
        hint = _parameter_hint(name, node)
        raise ShortFormError(node, f"expected a block of parameters, found {found(node)}{hint}")
    return _with_models(node) if GENERATORS[name] is ParaphraseConfig else node


def _with_models(node: MapNode) -> MapNode:
    """Paraphrases may come from a model of their own, and be judged by another."""
    models = {key: model_form(value) for key, value in node.entries.items() if key in MODEL_KEYS and not is_null(value)}
    return replace(node, entries={**node.entries, **models})


def _parameter_hint(name: str, node: Node) -> str:
    if not isinstance(node, ScalarNode) or name not in GENERATORS:
        return ""
    if name == "paraphrase" and node.raw.endswith(".jsonl"):
        return f"; write `paraphrase: {{file: {node.raw}}}`"
    fields = GENERATORS[name].model_fields.items()
    choices = ((key, *choice) for key, field in fields for choice in _choices(field.annotation))
    key, _, form = next((choice for choice in choices if node.raw in choice[1]), ("", (), ""))
    return f"; write `{name}: {{{key}: {form.format(node.raw)}}}`" if key else ""


def _choices(annotation: object, form: str = "{}") -> Iterator[tuple[tuple[object, ...], str]]:
    """The words that a key takes, and how one of them is written: alone, or as a list."""
    origin = get_origin(annotation)
    if origin is Literal:
        yield get_args(annotation), form
    else:
        for inner in get_args(annotation):
            yield from _choices(inner, "[{}]" if origin is list else form)
