"""Which option a reply chooses: its claims weighed against one another. What can't be told is said, never guessed."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from . import phrases
from .claims import LEADS, Claim, claims, mentioned
from .options import Options
from .phrases import any_of
from .scene import Scene
from .text import json_answer, visible, without_markup

_SENTENCE_START = r"(?:\A|\n|[.!?\"')]\s|[。！？])[\s\"'(]*(?:but\s+|no,?\s+|hmm,?\s+|oh,?\s+)?"
_TAKEN_BACK = re.compile(rf"{_SENTENCE_START}{any_of(phrases.TAKEN_BACK)}[\s,.:;!–—-]*")
_DOUBTED = re.compile(
    rf"{_SENTENCE_START}{any_of(phrases.DOUBTED)}(?:\s*[,.:;!–—-]+\s*|\s+(?=(?:it|the|that|i)(?![a-z])))"
)
_ALSO = re.compile(any_of(phrases.ALSO))
_TURN = re.compile(rf"[.!?](?=\s)|[\n;。！？]|{any_of(phrases.BUT)}")
_CLOSED = re.compile(r"[ ]*[\n.)\]}>\"':;!?,，。|]")
_LEADING = re.compile(rf"[.]?(?:[\s\"'(\[{{:=<>*#|-]|{LEADS})*+")
_NEXT_QUESTION = re.compile(
    r"\n[\s#*]*(?:question|q|problem|frage|pregunta|domanda|pergunta|вопрос|问题|問題|문제|user|human)\s*\d*\s*[:：]"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reply chooses.

    Attributes:
        option: The canonical option; None where it can't be told.
        span: Where its label or text stands in the source; None where nothing was read.
        reason: Why no option can be told; empty otherwise.
        final: Whether no further text could change it, should the reply have been cut off.
    """

    option: int | None = None
    span: tuple[int, int] | None = None
    reason: str = ""
    final: bool = False


def choose(source: str, options: Options) -> Choice:
    """Read the option that a reply chooses.

    Args:
        source: The reply's text.
        options: The options as shown.
    """
    view = visible(source)
    value = json_answer(view)
    if value is not None:
        return replace(_choose(Scene(without_markup(value), options)), final=True)
    view = without_markup(view)
    further = _NEXT_QUESTION.search(view.folded)
    if further is not None and view.text[: further.start()].strip():
        first = _choose(Scene(view.cut(0, further.start()), options))
        if first.span is not None:
            return replace(first, final=True)
    return _choose(Scene(view, options))


def _choose(scene: Scene, *, faint: bool = True) -> Choice:
    """Weigh the claims of one passage; `faint` takes a lone mention where nothing is claimed."""
    found = claims(scene)
    claim = _chosen(found) or (mentioned(scene) if faint else None)
    if claim is None:
        return Choice(reason="no option is named as the answer")
    revised = _revised(scene, claim)
    if revised is not None:
        return revised
    span = scene.view.span(claim.mention, claim.end)
    if len(claim.answers) > 1:
        return Choice(span=span, reason="several options are named at once, or a label with another option's text")
    rivals = [other for other in found if other.answers != claim.answers and _contradicts(scene, other, claim)]
    if rivals or _has_alternative(scene, claim):
        return Choice(span=span, reason="different options are named as the answer")
    return Choice(min(claim.answers), span, final=_is_final(scene, claim))


def _chosen(found: list[Claim]) -> Claim | None:
    """The claim that counts: the last that says so in words, else the last."""
    strong = [claim for claim in found if claim.rank in ("announced", "accepted")]
    return (strong or found or [None])[-1]


def _contradicts(scene: Scene, other: Claim, chosen: Claim) -> bool:
    """Whether another claim leaves two answers standing; one that was corrected since does not."""
    if _TAKEN_BACK.search(scene.text, other.end, chosen.mention) or _DOUBTED.search(
        scene.text, other.end, chosen.mention
    ):
        return False
    if chosen.rank != "announced" or other.rank == "line" or _ALSO.search(scene.text, other.end, chosen.mention):
        return True
    if other.rank == "sentence":
        return other.start > chosen.end
    return _TURN.search(scene.text, other.end, chosen.mention) is None


def _has_alternative(scene: Scene, claim: Claim) -> bool:
    """Whether the reply adds that another option may be right as well."""
    for also in _ALSO.finditer(scene.text, claim.end):
        named = range(bisect_left(scene.starts, also.end()), bisect_left(scene.starts, scene.clause_end(also.end())))
        if any(scene.mentions[n].answers != claim.answers and not scene.is_negated(n) for n in named):
            return True
    return False


def _revised(scene: Scene, claim: Claim) -> Choice | None:
    """What the reply says after it took the claim back or doubted it; None where the claim stands."""
    back = _last(_TAKEN_BACK, scene.text, claim.end)
    if back is not None:
        again = _choose(Scene(scene.view.cut(back, len(scene.text)), scene.options))
        return again if again.span else _taken_back(scene, claim)
    doubted = _last(_DOUBTED, scene.text, claim.end)
    if doubted is not None:
        again = _choose(Scene(scene.view.cut(doubted, len(scene.text)), scene.options), faint=False)
        if again.span:
            return again
    later = range(bisect_right(scene.starts, claim.end), len(scene.mentions))
    if any(scene.mentions[n].answers == claim.answers and scene.is_mistaken(n) for n in later):
        return _taken_back(scene, claim)
    return None


def _taken_back(scene: Scene, claim: Claim) -> Choice:
    return Choice(span=scene.view.span(claim.mention, claim.end), reason="the answer is taken back afterwards")


def _last(pattern: re.Pattern[str], text: str, start: int) -> int | None:
    """Where the last match after a place ends."""
    ends = [found.end() for found in pattern.finditer(text, start)]
    return ends[-1] if ends else None


def _is_final(scene: Scene, claim: Claim) -> bool:
    """Whether a claim would stand if the reply had been cut off where it ends."""
    closed = _CLOSED.match(scene.text, claim.end) is not None
    if _LEADING.fullmatch(scene.text, 0, claim.mention) is None:
        return closed and claim.final
    if closed:
        return claim.rank != "mentioned"
    whole = not scene.text[claim.end :].strip()
    return whole and (claim.by_label or not scene.options.goes_on(scene.text[claim.mention : claim.end]))
