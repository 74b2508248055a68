"""Which option a reply chooses: its claims weighed against one another. What can't be told is said, never guessed."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace

from . import phrases
from .announce import BUT_WRONG, DOUBTED, JUST_NO, LEADING, NEXT_QUESTION, TAKEN_BACK
from .claims import Claim, claims, mentioned
from .json_replies import json_answer
from .options import Options
from .patterns import Pattern
from .plain import Choice, plain_choice
from .scene import Scene
from .text import View, visible, without_markup
from .words import any_of

_ALSO = Pattern(lambda: any_of(phrases.ALSO))
_TURN = Pattern(lambda: rf"[.!?](?=\s)|[\n;。！？]|{any_of(phrases.BUT)}")
_CLOSED = Pattern(lambda: r"[ ]*[\n.)\]}>\"':;!?,。|]")
_CLOSING = " \t\n.,;:!)]}>\"'。，、！）】*"
_STRONG = ("announced", "accepted")


def choose(source: str, options: Options) -> Choice:
    """Read the option that a reply chooses.

    Args:
        source: The reply's text.
        options: The options as shown.
    """
    return plain_choice(source, options) or weigh(source, options)


def weigh(source: str, options: Options) -> Choice:
    """Read the option that a reply chooses by all that it says, however plain it is; see `choose`."""
    view = visible(source)
    value = json_answer(view)
    if value is not None:
        return replace(_choose(Scene(without_markup(value), options)), final=True)
    if view.blank:
        return Choice(reason="nothing follows the reasoning")
    view = without_markup(view)
    further = NEXT_QUESTION.search(view.folded)
    if further is not None and view.text[: further.start()].strip():
        first = _choose(Scene(view.cut(0, further.start()), options))
        if first.span is not None:
            return replace(first, final=True)
    scene = Scene(view, options)
    choice = _choose(scene)
    return choice if choice.span or scene.mentions else _alone(view, options) or choice


def _alone(view: View, options: Options) -> Choice | None:
    """Read a reply that says nothing but a label in look-alike letters, or an option's text without its accents."""
    leading = LEADING.match(view.folded)
    start = leading.end() if leading else 0
    end = start + len(view.text[start:].rstrip(_CLOSING))
    option = options.like(view.text[start:end])
    return None if option is None else Choice(option, view.span(start, end))


def _choose(scene: Scene, *, faint: bool = True) -> Choice:
    """Weigh the claims of one passage; `faint` takes a lone mention where nothing is claimed."""
    found = [claim for claim in claims(scene) if claim.rank in _STRONG or not scene.declines]
    claim = _chosen(found) or (mentioned(scene) if faint and not scene.declines else None)
    if claim is None:
        return Choice(reason="no option is named as the answer")
    revised = _revised(scene, claim)
    if revised is not None:
        return revised
    span = scene.view.span(claim.mention, claim.end)
    if len(claim.answers) > 1:
        return Choice(span=span, reason=_why_several(scene, claim))
    rivals = [other for other in found if other.answers != claim.answers and _contradicts(scene, other, claim)]
    if rivals or _has_alternative(scene, claim):
        return Choice(span=span, reason="different options are named as the answer")
    return Choice(min(claim.answers), span, final=_is_final(scene, claim))


def _why_several(scene: Scene, claim: Claim) -> str:
    mention = scene.mentions[bisect_left(scene.starts, claim.mention)]
    if len(mention.answers) > 1 and mention.label is not None:
        return "a label stands beside another option's text, or is one itself"
    return "several options are named at once"


def _chosen(found: list[Claim]) -> Claim | None:
    """The claim that counts: the last that says so in words, else the last."""
    strong = [claim for claim in found if claim.rank in _STRONG] or found
    return strong[-1] if strong else None


def _contradicts(scene: Scene, other: Claim, chosen: Claim) -> bool:
    """Whether another claim leaves two answers standing; one that was corrected since does not."""
    if any(any(scene.spoken(turn, other.end, chosen.mention)) for turn in (TAKEN_BACK, DOUBTED)):
        return False
    if chosen.rank != "announced" or other.rank == "line" or _ALSO.search(scene.text, other.end, chosen.mention):
        return True
    if other.rank == "sentence":
        return other.start > chosen.end
    return _TURN.search(scene.text, other.end, chosen.mention) is None


def _has_alternative(scene: Scene, claim: Claim) -> bool:
    """Whether the reply adds that another option may be right as well."""
    later = range(bisect_right(scene.starts, claim.end), len(scene.mentions))
    if any(scene.is_passable(n) and scene.mentions[n].answers != claim.answers for n in later):
        return True
    for also in _ALSO.finditer(scene.text, claim.end):
        named = range(bisect_left(scene.starts, also.end()), bisect_left(scene.starts, scene.clause_end(also.end())))
        if any(scene.mentions[n].answers != claim.answers and not scene.is_negated(n) for n in named):
            return True
    return False


def _revised(scene: Scene, claim: Claim) -> Choice | None:
    """What the reply says after it took the claim back or doubted it; None where the claim stands."""
    back = _last_end(scene, TAKEN_BACK, claim)
    if back is not None:
        again = _choose(Scene(scene.view.cut(back, len(scene.text)), scene.options))
        return again if again.span else _taken_back(scene, claim)
    doubted = _last_end(scene, DOUBTED, claim)
    if doubted is not None:
        again = _choose(Scene(scene.view.cut(doubted, len(scene.text)), scene.options), faint=False)
        if again.span:
            return again
    if any(not _is_repeated(scene, no, claim) for no in JUST_NO.finditer(scene.text, claim.end)):
        return _taken_back(scene, claim)
    later = range(bisect_right(scene.starts, claim.end), len(scene.mentions))
    if any(scene.mentions[n].answers == claim.answers and scene.is_mistaken(n) for n in later):
        return _taken_back(scene, claim)
    return None


def _last_end(scene: Scene, pattern: Pattern, claim: Claim) -> int | None:
    """Where the last words of a kind after a claim end."""
    ends = [found.end() for found in scene.spoken(pattern, claim.end)]
    at_once = BUT_WRONG.match(scene.text, claim.end) if pattern is TAKEN_BACK else None
    ends = sorted([*ends, at_once.end()]) if at_once else ends
    return ends[-1] if ends else None


def _is_repeated(scene: Scene, found: re.Match[str], claim: Claim) -> bool:
    """Whether a "no" is an option: the one that is claimed, and no "hmm, no", or one that stands under its label."""
    number = bisect_left(scene.starts, found.end()) - 1
    mention = scene.mentions[max(number, 0)]
    if mention.end <= found.start() or mention.start >= found.end():
        return False
    plain = found.group().lstrip().startswith("no")
    return plain and (mention.answers == claim.answers or mention.label is not None)


def _taken_back(scene: Scene, claim: Claim) -> Choice:
    return Choice(span=scene.view.span(claim.mention, claim.end), reason="the answer is taken back afterwards")


def _is_final(scene: Scene, claim: Claim) -> bool:
    """Whether a claim would stand if the reply had been cut off where it ends."""
    closed = _CLOSED.match(scene.text, claim.end) is not None
    if LEADING.fullmatch(scene.text, 0, claim.mention) is None:
        return closed and claim.final
    if closed:
        return claim.rank != "mentioned"
    whole = not scene.text[claim.end :].strip() and claim.rank != "sentence"
    return whole and (claim.by_label or not scene.options.goes_on(scene.text[claim.mention : claim.end]))
