"""Texts with paths in braces, filled once: `{premise} What was the {question}?`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

PART = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """Literal texts and paths in turn; a literal comes first and last.

    Attributes:
        literals: The texts between the paths, one more than there are paths.
        paths: The paths.
    """

    literals: tuple[str, ...]
    paths: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Template":
        """Take a text with paths in braces apart (`{{` is a brace), or a path alone, which has no brace in it."""
        if "{" not in text:
            return cls(("", ""), (text,))
        literals, paths, start = [""], [], 0
        for found in PART.finditer(text):
            literals[-1] += text[start : found.start()]
            start = found.end()
            if found[1] is None:
                literals[-1] += found[0][0]
            else:
                paths.append(found[1])
                literals.append("")
        literals[-1] += text[start:]
        return cls(tuple(literals), tuple(paths))

    @property
    def is_path(self) -> bool:
        """Whether it is one path and nothing else."""
        return len(self.paths) == 1 and self.literals == ("", "")

    def fill(self, text_at: Callable[[str], str]) -> str:
        """Put the text at each path in; what is put in is not looked at again."""
        filled = [self.literals[0]]
        for path, literal in zip(self.paths, self.literals[1:], strict=True):
            filled += [text_at(path), literal]
        return "".join(filled)
