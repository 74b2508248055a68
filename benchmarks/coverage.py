"""How often every interval holds the truth, and how often every test and verdict calls what is not there.

    python benchmarks/coverage.py           # all of it: an hour or so on one core
    python benchmarks/coverage.py --quick   # a minute: few sizes, few repetitions

One line a figure and setting, with the worst of several populations (`populations.py`): a coverage of at least 93% is
asked of intervals of 95%, at most 5% false positives of tests and verdicts at α = .05. `~` marks a line that misses its
bound by less than two Monte Carlo errors, `MISSED` one that misses it by more; the exit code is 1 if there is one.
All draws are seeded.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain

from enumerate_single import single_rows
from simulate_duels import duel_rows
from simulate_judges import judge_rows
from simulate_pairs import cluster_rows, repeats_rows
from simulate_runs import nightly_rows, runs_rows
from tally import HEADER, Row


def quick_rows(reps: int) -> Iterator[Row]:
    """A small selection."""
    return chain(
        single_rows((10, 50)),
        repeats_rows(reps, (10, 50), (3,)),
        cluster_rows(reps, (10, 40), (5,), (1,)),
        duel_rows((10, 20), 500),
        judge_rows(max(reps // 4, 1), (10, 50)),
        runs_rows(reps, (20,), (1, 3), 199),
        nightly_rows(reps, (50,)),
    )


def all_rows(reps: int) -> Iterator[Row]:
    """Every setting."""
    sizes = (10, 20, 50, 100, 200)
    return chain(
        single_rows(sizes),
        repeats_rows(reps, sizes, (2, 3, 4, 5)),
        cluster_rows(reps, (10, 20, 40), (5, 20), (1, 3)),
        duel_rows((10, 20, 50, 100), 1000),
        judge_rows(reps, (10, 20, 50, 100, 200)),
        runs_rows(reps, (10, 20, 50, 200), (1, 3), 499),
        nightly_rows(reps, (20, 50, 200)),
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few sizes, few repetitions: a minute")
    parser.add_argument("--reps", type=int, help="runs of each population (2000; with --quick 100)")
    chosen = parser.parse_args()
    reps = chosen.reps or (100 if chosen.quick else 2000)
    print(HEADER)
    missed = rows = 0
    for row in quick_rows(reps) if chosen.quick else all_rows(reps):
        print(row.text(), flush=True)
        rows += 1
        missed += row.verdict == "MISSED"
    print(f"\n{rows} lines, {missed} of them missed; {reps} runs of each population, one run a cell and duels exactly.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
