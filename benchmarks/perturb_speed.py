"""How many variants a second each generator makes, beside other libraries, and whether memory stays flat.

    python benchmarks/perturb_speed.py                                # ours alone
    python benchmarks/perturb_speed.py --peers PEERS/bin/python       # beside others, in an environment of theirs
    python benchmarks/perturb_speed.py --quick                        # a look: fewer questions and items

The peers need an environment of their own, since they pin what ours does not:

    python -m venv PEERS
    PEERS/bin/pip install nlpaug promptsuite
    PEERS/bin/pip install textattack "datasets<4" "transformers<5"    # several GB; it loads NLTK's list of stop words
    PEERS/bin/python -m nltk.downloader stopwords                     # when it is imported

What can't be imported there, or wants to fetch something when it runs, is named in the table with the reason.

1. Speed: the same questions for all (`speed_questions.py`), each generator and each peer in turn, several rounds, the
   median of each by processor time. A ratio above 1 says that ours is faster. They don't do the same work: ours finds
   protected text, proves that it was kept, renders the prompt and drops duplicates; the peers write a text.
2. Memory: the peak resident size after 1,000, 10,000 and 100,000 items that stream through all generators. The exit
   code is 1 where the last is more than 16 MiB above the first; the variants of 100,000 items would take over a GiB.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from prt.perturbations import Control, Format, Frames, Generator, Noise, Reorder, Style, Subject, Typo, perturb, render
from speed_questions import subjects

OURS: Mapping[str, Generator] = {
    "reorder": Reorder(),
    "format": Format(),
    "paraphrase": Frames(),
    "typo": Typo(),
    "style": Style(),
    "noise": Noise(),
    "control": Control(),
}
TIMER = Path(__file__).with_name("peer_timer.py")
WARM_UP = 50
GROWTH_ALLOWED_MIB = 16.0
KIB = 1 if sys.platform != "darwin" else 1024
"""What `ru_maxrss` counts in: KiB, but bytes on macOS."""


class Peers:
    """The other libraries, in a process of their own, that are asked for one pass at a time."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.known: dict[str, dict[str, str]] = self._answer()

    @property
    def usable(self) -> list[str]:
        """The names of those that can run."""
        return [name for name, told in self.known.items() if not told["problem"]]

    def variants_per_second(self, name: str) -> float:
        """Let one of them perturb all questions once."""
        stdin = self._process.stdin
        if stdin is None:
            raise RuntimeError("the peers were started without a standard input")
        stdin.write(name + "\n")
        stdin.flush()
        taken = self._answer()
        return float(taken["variants"] / taken["seconds"])

    def _answer(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            sys.exit("The peers' process ended; its own words stand above.")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def started(python: str | None, items: Sequence[Subject]) -> Iterator[Peers | None]:
    """Start the peers on the same questions; None without an environment of theirs."""
    if python is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        questions = Path(folder) / "questions.jsonl"
        questions.write_text("".join(json.dumps(as_question(item)) + "\n" for item in items), encoding="utf-8")
        command = [python, str(TIMER), str(questions)]
        with subprocess.Popen(  # noqa: S603 - the command names an interpreter that the user chose
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            yield Peers(process)


def as_question(item: Subject) -> dict[str, object]:
    """What a peer is given of an item."""
    question = item.question
    return {
        "text": question.text,
        "options": list(question.options),
        "gold": item.gold.options[0],
        "prompt": render(question, item.layout)[-1].content,
    }


def variants_per_second(generator: Generator, items: Sequence[Subject]) -> float:
    """Let one generator of ours perturb all questions once."""
    begun = time.process_time()
    made = sum(len(perturb(item, [generator], seed=1)) for item in items)
    return made / (time.process_time() - begun)


def compare_speed(python: str | None, questions: int, rounds: int) -> None:
    """Print the table of part 1; generators and peers take turns in each round."""
    items = list(subjects(questions))
    rates: defaultdict[str, list[float]] = defaultdict(list)
    with started(python, items) as peers:
        for generator in OURS.values():
            variants_per_second(generator, items[:WARM_UP])
        others = {name: partial(peers.variants_per_second, name) for name in peers.usable} if peers else {}
        for one_pass in others.values():
            one_pass()
        for _ in range(rounds):
            for name, generator in OURS.items():
                rates[name].append(variants_per_second(generator, items))
            for name, one_pass in others.items():
                rates[name].append(one_pass())
        known = peers.known if peers else {}
    print(f"{questions} questions, {rounds} rounds: median variants a second")
    for name in OURS:
        print(f"  {name:32} {median(rates[name]):9,.0f}")
        for peer, told in known.items():
            if told["generator"] == name:
                print(f"    {peer:30} {beside(rates, name, peer, told['problem'])}")


def beside(rates: Mapping[str, Sequence[float]], name: str, peer: str, problem: str) -> str:
    """A peer's rate and how ours compares with it, round by round; or why there is none."""
    if problem:
        return f"can't run here: {problem}"
    ratios = [ours / theirs for ours, theirs in zip(rates[name], rates[peer], strict=True)]
    return f"{median(rates[peer]):9,.0f}   ours is {median(ratios):6.2f} times as fast"


def measure_memory(items: int) -> bool:
    """Print part 2; whether memory stayed flat."""
    marks = sorted({*(mark for mark in (1_000, 10_000, 100_000) if mark < items), items})
    generators = list(OURS.values())
    peaks = []
    print(f"\nPeak memory while {marks[-1]:,} items stream through {', '.join(OURS)}")
    for number, item in enumerate(subjects(marks[-1]), 1):
        perturb(item, generators, seed=1)
        if number in marks:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB / 1024)
            print(f"  {number:>9,} items {peaks[-1]:8.1f} MiB", flush=True)
    growth = peaks[-1] - peaks[0]
    flat = growth <= GROWTH_ALLOWED_MIB
    print(f"{'flat' if flat else 'GREW'}: {growth:+.1f} MiB")
    return flat


def main() -> int:
    """Print both parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", help="the interpreter of the environment that holds the peers")
    parser.add_argument("--quick", action="store_true", help="100 questions, 3 rounds, 2,000 items")
    parser.add_argument("--items", type=int, default=100_000, help="how many items stream for the memory (100000)")
    chosen = parser.parse_args()
    questions, rounds, items = (100, 3, 2_000) if chosen.quick else (400, 7, chosen.items)
    compare_speed(chosen.peers, questions, rounds)
    return 0 if measure_memory(items) else 1


if __name__ == "__main__":
    sys.exit(main())
