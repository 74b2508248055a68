"""Secrets that stand in a config file: found before anything else reads it, and never repeated in a message."""

import re
from collections.abc import Iterator

from .models import MODEL_KEYS
from .yaml_nodes import Fault, KeyPath, Node, ScalarNode, walk

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_-])(sk-|sk_|pk-|rk_|gsk_|xai-|hf_|r8_|ghp_|glpat-|github_pat_|AIza|AKIA|nvapi-|pplx-|csk-|xox[abp]-)"
    r"[A-Za-z0-9_-]{16,}"
)
_URL_PASSWORD = re.compile(r"(?<=://)([^\s/:@]*):(?!\$\{)([^\s/@]+)@")
_SECRET_KEY = re.compile(
    r"authorization|api[-_]?key|access[-_]?key|(access|auth|bearer)[-_]?token|secret|password|passwd|cookie|(^|[-_])key$",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[^\s]{16,}")


def masked(text: str) -> str:
    """The text without what looks like a key or the password of an address."""
    return _URL_PASSWORD.sub(r"\1:…@", _TOKEN.sub(r"\1…", text))


def literal_secrets(root: Node) -> Iterator[Fault]:
    """A fault for each secret that is written out in the file where an endpoint or a database is described."""
    for node in walk(root):
        if isinstance(node, ScalarNode) and isinstance(node.value, str) and _is_place_of_secrets(node.path):
            message = _complaint(node.path, node.value)
            if message:
                yield Fault(node.path, node.mark, message)


def _is_place_of_secrets(path: KeyPath) -> bool:
    """Prompts and patterns may speak of keys; what describes an endpoint, or is no key of ours, may not hold one."""
    if path[:1] in {("perturbations",), ("grade",)}:
        return not set(MODEL_KEYS).isdisjoint(path)
    return bool(path) and path[0] not in {"prompt", "prompts", "protect", "dataset", "dimensions"}


def _complaint(path: KeyPath, text: str) -> str | None:
    if _URL_PASSWORD.search(text):
        return "this address has a password in it; keep it in an environment variable and write `${NAME}` in its place"
    if not _TOKEN.search(text) and not _is_named_secret(path, text):
        return None
    if "headers" in path:
        return "this looks like a secret; keep it in an environment variable and write `${NAME}` in its place"
    return (
        "this looks like an API key, which doesn't belong in a file; keep it in an environment variable and name that "
        "variable: `api_key_env: OPENAI_API_KEY`"
    )


def _is_named_secret(path: KeyPath, text: str) -> bool:
    """Whether the key says that its value is a secret; `Bearer EMPTY` and a token such as `<|end|>` are none."""
    key = str(path[-1])
    says = _SECRET_KEY.search(key) or ("headers" in path and "token" in key.lower())
    return bool(says) and "${" not in text and _LONG_WORD.search(text) is not None and not key.endswith("_env")
