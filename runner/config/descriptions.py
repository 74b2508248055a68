"""What each key of a block means: the text that follows it in its class, read when a schema or a document wants it.

Pydantic's `use_attribute_docstrings` reads the same from the source of every class at import, and a run would wait for
it.
"""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache


@cache
def descriptions(section: type) -> Mapping[str, str]:
    """The descriptions of a class's attributes, its own and inherited ones, by name.

    Args:
        section: A class whose source can be read.

    Returns:
        The text that stands below each annotated attribute; nothing for an attribute without one.
    """
    found: dict[str, str] = {}
    for each in reversed(section.__mro__):
        if each.__module__.startswith(section.__module__.partition(".")[0] + "."):
            found |= dict(_described(each))
    return found


def _described(section: type) -> Iterator[tuple[str, str]]:
    (defined,) = ast.parse(textwrap.dedent(inspect.getsource(section))).body
    body = defined.body if isinstance(defined, ast.ClassDef) else []
    for attribute, below in itertools.pairwise(body):
        match attribute, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text)
