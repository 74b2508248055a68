"""Questions about the very words they are written in: whatever rewrites letters would change what they ask."""

import re

ABOUT_LETTERS = re.compile(
    r"""\b(?:
        spell(?:ed|ing|ings)|spelt|misspel\w*|(?:to|you|we|not|correctly)\sspell|spells?\s(?:the|out|this|it|backwards?)
      | typos?|typographical|proofread\w*|orthograph\w*|grammatical\w*|grammar|punctuat\w*
      | palindrom\w*|anagram\w*|pangram\w*|homophon\w*|homonym\w*|alliterat\w*|crosswords?|acrostic\w*|lipogram\w*
      | rhym\w*|vowels?|consonants?|syllab\w*|pronounc\w*|pronunciation
      | alphabetical\w*|alphabetic|alphabeti[sz]\w*|letters?\sof\sthe\salphabet
      | (?:upper|lower|title|camel)[ -]?case\w*|(?:capital|small|capitali[sz]ed|lowercased?|uppercased?)\sletters?
      | capitali[sz]e\s(?:the|each|every|all)|capitali[sz]ed\swords?|all\scaps
      | unscrambl\w*|scrambled|jumbled|reversed?\sthe\s(?:words?|letters?|string|sentence|text)|backwards?\sspelling
      | (?:how\smany|first|second|third|last|final|middle|missing|silent|double|each|every|same|number\sof)\sletters?
      | (?:starts?|starting|begins?|beginning|ends?|ending)\s(?:with|in)\s(?:an?\s|the\s|same\s)*(?:letters?|vowel|consonant|[\"'“‘]?[a-z][\"'”’]?\b)
      | letters?\s(?:in|of)\s(?:the\s|this\s|each\s|a\s|its\s|his\s|her\s|their\s)?(?:following\s)?(?:words?|names?|sentence|string|title|phrase)
      | the\sletters?\s[\"'“‘]?[A-Za-z]\b|characters?\s(?:in|of)\s(?:the\s|this\s)?(?:following\s)?(?:words?|string|sentence|text|name)
      | substrings?|edit\sdistance|prefix\sof\sthe\sword|suffix\sof\sthe\sword
      | ortograf\w*|ortogràf\w*|rechtschreib\w*|buchstab\w*|kleinbuchstab\w*|gro(?:ß|ss)buchstab\w*|voyelles?|vocales|vocali|vokale?n?
      | consonn\w*|consonant[ei]s?|konsonant\w*|palíndrom\w*|anagramm\w*|rim(?:a|e|ano|an|ent|er|es)|reimt?|reimen|silben?|sillab\w*|sílab\w*
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def asks_about_letters(text: str) -> bool:
    """Say whether a text asks about spelling, letters, case, sound or grammar."""
    return ABOUT_LETTERS.search(text) is not None
