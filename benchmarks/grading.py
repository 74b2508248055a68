"""Counts false passes and false fails of the graders `choice` and `numeric` on real questions.

    python benchmarks/grading.py                            # the folder `shared/data` beside the project
    python benchmarks/grading.py FOLDER --items 0           # another folder, all items of each file
    python benchmarks/grading.py --show 3 --json > grading.json

Two oracles answer each question in each phrasing of `grading_phrasings`: one knows what is right, the other gives
another answer. A false pass is a wrong answer, or a reply that decides for nothing, that is graded as passed; a false
fail is a right answer that is not. Options are shown in an order and under labels drawn by the seed. Items that the
proof before a run refuses are left out, and counted.

Leaves with 1 where there is a false pass.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path

from grading_phrasings import CHOICES, NUMBERS, Phrasing, choice_fields, number_fields
from prt.perturbations.rendering.labels import option_labels
from prt.runner.config.schema import GradeConfig
from prt.runner.errors import PrtError
from prt.runner.graders.base import Grader, make_grader, prove
from prt.runner.graders.quantity import only_number
from prt.runner.records import AnswerKey, Grade, Item, Reply
from sweep_files import NO_TABLES, load

DEFAULT_FOLDER = Path(__file__).parents[1].parent / "shared" / "data"
ITEMS = 25
STYLES = ("A", "a", "1", "i", "I")
PLAIN_NUMBER = re.compile(r"[$€£]?[-−+]?\d[\d,.]*%?")


@dataclass
class Tally:
    """What came of one phrasing.

    Attributes:
        right: Right answers given.
        false_fails: Of these, those that did not pass.
        unread: Of those, the ones that were not read at all; the others were read as something else.
        wrong: Wrong answers given, or replies that decide for nothing.
        false_passes: Of these, those that passed.
        fails: Examples of false fails, each with its place, and how it was read.
        passes: Examples of false passes.
    """

    right: int = 0
    false_fails: int = 0
    unread: int = 0
    wrong: int = 0
    false_passes: int = 0
    fails: list[str] = field(default_factory=list)
    passes: list[str] = field(default_factory=list)

    def add(self, place: str, reply: str, grade: Grade, *, right: bool) -> None:
        """Count one reply."""
        example = f"{place}: {reply!r} {read_as(grade)}"
        if right:
            self.right += 1
            if grade.passed is not True:
                self.false_fails += 1
                self.unread += grade.status != "graded"
                self.fails.append(example)
        else:
            self.wrong += 1
            if grade.passed:
                self.false_passes += 1
                self.passes.append(example)


def read_as(grade: Grade) -> str:
    """How a reply was read, in words."""
    return f"was read as {grade.extracted!r}" if grade.status == "graded" else f"is {grade.status}: {grade.reason}"


@dataclass
class Tables:
    """What came of all files.

    Attributes:
        items: Items tried, by file and grader.
        refused: Why a file holds no items, by file.
        unproved: Items that the proof refuses, each with the reason.
        tallies: By grader and phrasing.
    """

    items: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)
    unproved: dict[str, str] = field(default_factory=dict)
    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)

    def add(self, grader: Grader, phrasing: Phrasing, place: str, reply: str, key: AnswerKey, *, right: bool) -> None:
        """Grade one reply, and count it."""
        tally = self.tallies.setdefault(grader.name, {}).setdefault(phrasing.template, Tally())
        tally.add(place, reply, grader.grade(Reply(text=reply, finish_reason="stop"), key), right=right)

    def false_passes(self) -> int:
        """How many there are in all."""
        return sum(tally.false_passes for tallies in self.tallies.values() for tally in tallies.values())


def tabulated(folder: Path, count: int, seed: int) -> Tables:
    """Let both oracles answer so many items of each file."""
    tables = Tables()
    graders = {name: make_grader(GradeConfig(grader=name), base=folder) for name in ("choice", "numeric")}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or path.suffix in NO_TABLES:
            continue
        try:
            items = load(name, path).items
        except PrtError as error:
            tables.refused[name] = str(error)
            continue
        for item in sampled(items, count):
            place = f"{name} {item.id}"
            rng = random.Random(f"{seed} {place}")  # noqa: S311  # draws a sample, keeps no secret
            grader, key = graders["choice" if item.question.options else "numeric"], shown(item, rng)
            if not item.question.options and not is_numeric(item):
                continue
            if reason := prove(grader, key):
                tables.unproved[place] = reason
                continue
            tables.items[f"{name} ({grader.name})"] += 1
            (answer_choice if item.question.options else answer_number)(tables, grader, key, place, rng)
        print(name, file=sys.stderr)
    return tables


def sampled(items: tuple[Item, ...], count: int) -> tuple[Item, ...]:
    """So many items, from the whole length of the file."""
    return items[:: max(1, len(items) // count)][:count] if count else items


def is_numeric(item: Item) -> bool:
    """Whether the item's right answers are numbers and nothing else."""
    return bool(item.gold.texts) and all(map(PLAIN_NUMBER.fullmatch, item.gold.texts))


def shown(item: Item, rng: random.Random) -> AnswerKey:
    """The item with its options in an order and under labels that are drawn."""
    options = item.question.options
    order = tuple(rng.sample(range(len(options)), len(options)))
    labels = option_labels(rng.choice(STYLES), len(options))
    return AnswerKey(item, labels, tuple(options[index] for index in order), order)


def answer_choice(tables: Tables, grader: Grader, key: AnswerKey, place: str, rng: random.Random) -> None:
    """Answer one question with options by each of them, or by as many as four."""
    right = [at for at, index in enumerate(key.permutation) if index in key.item.gold.options]
    right_texts = {" ".join(key.options[at].split()) for at in right}
    wrong = [at for at, text in enumerate(key.options) if " ".join(text.split()) not in right_texts]
    if not right or not wrong:
        return
    for phrasing in CHOICES:
        for said, other in [(right[0], rng.choice(wrong))] + [(at, right[0]) for at in wrong[:3]]:
            reply = phrasing.reply(choice_fields(key, said, other))
            if reply is not None and (phrasing.decides or not is_option(reply, phrasing, key)):
                tables.add(grader, phrasing, place, reply, key, right=phrasing.decides and said in right)


def is_option(reply: str, phrasing: Phrasing, key: AnswerKey) -> bool:
    """Whether words that name no option's text are an option's text all the same, as "both A and B" may be."""
    named = any(part in phrasing.template for part in ("text}", "listing}"))
    return not named and any(" " in text and text.lower() in reply.lower() for text in key.options)


def answer_number(tables: Tables, grader: Grader, key: AnswerKey, place: str, rng: random.Random) -> None:
    """Answer one question by its number, and by others that are near it or look like it."""
    accepted = [value for text in key.item.gold.texts if (value := only_number(text).value) is not None]
    if not accepted:
        return
    right = accepted[0]
    others = [number for number in others_than(right) if number not in accepted]
    for phrasing in NUMBERS:
        for said, other in [(right, rng.choice(others))] + [(number, right) for number in others]:
            reply = phrasing.reply(number_fields(said, other))
            if reply is not None:
                tables.add(grader, phrasing, place, reply, key, right=phrasing.decides and said == right)


def others_than(right: Fraction) -> Iterator[Fraction]:
    """Numbers that are easily taken for the right one."""
    yield from (right + 1, -right, right * 10, right / 10 if right % 10 == 0 else right * 100, right + Fraction(1, 2))


def print_tables(tables: Tables, show: int) -> None:
    """Print the counts of each phrasing, with examples, and what was left out."""
    for name, tallies in tables.tallies.items():
        count = sum(n for file, n in tables.items.items() if file.endswith(f"({name})"))
        print(f"\n{name}: {count:,} items of {sum(file.endswith(f'({name})') for file in tables.items)} files")
        print(f"{'right':>8}{'false fails':>13}{'unread':>8}{'wrong':>9}{'false passes':>14}  phrasing")
        for phrasing, tally in tallies.items():
            print(
                f"{tally.right:>8,}{tally.false_fails:>13,}{tally.unread:>8,}{tally.wrong:>9,}{tally.false_passes:>14,}"
                f"  {phrasing!r}"
            )
            for example in (*tally.passes[:show], *tally.fails[:show]):
                print(f"{'':>8}{example[:240]}")
        total = [
            sum(getattr(t, key) for t in tallies.values())
            for key in ("right", "false_fails", "unread", "wrong", "false_passes")
        ]
        print("{:>8,}{:>13,}{:>8,}{:>9,}{:>14,}  in all".format(*total))
    for title, found in (("files without items", tables.refused), ("items that the proof refuses", tables.unproved)):
        print(f"\n{len(found)} {title}")
        for place, reason in list(found.items())[:20]:
            print(f"  {place}: {reason[:200]}")


def main() -> int:
    """Tabulate, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_FOLDER, help="holds dataset files")
    parser.add_argument("--items", type=int, default=ITEMS, help=f"items of each file, {ITEMS} by default; 0 for all")
    parser.add_argument("--seed", type=int, default=0, help="decides orders, labels and the other answers")
    parser.add_argument("--show", type=int, default=1, help="examples of each phrasing, 1 by default")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        parser.error(f"{arguments.folder} is no folder; give one that holds dataset files")
    tables = tabulated(arguments.folder, arguments.items, arguments.seed)
    if arguments.json:
        print(json.dumps(asdict(tables), indent=1, ensure_ascii=False))
    else:
        print_tables(tables, arguments.show)
    return 1 if tables.false_passes() else 0


if __name__ == "__main__":
    sys.exit(main())
