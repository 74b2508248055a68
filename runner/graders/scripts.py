"""Patterns by what Unicode says of a character, which Python's `re` does not know; loaded for odd replies alone.

Importing `regex` takes longer than reading a hundred plain replies.
"""

import regex

from .words import HIDDEN

ODD = regex.compile(rf"[{HIDDEN}]+|[^\p{{M}}\n]?\p{{M}}+|[\u1100-\u11ff]+")
"""What composing may change: base characters with marks, Korean letters, and what is dropped."""
ACCENTED = regex.compile(r"[\p{Latin}\p{Greek}]")
"""Letters of the scripts that have accents."""
