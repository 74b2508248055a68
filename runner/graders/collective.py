"""Options that stand for all of the others, or for none: "All of the above", "None of these"."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

Collective = Literal["all", "none"]

ALL = (
    "all of the above|all the above|all of the options|all the options|all options|all of the choices|all the choices|"
    "all choices|all of the answers|all the answers|all answers|every option|alle genannten|alle der genannten|"
    "alle oben genannten|alle antworten|alle optionen|toutes les réponses|toutes les options|todas las anteriores|"
    "todas las opciones|todas las respuestas|tutte le precedenti|tutte le opzioni|tutte le risposte|"
    "todas as anteriores|todas as opções|todas as alternativas|以上都是|以上皆是|以上全部|上記すべて|上記の全て|"
    "위의 모두|위의 모든 것"
)
NONE = (
    "none of the above|none of the options|none of the choices|none of the answers|keine der genannten|"
    "keine der oben genannten|keine der antworten|keine der optionen|aucune de ces réponses|aucune des réponses|"
    "aucune des options|ninguna de las anteriores|ninguna de las opciones|nessuna delle precedenti|"
    "nessuna delle opzioni|nenhuma das anteriores|nenhuma das opções|nenhuma das alternativas|以上都不是|以上皆非|"
    "上記のいずれでもない|해당 없음"
)
_SYNONYMS: dict[Collective, tuple[str, ...]] = {"all": tuple(ALL.split("|")), "none": tuple(NONE.split("|"))}
"""By which words a reply may name an option of a kind, whichever of them it is called."""
_CALLED: dict[str, Collective] = {
    **dict.fromkeys((*_SYNONYMS["all"], "all of them", "all of these"), "all"),
    **dict.fromkeys((*_SYNONYMS["none"], "none of them", "none of these"), "none"),
}
"""What an option of a kind may be called."""


def collectives(texts: Iterable[str]) -> dict[str, Collective]:
    """Which options stand for all or none of the others, by their texts in lower case."""
    return {text: _CALLED[text] for text in texts if text in _CALLED}


def synonyms(texts: Iterable[str]) -> dict[str, str]:
    """Other words for an option that stands for all or none, each with its text; no words for one of two such options.

    Args:
        texts: The options' texts in lower case.
    """
    known = collectives(texts)
    kinds = Counter(known.values())
    return {word: text for text, kind in known.items() if kinds[kind] == 1 for word in _SYNONYMS[kind]}
