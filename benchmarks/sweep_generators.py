"""Every generator with every kind, and compositions, as the sweep runs them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from prt.perturbations import (
    FORMAT_SEVERITIES,
    SEVERITIES,
    Control,
    Format,
    Frames,
    Generator,
    Noise,
    Paraphrase,
    ParaphraseFile,
    ParaphraseProposals,
    Paraphrasing,
    Proposal,
    Reorder,
    Rerun,
    Style,
    Subject,
    Typo,
    Written,
    compose,
    perturb,
)
from prt.perturbations.generators.keyboards import Keyboard
from prt.perturbations.generators.kinds import FormatKind, NoiseKind, ReorderKind, StyleKind
from prt.perturbations.generators.mistakes import Operation

NEGATION = re.compile(r"(?<!\w)(?:not|never|except|without) ")
ALL_PARTS = ("text", "instruction", "context", "system")
ORDERS: Mapping[ReorderKind, int | None] = {
    "balanced": 3,
    "cyclic": 2,
    "each_slot": None,
    "random": 2,
    "reverse": 1,
    "length": 2,
    "alphabet": 2,
}
"""Kinds of order and how many variants of each."""


def single() -> dict[str, Generator]:
    """Give each generator with each kind, by a name for the table."""
    named: dict[str, Generator] = {
        f"reorder {kind}": Reorder(kind=kind, variants=many) for kind, many in ORDERS.items()
    }
    named["reorder examples"] = Reorder(of="examples", variants=3)
    named["reorder context"] = Reorder(of="context", variants=2)
    named["format"] = Format(variants=3)
    for kind in get_args(FormatKind):
        named[f"format {kind}"] = Format(kind=(kind,), variants=3 if kind == "extreme" else 1)
    named["format all kinds"] = Format(kind=FORMAT_SEVERITIES["hard"], variants=2)
    named["paraphrase frames"] = Frames(variants=3)
    for severity, rate in SEVERITIES.items():
        named[f"typo {severity}"] = Typo(rate=rate, variants=2)
    for keyboard in get_args(Keyboard):
        named[f"typo {keyboard}"] = Typo(rate=0.3, layout=keyboard)
    for operation in get_args(Operation):
        named[f"typo {operation}"] = Typo(rate=0.2, operations=(operation,))
    named["typo all parts"] = Typo(rate=0.3, parts=ALL_PARTS, operations=get_args(Operation), variants=2)
    for style in get_args(StyleKind):
        named[f"style {style}"] = Style(kind=(style,), parts=ALL_PARTS, variants=2)
    for noise in get_args(NoiseKind):
        named[f"noise {noise}"] = Noise(kind=(noise,), rate=0.2, parts=ALL_PARTS, variants=2)
    named["style all kinds"] = Style(kind=get_args(StyleKind), variants=3)
    named["noise"] = Noise(variants=2)
    named["rerun"] = Rerun()
    named["control"] = Control(variants=2)
    return named


def composed() -> dict[str, Generator]:
    """Give compositions, by the names of their steps."""
    lists: Sequence[Sequence[Generator]] = (
        (Frames(), Typo(rate=0.1)),
        (Reorder(), Typo(rate=0.1)),
        (Format(), Reorder(), Typo(rate=0.1)),
        (Style(kind=("polite", "contractions", "spelling")), Noise(), Typo()),
        (Reorder(kind="random"), Format(kind=("labels", "markdown", "xml", "json", "yaml"))),
    )
    return {generator.name: generator for generator in map(compose, lists)}


GENERATORS: Mapping[str, Generator] = single() | composed()


def generators_for(subject: Subject) -> Iterator[tuple[str, Generator]]:
    """Give all generators for an item: those that serve every item, and those that hold paraphrases of its own."""
    yield from GENERATORS.items()
    framed = perturb(subject, [Frames(variants=3)], seed=0)
    texts = [variant.question.text for variant in framed if variant.question.text != subject.question.text]
    if texts:
        rows = tuple(map(Paraphrase, texts))
        yield "paraphrase file", ParaphraseFile(paraphrases={subject.item_id: rows}, variants=len(rows))
        yield "paraphrase proposals", proposals(subject, texts[0])


def proposals(subject: Subject, good: str) -> ParaphraseProposals:
    """Give a model's proposals, all of them spoilt but the last."""
    proposed = tuple(Proposal(text) for text in (*spoilt(subject, good), good))
    written = Written(proposals={subject.item_id: (proposed,)}, model={"provider": "planted"})
    return ParaphraseProposals(
        asked=Paraphrasing(model={"provider": "planted"}, attempts=len(proposed)), written=written
    )


def spoilt(subject: Subject, good: str) -> Iterator[str]:
    """Spoil a good paraphrase in each way that its text allows; none of these may be taken for it."""
    yield ""
    yield subject.question.text
    yield "I'm sorry, but I can't help with that."
    yield f"{good} Take 77 into account."
    changes = ((re.compile(r"\d"), lambda found: str((int(found[0]) + 1) % 10)), (NEGATION, lambda _: ""))
    for pattern, change in changes:
        if pattern.search(good):
            yield pattern.sub(change, good, count=1)
