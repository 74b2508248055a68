"""From a config file to all that a run needs, before any call: items, their variants, the proved grader."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..perturbations import Bundle, Generator, Subject, baseline_variant, bundle_hash, records
from ..perturbations.bundle import GeneratorRecord
from ..perturbations.perturb import perturber
from ..perturbations.question import AnswerForm
from ..perturbations.variant import Variant
from .bundles import Made, bundle_file, frozen_file, frozen_variants, protected_patterns
from .config.loading import LoadedConfig, load_config
from .config.schema import Config, GradeConfig, LocalModel, PromptConfig
from .counting import Counting, Counts
from .datasets.load import SKIP, load_items
from .encoding import item_spool, suite_hash, variant_groups
from .errors import Problem, UsageError
from .frozen import grouped
from .generators import build_generators, rerun_notes
from .graders.base import Grader, Prover, make_grader
from .paraphrasing.paraphrasers import Paraphraser, begun, find_paraphrasers, paraphraser_notes
from .plan import BASELINE, answer_key
from .problems import raise_problems
from .records import Item
from .reviewing import review_notes
from .spool import Groups
from .unmatched import unmatched_notes

if TYPE_CHECKING:
    from ..perturbations.generators.paraphrase_llm import Written

MULTI_LINE = "Answer with the labels of all correct options ({label_range}), separated by commas."
LABEL_LINE = "Answer with one of these labels and nothing else: "
ANSWER_FORMS: Mapping[str, AnswerForm] = {
    "numeric": "number",
    "regex": "none",
    "json": "none",
    "code": "none",
    "python": "none",
    "judge": "none",
}


class KnownHashes(NamedTuple):
    """The hashes of a suite that was made earlier, and of its bundle."""

    suite: str
    bundle: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is settled before the first call.

    Attributes:
        loaded: The config and where it came from.
        items: The items that can be graded; they and the variants lie on the disk.
        skipped: Rows and items that can't be used, where the config says to skip them.
        variants: Each item's variants, the baseline first.
        bundle: The same, frozen.
        grader: The grader, proved on each variant.
        dataset_sha256: SHA-256 of the dataset's bytes.
        notes: Sentences that the user should read.
        counts: What was counted of the variants.
        paraphrasers: The models that write paraphrases for it.
        known: The hashes of a suite that was made earlier; None where it was made now.
    """

    loaded: LoadedConfig
    items: Sequence[Item]
    skipped: tuple[Problem, ...]
    variants: Mapping[str, Sequence[Variant]]
    bundle: Bundle
    grader: Grader
    dataset_sha256: str
    notes: tuple[str, ...]
    counts: Counts
    paraphrasers: tuple[Paraphraser, ...] = ()
    known: KnownHashes | None = None

    @property
    def config(self) -> Config:
        """The config."""
        return self.loaded.config

    @property
    def bundle_hash(self) -> str:
        """Hash of the frozen variants."""
        return bundle_hash(self.bundle) if self.known is None else self.known.bundle

    @property
    def suite_hash(self) -> str:
        """Hash of all items and variants."""
        return suite_hash(self.items, self.all_variants()) if self.known is None else self.known.suite

    @property
    def cells(self) -> int:
        """How many cells there are to ask."""
        return self.config.repeats * self.counts.asked

    def all_variants(self) -> Sequence[Variant]:
        """Every variant of every item, grouped by item."""
        return self.bundle.variants

    def unwritten(self) -> Mapping[str, int]:
        """How many variants of each item wait for a paraphrase that no model was asked for yet; no item with none."""
        return self.counts.unwritten


def prepare(path: Path, *, env: Mapping[str, str], use_bundle: bool = True) -> Prepared:
    """Load a config and its dataset, make or read the variants, and prove the grader on each.

    Args:
        path: The config file.
        env: Environment variables.
        use_bundle: Take the variants from the bundle that the config names, if it names one; else make them anew.

    Returns:
        All that a run needs.

    Raises:
        UsageError: Whatever can't be used, with its place and what to do.
    """
    loaded = load_config(path, env=env)
    config, base = loaded.config, loaded.base
    with loaded.placing():
        data = load_items(
            config.dataset,
            base=base,
            prompt=prompted(config),
            seed=config.seed,
            answer_form=answer_form(config.grade),
            json_answers=config.grade is not None and any(each.grader == "json" for each in members(config.grade)),
            need_answers=config.grade is None or config.grade.grader != "judge" or config.grade.reference,
        )
        refuse_attachments(config, data.items)
        grader = make_grader(grade_config(config, data.items if data.free else ()), base=base)
    writers = find_paraphrasers(loaded)
    generators = build_generators(config, base=base, paraphrases=begun(writers, {}))
    unmatched = unmatched_notes(config, data, generators)
    file = frozen_file(loaded) if use_bundle else None
    made = generated(config, generators) if file is None else frozen_variants(loaded, data.items, generators, file)
    proved = proved_items(made, data.items, grader, config.dataset.path)
    refuse_ungradable(proved, config)
    return Prepared(
        loaded=loaded,
        items=proved.items,
        skipped=(*data.skipped, *proved.skipped),
        variants=proved.variants,
        bundle=bundled(loaded, proved.variants, made.generators),
        grader=grader,
        dataset_sha256=data.sha256,
        notes=(
            *data.notes,
            *unmatched,
            *rerun_notes(config),
            *paraphraser_notes(writers),
            *implicit_bundle_notes(loaded, file),
            *review_notes(proved.counts.waiting, path),
        ),
        counts=proved.counts,
        paraphrasers=writers,
    )


def with_paraphrases(prepared: Prepared, written: Mapping[str, "Written"]) -> Prepared:
    """The same with the paraphrases that models wrote.

    Args:
        prepared: A run, prepared without a bundle.
        written: What each of its paraphrasers wrote, by their keys.
    """
    loaded = prepared.loaded
    begin = begun(prepared.paraphrasers, written)
    made = generated(prepared.config, build_generators(prepared.config, base=loaded.base, paraphrases=begin))
    variants, counts = variant_groups(), Counting()
    for item in prepared.items:
        each = prove_variants(prepared.grader, item, made.variants(item))
        counts.note(each)
        variants.append(item.id, each)
    bundle = bundled(loaded, variants, made.generators)
    return replace(prepared, variants=variants, bundle=bundle, counts=counts.counts())


def with_bundle(prepared: Prepared, bundle: Bundle) -> Prepared:
    """The same with the variants of a bundle of the same items; what is said of them in reviews changes no outcome."""
    variants, counts = variant_groups(), Counting()
    for item_id, each in grouped(bundle.variants):
        made = [*each]
        counts.note(made)
        variants.append(item_id, made)
    return replace(prepared, variants=variants, bundle=bundle, counts=counts.counts())


def bundled(loaded: LoadedConfig, variants: Groups[Variant], generators: tuple[GeneratorRecord, ...]) -> Bundle:
    """The variants of a run as a bundle freezes them."""
    return Bundle(loaded.config.seed, generators, variants.in_order, protected_patterns(loaded))


def implicit_bundle_notes(loaded: LoadedConfig, file: Path | None) -> tuple[str, ...]:
    """Say where the variants come from, where the config names no bundle."""
    if file is None or bundle_file(loaded) is not None:
        return ()
    return (f"the variants are those that are frozen in {file}; `prt perturb` writes them anew.",)


def answer_form(grade: GradeConfig | None) -> AnswerForm:
    """What the closing line of an item without options asks for, by its grader."""
    return "text" if grade is None else ANSWER_FORMS.get(members(grade)[0].grader, "text")


def members(grade: GradeConfig) -> tuple[GradeConfig, ...]:
    """The grader itself; the graders of an `any_of`, of which the first decides what the closing line asks for."""
    return tuple(map(GradeConfig.model_validate, grade.graders or ())) or (grade,)


def prompted(config: Config) -> PromptConfig:
    """What is said around each question, with the closing line of a grader that needs one of its own."""
    prompt = config.prompt
    if config.grade is None or prompt.answer is not None:
        return prompt
    grade = members(config.grade)[0]
    if grade.grader == "multi":
        return prompt.model_copy(update={"answer": MULTI_LINE})
    if grade.grader == "label":
        return prompt.model_copy(update={"answer": LABEL_LINE + ", ".join(grade.labels or ()) + "."})
    return prompt


def grade_config(config: Config, items: Sequence[Item]) -> GradeConfig:
    """The grader of the config; `choice` where it names none and every item has options.

    Raises:
        UsageError: None is named and the items have no options.
    """
    if config.grade is not None:
        return config.grade
    if without := sum(not item.question.options for item in items):
        first = next(item.id for item in items if not item.question.options)
        raise UsageError(
            f"{config.dataset.path}: {without} of {len(items)} items have no options ({first!r} is one), so "
            "the config must say how to grade them: `grade: numeric`, `exact`, `contains`, `label`, `regex`, `json`, "
            "`code`, `python` or `judge` (docs/grading.md); or name the options in `dataset.fields.options`"
        )
    return GradeConfig(grader="choice")


def refuse_attachments(config: Config, items: Sequence[Item]) -> None:
    """Refuse items with images and the like where the model takes text alone.

    Raises:
        UsageError: There are such items, and the model is `local`.
    """
    if not isinstance(config.model, LocalModel):
        return
    if seen := sum(bool(item.attachments) for item in items):
        first = next(item.id for item in items if item.attachments)
        raise UsageError(
            f"{config.dataset.path}: {seen} of {len(items)} items carry images or other attachments ({first!r} "
            "is one), and `model: local` reads text alone; name an endpoint that takes them (provider openai, http "
            "with '{messages}', or python)"
        )


def generated(config: Config, generators: Sequence[Generator]) -> Made:
    """Make the variants of each item anew."""
    perturbed = perturber(generators, seed=config.seed)

    def variants(item: Item) -> Sequence[Variant]:
        subject = subject_of(item, config)
        return (baseline_variant(subject), *perturbed(subject))

    return Made(records(generators), variants)


def subject_of(item: Item, config: Config) -> Subject:
    """What generators may know of an item."""
    return Subject(item_id=item.id, question=item.question, gold=item.gold, protect=tuple(config.protect))


def prove_variants(grader: Grader, item: Item, variants: Sequence[Variant]) -> tuple[Variant, ...]:
    """Reject the variants in which the grader would fail a right answer or pass a wrong one."""
    prover = Prover(grader, item)
    return tuple(proved(prover, item, variant) for variant in variants)


def proved(prover: Prover, item: Item, variant: Variant) -> Variant:
    """One variant, rejected where the grader can't be trusted with it."""
    if variant.outcome != "applied":
        return variant
    reason = prover.reason(answer_key(item, variant), changed=variant.gold is not None)
    return variant if reason is None else replace(variant, outcome="rejected", reason=f"grader: {reason}")


@dataclass(frozen=True, slots=True)
class Proved:
    """The items of a run that can be graded, with their variants.

    Attributes:
        items: The items.
        variants: Their variants, proved.
        skipped: Why other items can't be graded.
        counts: What was counted of the variants.
    """

    items: Sequence[Item]
    variants: Groups[Variant]
    skipped: tuple[Problem, ...]
    counts: Counts


def proved_items(made: Made, items: Sequence[Item], grader: Grader, path: str) -> Proved:
    """Make the variants of one item after the other, and prove the grader on each."""
    kept, variants, counts, problems = array("L"), variant_groups(), Counting(), []
    for at, item in enumerate(items):
        proved_ones = prove_variants(grader, item, made.variants(item))
        if reason := ungradable(proved_ones):
            problems.append(Problem(reason, path=item.file or path, row=item.number))
            continue
        kept.append(at)
        counts.note(proved_ones)
        variants.append(item.id, proved_ones)
    chosen = item_spool(items[at] for at in kept) if problems else items
    return Proved(chosen, variants, tuple(problems), counts.counts())


def refuse_ungradable(proved: Proved, config: Config) -> None:
    """Refuse items whose baseline can't be graded, unless the config says to skip them and some are left.

    Raises:
        DatasetError: Items can't be graded, and `on_bad_item` is `error`; or none can.
    """
    if config.dataset.on_bad_item == "error" or not proved.items:
        raise_problems(proved.skipped, "items that can't be graded", advice=SKIP if proved.items else "")


def ungradable(variants: Sequence[Variant]) -> str:
    """Why an item's baseline can't be graded; empty where it can."""
    baseline = next(variant for variant in variants if variant.condition == BASELINE)
    return baseline.reason if baseline.outcome == "rejected" else ""
