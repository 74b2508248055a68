"""The same parts written out in another way: does the answer hang on separators, casing, labels or markup?"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from typing import ClassVar, get_args

from ..generator import Draft, Draw
from ..given import check_variants, words_given
from ..options.combined import rewritten
from ..options.relabel import relabel_blocked
from ..question import Layout, Question, Subject
from ..rendering.labels import answer_key_labels
from ..rendering.render import misread, user_text
from ..variant import Edit, Tier
from .kinds import EXTREME, FormatKind
from .layouts import FORMAT_SEVERITIES, OPTION_KINDS, TEMPLATE_KINDS, drawn_layouts
from .reorder import renamed_options

FIELD_KINDS: dict[str, FormatKind] = {
    "labels": "labels",
    "wrapper": "labels",
    "option_separator": "option_separator",
    "descriptor_case": "case",
    "descriptor_separator": "separators",
    "field_separator": "separators",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Write the same parts out in another layout.

    Texts stay byte-equal. Every message is read back first, plain text too: where that would not give the same texts,
    or could give others, another layout is drawn. New labels are unique, are not mistaken for options, and are those
    that the answer instruction names; a question or instruction that names labels itself keeps them. A user's own
    template leaves labels and option separator to change.

    Attributes:
        kind: What may change; a variant draws one value for each dial, and one markup among those given and, where a
            dial is given too, the present one. One kind alone shows the effect of that kind; several together cover
            more with the same calls. `FORMAT_SEVERITIES` has sets of them by strength. `extreme` stands alone: layouts
            that no careful person would choose, such as everything in one line; its tier is `stress`.
        variants: How many of each item.
    """

    name: ClassVar[str] = "format"
    version: ClassVar[int] = 2

    kind: tuple[FormatKind, ...] = FORMAT_SEVERITIES["medium"]
    variants: int = 1

    def __post_init__(self) -> None:
        """Put the kinds into one order, since the order in which they are given means nothing.

        Raises:
            TypeError: For kinds that are no tuple, or a number of variants that is none.
            ValueError: Without any kind, with an unknown one, or with `extreme` among others; without any variant.
        """
        known: tuple[FormatKind, ...] = get_args(FormatKind)
        object.__setattr__(self, "kind", words_given("format", "kind", self.kind, known))
        check_variants("format", self.variants)
        if EXTREME in self.kind and len(self.kind) > 1:
            raise ValueError("format: extreme layouts are of the tier stress; list them apart, as kind=('extreme',)")

    @property
    def tier(self) -> Tier:
        """`stress` for extreme layouts, which may cost a reader effort; else `guaranteed`."""
        return "stress" if EXTREME in self.kind else "guaranteed"

    def parameters(self) -> dict[str, object]:
        """Give the kinds, which decide a draft."""
        return {"kind": list(self.kind)}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose a layout in which the question looks different from before and from the earlier drafts."""
        question, base = subject.question, subject.layout
        kinds = [kind for kind in self.kind if question.template is None or kind in TEMPLATE_KINDS]
        if not kinds:
            return Draft("not_applicable", "the user's own template has a layout of its own")
        seen = {user_text(question, base)}
        seen |= {user_text(draft.question or question, draft.layout or base) for draft in draw.earlier}
        obstacles: list[str] = []
        for layout in drawn_layouts(question, base, kinds, draw.rng):
            shown = relabelled(question, base, layout)
            if user_text(shown, layout) in seen:
                continue
            if not (obstacle := misread(shown, layout)):
                return formatted(question, base, shown, layout, self.kind)
            obstacles.append(obstacle)
        return Draft("not_applicable", excuse(question, base, kinds, obstacles))


def relabelled(question: Question, base: Layout, layout: Layout) -> Question:
    """Give the question for the labels of another layout: options that name others by label name them anew."""
    if layout.labels == base.labels:
        return question
    before, after = answer_key_labels(question, base), answer_key_labels(question, layout)
    renamed = dict(zip(before, after, strict=True))
    return replace(question, options=tuple(rewritten(text, before, renamed, after) for text in question.options))


def formatted(
    question: Question, base: Layout, shown: Question, layout: Layout, kinds: Collection[FormatKind]
) -> Draft:
    """Record what is different in a layout, without dials whose turning can't be seen."""
    message = user_text(shown, layout)
    for name in FIELD_KINDS:
        if getattr(layout, name) == getattr(base, name):
            continue
        calmer = replace(layout, **{name: getattr(base, name)})
        if user_text(relabelled(question, base, calmer), calmer) == message:
            layout = calmer
    edits = [
        Edit(
            f"layout.{field.name}",
            0,
            before,
            after,
            EXTREME if EXTREME in kinds else FIELD_KINDS.get(field.name, after),
        )
        for field in fields(Layout)
        if (before := getattr(base, field.name)) != (after := getattr(layout, field.name))
    ]
    new = relabelled(question, base, layout)
    edits += renamed_options(question.options, list(new.options))
    return Draft("applied", question=new, layout=layout, edits=tuple(edits))


def excuse(question: Question, base: Layout, kinds: Collection[FormatKind], obstacles: Iterable[str]) -> str:
    """Say why no layout was found; `obstacles` are what kept those that were drawn from being used."""
    reasons = [*dict.fromkeys(obstacles)]
    without = [] if question.options else [kind for kind in kinds if kind in OPTION_KINDS]
    if without:
        reasons.append(f"no options, which {' and '.join(without)} would change")
    elif "labels" in kinds:
        reasons.append(relabel_blocked(question, base))
    others = [kind for kind in kinds if kind not in without]
    if (without and others) or not any(reasons):
        reasons.append(f"no further layout of the kinds {', '.join(others)} looks different")
    return "; ".join(filter(None, reasons))
