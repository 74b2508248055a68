"""Perturbs real datasets with everything there is, and counts what comes of it and what a variant should not be.

    python benchmarks/perturb_sweep.py                     # the folder `shared` beside the project
    python benchmarks/perturb_sweep.py FOLDER --items 0    # another folder, all items of each file
    python benchmarks/perturb_sweep.py --json > sweep.json

Every file under the folder's `data` and `userfiles` is read through the project's loader. Each generator makes its
variants of each item with each seed, and each applied variant is held to what it promises by patterns and readers of
`sweep_checks` alone:

1. no protected token is altered, no text is broken, and the recorded edits make the variant;
2. the gold is where a reader finds it: the label before the gold option's text passes the grader, each other fails;
3. no prompt comes twice, nor is it the original;
4. a second process with another hash seed makes the same variants, byte for byte, of every third item alone, from the
   last to the first.

Leaves with 1 where anything is wrong.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from prt.perturbations import Generator, Layout, Message, ParaphraseProposals, Subject, Variant, perturb, render
from prt.perturbations.canonical import canonical_json
from prt.runner.config.schema import GradeConfig
from prt.runner.errors import PrtError
from prt.runner.graders.base import Grader, make_grader, prove
from prt.runner.plan import answer_key
from prt.runner.records import Item, Reply
from sweep_checks import altered_tokens, broken_parts, closing_range, right_labels, shown_options, unfaithful_edits
from sweep_files import files_in, load
from sweep_generators import generators_for

DEFAULT_FOLDER = Path(__file__).parents[1].parent / "shared"
ITEMS = 100
REASONS = 4
"""Reasons printed for each generator."""
SHOWN = 40
"""Problems printed; all are counted."""
EVERY = 3
"""Of so many items one is made again by the second process."""
DIGESTS = "--digests"


@dataclass
class Tally:
    """What came of one generator.

    Attributes:
        outcomes: How often each outcome.
        reasons: How often each reason, by outcome, quotations and numbers left out.
        problems: What an applied variant should not be, each with its place.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, variant: Variant) -> None:
        """Count one variant."""
        self.outcomes[variant.outcome] += 1
        if variant.reason:
            plain = re.sub(r"\d+", "N", re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "…", variant.reason))
            self.reasons[f"{variant.outcome}: {plain}"] += 1


@dataclass
class Sweep:
    """What came of all files.

    Attributes:
        items: Items perturbed, by file.
        refused: Why a file holds no items, by file.
        ungradable: Items whose original the grader itself can't be trusted with, each with the reason.
        tallies: By name of generator.
        digests: Hash of all variants of an item, by file and item.
    """

    items: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    ungradable: dict[str, str] = field(default_factory=dict)
    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    digests: dict[str, str] = field(default_factory=dict)

    def problems(self) -> list[str]:
        """All problems, each with its generator."""
        return [f"{name}: {problem}" for name, tally in self.tallies.items() for problem in tally.problems]


def loaded(folder: Path, count: int) -> Iterator[tuple[str, tuple[Item, ...], str]]:
    """Load each file: its name, so many of its items from its whole length, and why there are none."""
    for name, path in files_in(folder):
        try:
            items = load(name, path).items
        except PrtError as error:
            yield name, (), str(error)
        else:
            yield name, items[:: max(1, len(items) // count)][:count] if count else items, ""


def swept(folder: Path, count: int, seeds: int) -> Sweep:
    """Perturb everything."""
    sweep, grader = Sweep(), make_grader(GradeConfig(grader="choice"), base=folder)
    for name, items, refusal in loaded(folder, count):
        if refusal:
            sweep.refused[name] = refusal
            continue
        sweep.items[name] = len(items)
        for place, item in enumerate(items):
            made = [each for seed in range(seeds) for each in sweep_item(sweep, name, item, seed, grader)]
            if place % EVERY == 0:
                sweep.digests[f"{name} {item.id}"] = digest(made)
        print(f"{name}: {len(items)} items", file=sys.stderr)
    return sweep


def sweep_item(sweep: Sweep, file: str, item: Item, seed: int, grader: Grader) -> Iterator[Variant]:
    """Perturb one item with each generator by itself, and give all its variants."""
    subject = subject_of(item)
    gradable = is_gradable(sweep, file, item, grader)
    for name, generator in generators_for(subject):
        tally = sweep.tallies[name]
        prompts = {render(item.question, subject.layout)}
        for variant in perturb(subject, [generator], seed=seed):
            tally.add(variant)
            if variant.outcome == "applied":
                found = (
                    *wrong_texts(item, variant, generator),
                    *repeated_prompt(variant, prompts),
                    *(wrong_gold(item, variant, grader) if gradable else ()),
                )
                tally.problems += [f"{file} {item.id} {variant.condition} seed {seed}: {each}" for each in found]
            yield variant


def subject_of(item: Item) -> Subject:
    """Give what generators may know of an item."""
    return Subject(item.id, item.question, gold=item.gold)


def is_gradable(sweep: Sweep, file: str, item: Item, grader: Grader) -> bool:
    """Whether the item has options and the grader can be trusted with its original."""
    if not item.question.options:
        return False
    options = tuple(range(len(item.question.options)))
    original = Variant(
        item.id, "baseline", "baseline", 1, "{}", "guaranteed", "applied", "", item.question, Layout(), options
    )
    if reason := prove(grader, answer_key(item, original)):
        sweep.ungradable[f"{file} {item.id}"] = reason
    return not reason


def wrong_texts(item: Item, variant: Variant, generator: Generator) -> Iterator[str]:
    """Say what of a variant's texts is not what it promises."""
    yield from broken_parts(item.question, variant.question)
    if variant.tier != "control":
        yield from altered_tokens(item.question, variant.question, (*item.question.options, *item.gold.texts))
    if "+" not in variant.generator:
        yield from unfaithful_edits(item.question, variant)
    if isinstance(generator, ParaphraseProposals) and variant.question.text != last_proposal(generator, item):
        yield f"a spoilt proposal passed: {variant.question.text[:80]!r}"


def last_proposal(generator: ParaphraseProposals, item: Item) -> str:
    """Give the one proposal that is not spoilt."""
    return generator.written.proposals[item.id][0][-1].text if generator.written else ""


def repeated_prompt(variant: Variant, prompts: set[tuple[Message, ...]]) -> Iterator[str]:
    """Say that a prompt was there before, and keep it."""
    prompt = render(variant.question, variant.layout)
    if prompt in prompts and variant.generator != "rerun":
        yield "the prompt is the original's or another variant's"
    prompts.add(prompt)


def wrong_gold(item: Item, variant: Variant, grader: Grader) -> Iterator[str]:
    """Say where a reader who knows the answer would be graded as if not, and the other way round."""
    question, key = variant.question, answer_key(item, variant)
    prompt = render(question, variant.layout)[-1].content
    shown = shown_options(prompt, variant.layout, question)
    if len(shown) != len(question.options):
        yield f"{len(shown)} of {len(question.options)} options can be read off the prompt"
        return
    if len(shown) > 1 and closing_range(shown) not in prompt:
        yield f"the closing line does not name {closing_range(shown)}"
    right = right_labels(shown, item.question.options, (variant.gold or item.gold).options)
    if not right:
        yield "the gold option's text is not in the prompt"
    for label in shown:
        if grader.grade(Reply(text=label), key).passed is not (label in right):
            yield f"the reply {label!r} is graded as {'wrong' if label in right else 'right'}"
    if reason := prove(grader, key):
        yield f"the grader can't be trusted with it: {reason}"


def digest(variants: Sequence[Variant]) -> str:
    """Hash variants."""
    return hashlib.sha256(canonical_json(variants).encode()).hexdigest()


def digests(folder: Path, count: int, seeds: int) -> dict[str, str]:
    """Hash the variants of every third item, from the last of the last file to the first."""
    made: dict[str, str] = {}
    for name, items, _ in reversed(list(loaded(folder, count))):
        for item in reversed(items[::EVERY]):
            subject = subject_of(item)
            variants = [
                variant
                for seed in range(seeds)
                for _, generator in generators_for(subject)
                for variant in perturb(subject, [generator], seed=seed)
            ]
            made[f"{name} {item.id}"] = digest(variants)
    return made


def other_digests(arguments: argparse.Namespace) -> dict[str, str]:
    """Let another process, with another hash seed, make the hashes."""
    command = [sys.executable, __file__, str(arguments.folder), DIGESTS]
    command += ["--items", str(arguments.items), "--seeds", str(arguments.seeds)]
    environment = os.environ | {"PYTHONHASHSEED": "4711"}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - itself
    found: dict[str, str] = json.loads(answer.stdout)
    return found


def print_table(sweep: Sweep) -> None:
    """Print the counts, the reasons, and what is wrong."""
    outcomes = ("applied", "unchanged", "not_applicable", "rejected")
    print(f"{sum(sweep.items.values()):,} items of {len(sweep.items)} files\n")
    print(f"{'':<28}" + "".join(f"{outcome:>16}" for outcome in outcomes) + f"{'problems':>10}")
    for name, tally in sweep.tallies.items():
        print(f"{name:<28}" + "".join(f"{tally.outcomes[o]:>16,}" for o in outcomes) + f"{len(tally.problems):>10}")
        for reason, times in tally.reasons.most_common(REASONS):
            print(f"{times:>12,}  {reason[:104]}")
    for title, found in (("files without items", sweep.refused), ("items that can't be graded", sweep.ungradable)):
        print(f"\n{len(found)} {title}")
        for place, reason in list(found.items())[:SHOWN]:
            print(f"  {place}: {reason}")


def main() -> int:
    """Sweep, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_FOLDER, help="holds `data` and `userfiles`")
    parser.add_argument("--items", type=int, default=ITEMS, help=f"items of each file, {ITEMS} by default; 0 for all")
    parser.add_argument("--seeds", type=int, default=2, help="how many seeds, 2 by default")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(DIGESTS, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        parser.error(f"{arguments.folder} is no folder; give the folder that holds `data` and `userfiles`")
    if arguments.digests:
        print(json.dumps(digests(arguments.folder, arguments.items, arguments.seeds)))
        return 0
    sweep = swept(arguments.folder, arguments.items, arguments.seeds)
    other = other_digests(arguments)
    differing = [place for place in sweep.digests | other if sweep.digests.get(place) != other.get(place)]
    problems = sweep.problems() + [f"{place}: another process makes other variants" for place in differing]
    if arguments.json:
        print(json.dumps(as_json(sweep, problems), indent=1, ensure_ascii=False))
    else:
        print_table(sweep)
        print(f"\n{len(sweep.digests):,} items made again by another process, {len(differing)} of them otherwise")
        print(f"{len(problems)} problems")
        print("".join(f"  {problem}\n" for problem in problems[:SHOWN]), end="")
    return 1 if problems else 0


def as_json(sweep: Sweep, problems: Sequence[str]) -> Mapping[str, object]:
    """Give everything as JSON-able data."""
    generators = {
        name: {
            "outcomes": dict(tally.outcomes),
            "reasons": dict(tally.reasons.most_common()),
            "problems": len(tally.problems),
        }
        for name, tally in sweep.tallies.items()
    }
    return {
        "items": sweep.items,
        "refused": sweep.refused,
        "ungradable": sweep.ungradable,
        "generators": generators,
        "made_again": len(sweep.digests),
        "problems": list(problems),
    }


if __name__ == "__main__":
    sys.exit(main())
