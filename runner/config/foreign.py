"""Files of other tools, told by their keys, so that the message is one sentence and not twenty unknown keys."""

import re
from collections.abc import Callable, Iterable

from ..suggest import listed
from .yaml_nodes import Fault, ListNode, MapNode, Node, ScalarNode

OURS = ("model", "dataset", "perturbations")
ADVICE = "a prt config has `model`, `dataset` and `perturbations`; `prt init` writes one to start from"

LM_EVAL = (
    "doc_to_text",
    "doc_to_target",
    "doc_to_choice",
    "dataset_path",
    "output_type",
    "metric_list",
    "aggregate_metric_list",
    "fewshot_split",
    "test_split",
)
LANGTEST = ("robustness", "accuracy", "bias", "fairness", "representation", "toxicity", "defaults")
PROMPTFOO = ("providers", "targets", "tests", "defaultTest", "scenarios", "assertionTemplates", "redteam")
DATA = ("question", "answer", "choices", "options", "input", "target", "prompt", "ideal", "text", "label", "messages")


def recognise(root: Node | None) -> Fault | None:
    """A fault for a file that is no prt config at all but something else that is known; None where it may be one."""
    if isinstance(root, ListNode):
        return _rows(root)
    if not isinstance(root, MapNode) or {"dataset", "perturbations"} & set(root.entries):
        return None
    told = other_tool(root)
    message = f"this looks like {told}; {ADVICE}" if told else _one_row(root)
    return Fault((), root.mark, message) if message else None


def other_tool(root: Node | None) -> str | None:
    """What a file is that configures another tool: `a config of promptfoo (…)`; None where it is no such file."""
    return next(filter(None, (tell(root) for tell in _TELLERS)), None) if isinstance(root, MapNode) else None


def _rows(root: ListNode) -> Fault | None:
    first = root.items[0] if root.items else None
    known = _known(first.entries, DATA) if isinstance(first, MapNode) else []
    return Fault((), root.mark, _data(known)) if known else None


def _known(keys: Iterable[str], names: Iterable[str]) -> list[str]:
    return [name for name in names if name in set(keys)]


def _lm_eval(root: MapNode) -> str | None:
    known = _known(root.entries, LM_EVAL)
    if not known or not ({"task", "group", "tag", "include"} & set(root.entries) or len(known) > 1):
        return None
    data = _hub_data(root) or _data_files(root) or _included(root)
    return f"a task of lm-evaluation-harness ({listed(known[:3], 'and')}){data}"


def _hub_data(root: MapNode) -> str:
    path, name = (root.entries.get(key) for key in ("dataset_path", "dataset_name"))
    if not isinstance(path, ScalarNode) or not re.fullmatch(r"[\w.-]+/[\w.-]+", path.raw):
        return ""
    config = f"/{name.value}" if isinstance(name, ScalarNode) and isinstance(name.value, str) else ""
    return f", whose data is `hf://{path.raw}{config}`"


def _data_files(root: MapNode) -> str:
    """The first file that `dataset_kwargs` names, of whichever split."""
    arguments = root.entries.get("dataset_kwargs")
    node = arguments.entries.get("data_files") if isinstance(arguments, MapNode) else None
    while isinstance(node, MapNode | ListNode):
        node = next(iter(node.entries.values() if isinstance(node, MapNode) else node.items), None)
    return f", whose data is in `{node.raw}`" if isinstance(node, ScalarNode) else ""


def _included(root: MapNode) -> str:
    included = root.entries.get("include")
    return f", whose data is named in `{included.raw}`" if isinstance(included, ScalarNode) else ""


def _openai_evals(root: MapNode) -> str | None:
    for entry in root.entries.values():
        inside = entry.entries if isinstance(entry, MapNode) else {}
        kind = inside.get("class")
        if isinstance(kind, ScalarNode) and kind.raw.startswith("evals."):
            data = _samples(inside.get("args"))
            return f"a registry file of OpenAI Evals (`class: evals.…`){data}"
    return None


def _samples(arguments: Node | None) -> str:
    samples = arguments.entries.get("samples_jsonl") if isinstance(arguments, MapNode) else None
    return f", whose data is in `{samples.raw}`" if isinstance(samples, ScalarNode) else ""


def _langtest(root: MapNode) -> str | None:
    tests = root.entries.get("tests")
    known = _known(tests.entries, LANGTEST) if isinstance(tests, MapNode) else []
    return f"a config of LangTest (`tests:` with {listed(known[:3], 'and')})" if known else None


def _promptfoo(root: MapNode) -> str | None:
    known = _known(root.entries, PROMPTFOO)
    if "prompts" not in root.entries or not known:
        return None
    return f"a config of promptfoo ({listed(['prompts', *known[:2]], 'and')})"


def _one_row(root: MapNode) -> str | None:
    known = _known(root.entries, DATA)
    return _data(known) if len(known) > 1 and not {"model", "prompt"} & set(root.entries) else None


def _data(known: list[str]) -> str:
    return (
        f"this looks like data and not like a config ({listed(known[:3], 'and')}); name it in a config: `dataset: FILE`"
    )


_TELLERS: tuple[Callable[[MapNode], str | None], ...] = (_lm_eval, _openai_evals, _langtest, _promptfoo)
