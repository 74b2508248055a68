"""PyYAML's errors as one sentence each, with the place that the reader should look at."""

import re
from collections.abc import Callable

import yaml

TAG = "tags such as `{tag}` are not allowed, since a config is plain data; remove it, or put the text in quotes"
MERGE = "merge keys (`<<`) are not allowed; write the keys out"

QUOTES = "put the text in quotes"
SINGLE = "put the text in single quotes, '…', where a backslash is just a backslash"

Explained = tuple[str, int]
Explainer = Callable[[re.Match[str], yaml.MarkedYAMLError, str], Explained]


def explain(error: yaml.MarkedYAMLError, text: str) -> Explained:
    """Word a syntax error.

    Args:
        error: PyYAML's error.
        text: What was read.

    Returns:
        The sentence, and the index in the text that it is about.
    """
    told = f"{error.context or ''}: {error.problem or ''}"
    for pattern, explainer in _EXPLAINERS:
        match = re.search(pattern, told)
        if match:
            return explainer(match, error, text)
    return f"this is not valid YAML: {' '.join(str(error.problem).split())}", _at(error)


def _at(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return int(mark.index) if mark else 0


def _opened(error: yaml.MarkedYAMLError) -> int:
    return int(error.context_mark.index) if error.context_mark else _at(error)


def _line(text: str, index: int) -> str:
    """The line that holds the index, up to 60 characters of it."""
    start = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1
    line = re.split(r"[\r\n]", text[start : start + 1000], maxsplit=1)[0].strip()
    return line if len(line) <= 60 else line[:59] + "…"


def _here(sentence: str) -> Explainer:
    """The sentence, at the place of the problem; `{0}` stands for what the pattern caught."""
    return lambda match, error, _: (sentence.replace("{0}", (match.groups() or ("",))[0]), _at(error))


def _where_opened(sentence: str) -> Explainer:
    return lambda _, error, __: (sentence, _opened(error))


def _unclosed_bracket(_: re.Match[str], error: yaml.MarkedYAMLError, text: str) -> Explained:
    return f"the `{text[_opened(error)]}` opened here is never closed", _opened(error)


def _within_brackets(match: re.Match[str], error: yaml.MarkedYAMLError, text: str) -> Explained:
    at, opened = _at(error), _opened(error)
    if text[at] == "{" and text[at - 1] == "$":
        return "`${…}` between [ ] or { } needs quotes: '${NAME}'", at - 1
    line = text.count("\n", 0, opened) + 1
    ends = "]" if text[opened] == "[" else "}"
    where = f"within the `{text[opened]}` opened at line {line}"
    return f"expected `,` or `{ends}` here, {where}; close it before, or put text with `{match[1]}` in quotes", at


def _second_colon(_: re.Match[str], error: yaml.MarkedYAMLError, text: str) -> Explained:
    at = _at(error)
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    if re.search(r":\s", text[start:at]):
        return "this line has a second `: `; put a value that contains it in quotes", at
    above = _line(text, max(start - 2, 0))
    if re.search(r":\S", above) and not re.search(r":\s", above):
        return f"a space is missing after the colon in the line above, `{above}`", at
    return "a key can't stand here; check the indentation of this line and the end of the value above", at


def _no_colon(_: re.Match[str], error: yaml.MarkedYAMLError, text: str) -> Explained:
    line = _line(text, _opened(error))
    if re.search(r":\S", line):
        return f"a space is missing after the colon in `{line}`", _opened(error)
    return f"`{line}` is neither `key: value` nor a list entry `- value`", _opened(error)


def _after_the_end(_: re.Match[str], error: yaml.MarkedYAMLError, text: str) -> Explained:
    if text.lstrip().startswith("{"):
        return "a second value starts here; this looks like a data file (JSON Lines), and a config is one block", _at(
            error
        )
    return "this line stands outside of what comes before; all keys of the top level start in the same column", _at(
        error
    )


_EXPLAINERS: tuple[tuple[str, Explainer], ...] = (
    (r"character '\\t'", _here("a tab stands here, where YAML allows only spaces; replace it by spaces")),
    (r"character '`'", _here(f"text can't start with a backtick; {QUOTES}")),
    (r"character '(.+)' that cannot start any token", _here(f"text can't start with `{{0}}`; {QUOTES}")),
    (
        r"quoted scalar: found unexpected (end of stream|document)",
        _where_opened("the quote opened here is never closed"),
    ),
    (r"unknown escape character '(.+)'", _here(f"`\\{{0}}` is no escape in double quotes; {SINGLE}")),
    (r"expected escape sequence", _here(f"a backslash in double quotes starts an escape; {SINGLE}")),
    (r"scanning an? (alias|anchor)", _where_opened(f"text can't start with `*` or `&`; {QUOTES}")),
    (r"tag", _where_opened(f"text can't start with `!`, which starts a tag; {QUOTES}")),
    (r"scanning a block scalar", _here("the text after `|` or `>` starts on the next line")),
    (r"mapping values are not allowed", _second_colon),
    (r"could not find expected ':'", _no_colon),
    (r"flow (sequence|mapping).*got '<stream end>'", _unclosed_bracket),
    (r"flow (?:sequence|mapping).*got '(.+)'", _within_brackets),
    (
        r"block end.*block mapping start",
        _here("this line is indented unlike the lines above; line it up with its block"),
    ),
    (r"block end.*'-'", _here("a list entry `- ` stands among keys; indent it under the key that it belongs to")),
    (r"block end.*'\?'", _here("a key stands among list entries; indent it, or start it with `- `")),
    (
        r"block end",
        _here("text follows after the end of a value; put the whole value in quotes ('…', where '' is an apostrophe)"),
    ),
    (r"sequence entries are not allowed", _here("a list entry `- ` can't follow its key; start it on the next line")),
    (r"expected the node content, but found '<stream end>'", _here("the file ends here, with a `[` or `{` still open")),
    (r"expected the node content, but found '(.+)'", _here(f"a value can't start with `{{0}}`; {QUOTES}")),
    (r"'<document start>'", _after_the_end),
)
