"""Times the graders on long replies of repeated patterns, and shows how the time grows with the reply.

    python benchmarks/grading_speed.py                # 1,000,000 characters
    python benchmarks/grading_speed.py --size 100000 --grader choice

For each grader the slowest patterns are printed: seconds of this process at a quarter of the size and at the whole, and
the ratio of the two. About 4 is linear, 16 is quadratic. A grader that reads a long reply at its two ends only takes
the time of those and of one look at the whole. At the end a pattern that backtracks without end is tried: the grader
`regex` gives it up, and says so.
"""

import argparse
import json
import time
from pathlib import Path

from prt.perturbations.question import Gold, Question
from prt.runner.config.schema import GradeConfig
from prt.runner.graders.base import Grader, make_grader
from prt.runner.records import AnswerKey, Item, Reply

UNITS = Path(__file__).parents[1] / "tests" / "runner" / "graders" / "nasty_units.json"
CITIES = ("Lyon", "Paris", "Marseille", "Nice")
SHOWN = 8
PARAMETERS: dict[str, dict[str, object]] = {
    "regex": {"pattern": r"answer is (\w+)\."},
    "label": {"labels": ["Lyon", "Paris", "Rome"]},
}
NAMES = ("choice", "multi", "label", "numeric", "json", "exact", "contains", "regex")
GOLDS = {"numeric": "51", "json": '{"a": 1}'}
HOPELESS = r"(?:a|a)+$"
"""A pattern that backtracks without end where something else follows the last a."""


def key_of(name: str) -> AnswerKey:
    """A question for a grader."""
    if name in ("choice", "multi"):
        item = Item("q1", Question("Which one?", options=CITIES), Gold(options=(1, 2) if name == "multi" else (1,)))
        return AnswerKey(item, tuple("ABCD"), CITIES, (0, 1, 2, 3))
    return AnswerKey(Item("q1", Question("What?"), Gold(texts=(GOLDS.get(name, "Rome"),))))


def seconds(grader: Grader, key: AnswerKey, text: str) -> float:
    """How long this process takes to grade a reply."""
    start = time.process_time()
    grader.grade(Reply(text=text, finish_reason="stop"), key)
    return time.process_time() - start


def main() -> None:
    """Time, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000_000, help="characters of a reply, 1,000,000 by default")
    parser.add_argument("--grader", choices=NAMES, help="only this one")
    arguments = parser.parse_args()
    units: list[str] = json.loads(UNITS.read_text(encoding="utf-8"))
    print(f"{'grader':<10}{arguments.size // 4:>12,}{arguments.size:>12,}{'ratio':>8}  pattern")
    for name in [arguments.grader] if arguments.grader else NAMES:
        grader = make_grader(GradeConfig.model_validate({"grader": name, **PARAMETERS.get(name, {})}), base=Path())
        key, rows = key_of(name), []
        for unit in units:
            whole = unit * (arguments.size // len(unit))
            rows.append((seconds(grader, key, whole), seconds(grader, key, whole[: arguments.size // 4]), unit))
        for long, short, unit in sorted(rows, reverse=True)[:SHOWN]:
            print(f"{name:<10}{short:>11.3f}s{long:>11.3f}s{long / max(short, 1e-9):>8.1f}  {unit!r}")
    print_hopeless(arguments.size)


def print_hopeless(size: int) -> None:
    """Time a pattern that never ends, and print what becomes of it."""
    grader = make_grader(GradeConfig(grader="regex", pattern=HOPELESS), base=Path())
    start = time.process_time()
    grade = grader.grade(Reply(text="a" * size + "!", finish_reason="stop"), key_of("regex"))
    print(f"hopeless  {time.process_time() - start:>23.3f}s{'':>8}  {grade.status}: {grade.reason}")


if __name__ == "__main__":
    main()
