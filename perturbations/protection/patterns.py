"""What is recognised by its form alone: a regular expression for each kind of text that must not change.

Each pattern takes time linear in the text, whatever the text: runs are possessive, a match starts only where a run
does, and what is enclosed ends at the next mark of its kind.
"""

import re
from collections.abc import Iterator, Mapping

from ..lexicon.folding import in_small_letters
from .spans import Kind

ROMAN = r"(?:I{1,3}|IV|VI{0,3}|IX|XI{0,3}|XIV|XV)"
LABEL = rf"(?:[A-Z]|{ROMAN}|\d{{1,2}})"
JOINED = (
    r"\s*+(?:,\s*+(?:and|or|y|o|et|ou|und|oder|e)\b|,|&|/|[-–—]|\b(?:and|or|to|through|y|o|et|ou|und|oder|e)\b)\s*+"
)
NAMED_WORDS = (
    *("option", "choice", "answer", "alternative", "statement", "assertion", "reason", "premise", "proposition"),
    *("theorem", "lemma", "figure", "table", "equation", "passage", "text", "sentence", "column", "row"),
    *("step", "part", "case", "type", "group", "phase", "section", "article", "chapter", "response", "output"),
    *("solution", "system", "person", "point", "set"),
)
NAMED = rf"(?:{'|'.join(f'{word}s?' for word in NAMED_WORDS)}|hypothes[ie]s)"

PATTERNS: Mapping[Kind, tuple[re.Pattern[str], ...]] = {
    "code": (
        re.compile(r"(?<!`)(`{1,2})(?!`)[^`\n]++\1(?!`)"),  # `code`
    ),
    "field": (
        re.compile(r"\{\{[^{}\n]{1,80}\}\}|[$#%]?\{[^{}\n]{0,80}\}"),  # {x} {{x}} ${x}
        re.compile(r"<<[^<>\n]{1,80}>>|<[/!|]?[A-Za-z][^<>\n]{0,200}>"),  # <x> </x> <|x|>
        re.compile(r"%(?:\(\w{1,40}\))?[sdifrg](?!\w)"),
        re.compile(r"\[/?[A-Z][A-Z_ ]{0,30}\]"),  # [MASK]
        re.compile(r"_{2,}+|\.{4,}+|…{2,}+"),  # ____
        re.compile(
            r"(?<!\w)(?:[YMDHS]{2,4}|[ymdhs]{2,4})(?:[-/.:](?:[YMDHS]{2,4}|[ymdhs]{2,4}))++(?!\w)"
        ),  # yyyy-mm-dd
    ),
    "url": (re.compile(r"(?<!\w)(?i:[a-z][a-z0-9+.-]{1,20}://|www\.|mailto:)[^\s<>\"“”«»]*+"),),
    "email": (re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]++(?:\.[\w-]++)++"),),
    "quote": (
        re.compile(r'(?<![\w"])(?=("(?=\S)(?:[^"\n]|\n(?!\s*\n))*+"))'),
        re.compile(r'(?<!\S)"\s(?:[^"\n]|\n(?!\s*\n))*+(?<=\s)"(?!\w)'),
        re.compile(r"[“„](?:[^“”„\n]|\n(?!\s*\n))*+[”“]"),
        re.compile(r"«[^«»]*+»|‹[^‹›]*+›|「[^「」]*+」|『[^『』]*+』"),
        re.compile(r"‘(?:[^‘’\n]|(?<=\w)’(?=\w))*+’(?!\w)"),
        re.compile(r"(?<![\w'])'(?=[^\s'])(?:[^'\n]|(?<=\w)'(?=\w))*+'(?!\w)"),
        re.compile(r"``(?=[^\s`])(?:[^'`\n]|'(?!'))*+''"),
    ),
    "label": (
        re.compile(rf"(?<!\w)(?i:{NAMED})\s++[(\[]?{LABEL}[)\]]?(?!\w)(?:{JOINED}[(\[]?{LABEL}[)\]]?(?!\w))*+"),
        re.compile(
            r"[(\[](?:[A-Za-z]|[ivxIVX]{1,4}|\d{1,2})[)\]](?:\s?[-–—]\s?[(\[](?:[A-Za-z]|[ivxIVX]{1,4}|\d{1,2})[)\]])?"
        ),
        re.compile(r"(?m)^[ \t]*+(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=\s)"),
        re.compile(rf"(?<!\w)(?:both\s++)?(?:[A-Z]|{ROMAN})(?!\w)(?:{JOINED}(?:[A-Z]|{ROMAN})(?!\w))++(?:\s++only\b)?"),
        re.compile(rf"(?<!\w)(?:{ROMAN}|[A-Z])\s++only\b"),
    ),
    "formula": (
        re.compile(r"(?<!\w)[acgtu]{6,}+(?!\w)"),
        re.compile(
            r"(?<![\w/])(?:[pnbrqkPNBRQK1-8]{1,8}+/){7}[pnbrqkPNBRQK1-8]{1,8}"
            r"(?:\s[wb]\s(?:-|[KQkq]{1,4})\s(?:-|[a-h][36])(?:\s\d++\s\d++)?)?"  # a chess position
        ),
    ),
    "negation": (re.compile(r"(?<!\w)\w++(?<=n)['’´`ʼ′]t(?!\w)|(?<!\w)n['’](?=\w)", re.IGNORECASE),),
}
"""The patterns by kind. Where a pattern has its match in a lookahead, its last group is what is meant."""
CUES: Mapping[Kind, tuple[tuple[str, ...], ...]] = {
    "code": (("`",),),
    "field": (("{",), ("<",), ("%",), ("[",), ("__", "....", "……"), ()),
    "url": (("://", "www.", "mailto:"),),
    "email": (("@",),),
    "quote": (('"',), ('"',), ("“", "„"), ("«", "‹", "「", "『"), ("‘",), ("'",), ("``",)),
    "label": ((*NAMED_WORDS, "hypothes"), ("(", "["), (), (), ("only",)),
    "formula": ((), ("/",)),
    "negation": (("'", "´", "`", "ʼ", "′"),),
}
"""For each pattern, what a text in small letters holds wherever the pattern is found: without it none is tried."""

CUED = tuple(
    (kind, pattern, cues)
    for kind, patterns in PATTERNS.items()
    for pattern, cues in zip(patterns, CUES[kind], strict=True)
)
"""Both in one list."""


def patterns_for(text: str) -> Iterator[tuple[Kind, re.Pattern[str]]]:
    """Give the patterns that may be found in a text, with their kinds; those left out are not found there."""
    small = in_small_letters(text)
    for kind, pattern, cues in CUED:
        if not cues or any(map(small.__contains__, cues)):
            yield kind, pattern
