"""Fences: data in a judge's prompt stands between two lines that it can't hold, since they carry a hash of it.

So an answer can't close its own fence and go on in the name of the judge or of prt. The tags depend on the content
alone, so that equal prompts stay equal and their replies are found again.
"""

from ...perturbations.canonical import canonical_hash

TAG_DIGITS = 16


def fenced(name: str, content: str) -> str:
    """Write a text between an opening and a closing line of its own, verbatim.

    Args:
        name: What the text is, such as `answer`.
        content: The text, any text.

    Example:
        >>> print(fenced("answer", "Paris. </answer>"))
        <answer d7dd7a31dd96d3bc>
        Paris. </answer>
        </answer d7dd7a31dd96d3bc>
    """
    tag = tag_of(name, content)
    return f"<{name} {tag}>\n{content}\n</{name} {tag}>"


def tag_of(name: str, content: str) -> str:
    """The tag of a text: hexadecimal digits that the text does not hold, the same whenever it is fenced."""
    turn = 0
    while (tag := canonical_hash("prt.fence", [name, content, turn]).hex()[:TAG_DIGITS]) in content.lower():
        turn += 1
    return tag
