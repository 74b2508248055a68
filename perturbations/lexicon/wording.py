"""Questions about the very words they are written in: whatever rewrites letters would change what they ask."""

from functools import lru_cache

from .folding import AnyCase

WHOSE = r"(?:(?:the|this|each|a|its|his|her|their)\s)?(?:following\s)?"
OF_THE_WORD = rf"(?:in|of)\s{WHOSE}(?:words?|names?|sentence|string|title|phrase)"
ABOUT_LETTERS = (
    r"spell(?:ed|ing|ings)|spelt|misspel\w*|(?:to|you|we|not|correctly)\sspell|spells?\s(?:the|out|this|it|backwards?)",
    r"typos?|typographical|proofread\w*|orthograph\w*|grammatical\w*|grammar|punctuat(?:e|ion)",
    r"palindrom\w*|anagram\w*|pangram\w*|homophon\w*|homonym\w*|alliterat\w*|crossword\s(?:clue|answer)|acrostic\w*|lipogram\w*",
    r"(?<!nursery\s)rhym\w*|vowels?|consonants?|syllab\w*|pronounce|pronounced\s(?:as|like|the|with)|pronunciation",
    r"alphabetical\w*|alphabetic|alphabeti[sz]\w*|letters?\sof\sthe\salphabet",
    r"(?:upper|lower|title|camel)[ -]?case\w*|(?:capital|small|capitali[sz]ed|lowercased?|uppercased?)\sletters?",
    r"capitali[sz]e\s(?:the|each|every|all)|capitali[sz]ed\swords?|all\scaps",
    r"unscrambl\w*|(?:scrambled|jumbled)\s(?:words?|letters?)|reversed?\sthe\s(?:words?|letters?|string|sentence|text)",
    r"(?:how\smany|first|second|third|last|final|middle|missing|silent|double|each|every|same|number\sof)\sletters?",
    r"(?:start|begin|end)(?:s|n?ing)?\s(?:with|in)\s(?:(?:an?|the|same)\s)*(?:letters?|vowel|consonant|[\"'“‘][a-z][\"'”’]|[b-hj-z]\b)",
    rf"(?:letters?|characters?)\s{OF_THE_WORD}",
    r"the\sletters?\s[\"'“‘][a-z][\"'”’]|the\sletters?\s(?-i:[a-z])|(?:the|an?)\sletter\s[a-z]\b(?!,|\sor)",
    r"substrings?|edit\sdistance|(?:prefix|suffix)\sof\sthe\sword",
    # Italian, Spanish, French, German
    r"ortograf\w*|rechtschreib\w*|(?:klein|gro(?:ß|ss))?buchstab\w*|voyelles?|vocales|vocali|vokale?n?|palíndrom\w*",
    r"consonn\w*|consonantes?|konsonant\w*|rim(?:a|ano|an|ent|er|es)|reimt?|reimen|silben?|sillab\w*|sílab\w*",
)
"""What is said where spelling, letters, case, sound or grammar are asked for."""
PATTERN = AnyCase(rf"\b(?:{'|'.join(ABOUT_LETTERS)})\b")


@lru_cache(maxsize=32)
def asks_about_letters(text: str) -> bool:
    """Say whether a text asks about spelling, letters, case, sound or grammar; remembered for an item's variants."""
    return PATTERN.search(text) is not None
