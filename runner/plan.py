"""Items and Variants to Cells: what is to be asked, in which order, under which key. Pure; cells are made as needed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from pydantic import JsonValue as Json

from ..perturbations.canonical import escaped, json_text
from ..perturbations.question import Message
from ..perturbations.rendering.labels import answer_key_labels
from ..perturbations.rendering.render import render
from ..perturbations.variant import Variant
from .records import AnswerKey, Cell, Item

BASELINE = "baseline"
RERUN = "rerun"


def plan_cells(
    items: Iterable[Item],
    variants_by_item: Mapping[str, Sequence[Variant]],
    *,
    identity: Mapping[str, Json],
    repeats: int = 1,
    by_place: bool = False,
    is_settled: Callable[[int, int], bool] = lambda _variant, _repeat: False,
) -> Iterator[Cell]:
    """Make the cells of a run, one item after another, so that a run cut short has whole pairs.

    Args:
        items: The items, in the order to ask them.
        variants_by_item: Each item's variants, the baseline among them; only it and what is `applied` is asked.
        identity: The model's identity: all that decides a reply besides the messages.
        repeats: How often each variant is asked.
        by_place: Whether a reply belongs to its item, condition and repeat rather than to its messages, as answers
            recorded in a file do.
        is_settled: Whether a cell needs no asking, by the position of its variant and the repeat; it is not made then.

    Yields:
        The cells of an item's baseline, then those of its variants in their order. `Cell.variant` counts all variants
        of all items in their order, asked or not.
    """
    first, model = 0, json_text(dict(identity))
    for item in items:
        variants = variants_by_item.get(item.id, ())
        for place in asked_places(variants):
            numbers = [number for number in range(repeats) if not is_settled(first + place, number)]
            if numbers:
                every = variant_cells(
                    item, variants[place], position=first + place, model=model, repeats=repeats, by_place=by_place
                )
                yield from (cell for cell in every if cell.repeat in numbers)
        first += len(variants)


def count_cells(items: Iterable[Item], variants_by_item: Mapping[str, Sequence[Variant]], *, repeats: int = 1) -> int:
    """Count the cells that `plan_cells` makes, without rendering a prompt."""
    return repeats * sum(len(asked_places(variants_by_item.get(item.id, ()))) for item in items)


def asked(variants: Sequence[Variant]) -> list[Variant]:
    """The variants of one item that are asked, in the order of `asked_places`."""
    return [variants[place] for place in asked_places(variants)]


def asked_places(variants: Sequence[Variant]) -> list[int]:
    """Which variants of one item are asked: the baseline first, then what is `applied`."""
    baseline = [place for place, variant in enumerate(variants) if variant.condition == BASELINE]
    others = enumerate(variants)
    return baseline + [at for at, each in others if each.condition != BASELINE and each.outcome == "applied"]


def variant_cells(
    item: Item, variant: Variant, *, position: int, model: str, repeats: int, by_place: bool
) -> Iterator[Cell]:
    """Make the cells of one variant: one for each repeat. `model` is the JSON of the model's identity."""
    messages = item_messages(item, variant)
    sent = sent_text(messages)
    answers = answer_key(item, variant)
    for repeat in range(repeats):
        sample = first_sample(variant, repeats) + repeat
        place: list[Json] = [item.id, variant.condition, repeat] if by_place else []
        key = hashed_key(model, sent, sample, place)
        yield Cell(key, position, item.id, variant.condition, repeat, sample, messages, answers)


def item_messages(item: Item, variant: Variant) -> tuple[Message, ...]:
    """The messages of a variant, with the item's images and the like in the last one."""
    *earlier, last = render(variant.question, variant.layout)
    return (*earlier, replace(last, attachments=item.attachments))


def first_sample(variant: Variant, repeats: int) -> int:
    """The sample that a variant's repeat 0 is.

    The original asked again (`rerun.j`) has the baseline's messages, so it takes the samples that follow those of the
    baseline and of the reruns before it; by any other number it would be given the baseline's own reply.
    """
    if variant.generator != RERUN:
        return 0
    return repeats * int(variant.condition.rpartition(".")[2])


def cell_key(identity: Mapping[str, Json], messages: Sequence[Message], sample: int, place: Sequence[Json] = ()) -> str:
    """Hash all that decides a reply.

    Args:
        identity: The model's identity, parameters included.
        messages: The messages as sent.
        sample: Which of several replies to the same messages is meant, from 0.
        place: Item, condition and repeat, where these decide the reply; else empty.

    Returns:
        64 hexadecimal digits: the tagged SHA-256 of the canonical JSON.
    """
    return hashed_key(json_text(dict(identity)), sent_text(messages), sample, place)


def hashed_key(model: str, sent: str, sample: int, place: Sequence[Json]) -> str:
    """`cell_key` of parts that are JSON already, as many cells share them: the model's identity, and the messages."""
    decisive = f'{{"messages":{sent},"model":{model},"place":{json_text(list(place))},"sample":{sample}}}'
    return sha256(escaped(f'["prt.cell",{decisive}]').encode()).hexdigest()


def sent_text(messages: Sequence[Message]) -> str:
    """The JSON of messages, as a key hashes them."""
    return json_text([[message.role, message.content, *attached(message)] for message in messages])


def attached(message: Message) -> list[Json]:
    """What is sent with a message's text, as a key hashes it."""
    return [[each.before, each.part] for each in message.attachments]


def answer_key(item: Item, variant: Variant) -> AnswerKey:
    """What a grader may know of an item as a variant shows it: labels, options, and what is right (a control's own)."""
    question = variant.question
    return AnswerKey(
        item=item if variant.gold is None else replace(item, gold=variant.gold),
        labels=answer_key_labels(question, variant.layout),
        options=question.options,
        permutation=variant.permutation or tuple(range(len(question.options))),
    )
