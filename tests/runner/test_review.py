"""A person accepts and rejects variants at the terminal; each answer is on the disk before the next question."""

import io
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
import yaml
from prt.perturbations.bundle import Bundle, read_bundle
from prt.runner.bundles import opened
from prt.runner.commands.keyboard import END, Keys
from prt.runner.commands.review import ask_about, chosen_cases, summary
from prt.runner.errors import BundleError, UsageError
from prt.runner.prepare import prepare
from prt.runner.review_file import ReviewFile, earlier_variants, write_carried
from prt.runner.reviewing import carried
from pydantic import JsonValue as Json
from rich.console import Console

from .command_line import CommandLine

STORIES = {
    "s": "A baker sells seventeen loaves before lunch and nine after it. How many loaves is that?",
    "t": "A farmer has thirty cows and buys twelve more. How many cows does the farmer have?",
}
MINE = [
    {"id": "s", "text": "Before lunch a baker sells seventeen loaves, after it nine. How many loaves is that?"},
    {"id": "s", "text": "Seventeen loaves leave a bakery before lunch and nine after it. How many loaves is that?"},
    {"id": "t", "text": "Thirty cows belong to a farmer, who buys twelve more. How many cows does the farmer have?"},
    {"id": "t", "text": "A farmer has 31 cows and buys twelve more. How many cows does the farmer have?"},
]
CONFIG: dict[str, Json] = {
    "model": {"provider": "python", "callable": "answering.py:answer"},
    "dataset": "items.jsonl",
    "perturbations": [{"paraphrase": {"file": "mine.jsonl", "variants": 2}}, {"typo": {"rate": 0.2}}],
    "grade": "numeric",
    "bundle": "frozen.jsonl",
}
FROZEN = Path("frozen.jsonl")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    answers = {"s": "26", "t": "42"}
    rows = [{"id": name, "question": text, "answer": answers[name]} for name, text in STORIES.items()]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    prt.write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in MINE))
    prt.write("answering.py", "def answer(messages): return 'Answer: 26'\n")
    said(prt)
    assert prt("perturb", "prt.yaml").code == 0
    return prt


def said(prt: CommandLine, **changes: Json) -> None:
    prt.write("prt.yaml", yaml.safe_dump({**CONFIG, **changes}))


def reviews() -> dict[str, str]:
    return {f"{each.item_id} {each.condition}": each.review for each in read_bundle(FROZEN).variants if each.review}


def review(keys: Iterable[str], *, item: str | None = None, conditions: Sequence[str] = ()) -> str:
    """Press keys, then end the input; what was printed."""
    pressed = iter(keys)
    file = ReviewFile(FROZEN)
    cases = chosen_cases(prepare(Path("prt.yaml"), env={}), file, item, conditions)
    console = Console(file=io.StringIO(), width=100)
    ask_about(file, cases, console, lambda: next(pressed, END), again=item is not None)
    for line in summary(file, cases):
        console.print(line)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_paraphrases_are_asked_about_one_at_a_time_and_each_answer_is_saved_at_once(prt: CommandLine) -> None:
    saved: list[dict[str, str]] = []

    def keys() -> Iterable[str]:
        for key in "arA":
            saved.append(reviews())
            yield key

    shown = review(keys())
    assert saved == [{}, {"s paraphrase.1": "accept"}, {"s paraphrase.1": "accept", "s paraphrase.2": "reject"}]
    assert reviews() == {"s paraphrase.1": "accept", "s paraphrase.2": "reject", "t paraphrase.1": "accept"}
    assert [line.split(" · ")[0] for line in shown.splitlines() if " of 3 · " in line] == ["1 of 3", "2 of 3", "3 of 3"]
    assert "3 variants: 2 accepted, 1 rejected, 0 not reviewed; saved in frozen.jsonl" in shown
    assert prt("check", "prt.yaml").code == 0


def test_original_right_answer_and_marks_are_shown(prt: CommandLine) -> None:
    shown = review("q")
    assert STORIES["s"] in " ".join(shown.split())
    assert "right: 26" in shown
    assert "{+" in shown
    assert "[-" in shown
    assert prt("check", "prt.yaml").code == 0


def test_back_and_skip_go_where_they_say_and_a_second_answer_replaces_the_first(prt: CommandLine) -> None:
    shown = review("rbbasq")
    places = [line for line in shown.splitlines() if " of 3 · " in line]
    assert places == [
        "1 of 3 · s",
        "2 of 3 · s",
        "1 of 3 · s · rejected so far",
        "1 of 3 · s · rejected so far",
        "2 of 3 · s",
        "3 of 3 · t",
    ]
    assert reviews() == {"s paraphrase.1": "accept"}
    assert prt("check", "prt.yaml").code == 0


@pytest.mark.usefixtures("prt")
def test_a_review_goes_on_where_it_was_left() -> None:
    review("ar")
    assert [line for line in review("q").splitlines() if " of 3 · " in line] == ["3 of 3 · t"]
    assert "All are reviewed; `--item ID` asks about those of one item again." in review("r")
    assert " of 3 · " not in review("q")
    assert "1 of 2 · s · accepted so far" in review("q", item="s")


@pytest.mark.usefixtures("prt")
@pytest.mark.parametrize("end", ["q", "Q", END])
def test_every_way_to_leave_keeps_what_was_said(end: str) -> None:
    review("a" + end + "rrr")
    assert reviews() == {"s paraphrase.1": "accept"}


@pytest.mark.usefixtures("prt")
def test_a_key_that_means_nothing_is_said_to() -> None:
    shown = review(["x", "\x1b[A", "\x1b[31m", "a", "q"])
    assert "x means nothing here: a accept · r reject" in shown
    assert "\x1b" not in shown
    assert reviews() == {"s paraphrase.1": "accept"}


@pytest.mark.usefixtures("prt")
def test_conditions_are_named_by_patterns() -> None:
    assert " of 2 · " in review("q", conditions=["typo.*"])
    assert " of 5 · " in review("q", conditions=["*"])
    assert " of 1 · " in review("q", conditions=["typo.1"], item="t")
    with pytest.raises(UsageError, match=r'no condition is called "tpyo"; the bundle has `paraphrase.1`'):
        review("q", conditions=["tpyo"])
    with pytest.raises(UsageError, match=r'there is no item "u" in the dataset'):
        review("q", item="u")


def test_without_paraphrases_it_is_said_how_to_review_the_rest(prt: CommandLine) -> None:
    said(prt, perturbations=["typo"])
    assert prt("perturb", "prt.yaml").code == 0
    assert (
        review("a")
        == "There is nothing in other words to review; `--condition '*'` asks about every applied variant.\n"
    )


@pytest.mark.usefixtures("prt")
def test_a_file_that_was_changed_meanwhile_is_not_written_over() -> None:
    def keys() -> Iterable[str]:
        yield "a"
        FROZEN.write_bytes(FROZEN.read_bytes() + b"\n")
        yield "r"

    with pytest.raises(UsageError, match="was changed by someone else meanwhile"):
        review(keys())
    assert FROZEN.read_bytes().count(b'"review":"accept"') == 1


@pytest.mark.usefixtures("prt")
def test_a_full_disk_loses_no_answer_but_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    def keys() -> Iterable[str]:
        yield "a"
        monkeypatch.setattr(os, "fsync", full)
        yield "r"

    with pytest.raises(
        UsageError, match=r"this answer can't be saved \(No space left on device\); those before it are"
    ):
        review(keys())
    assert reviews() == {"s paraphrase.1": "accept"}


def test_reviews_outlive_a_bundle_that_is_written_anew_where_the_variant_is_the_same(prt: CommandLine) -> None:
    review("arr")
    other = [dict(row) for row in MINE]
    other[1]["text"] = "Seventeen loaves leave the bakery before lunch and nine after it. How many loaves is that?"
    prt.write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in other))
    before = FROZEN.read_bytes()
    ended = prt("perturb", "prt.yaml")
    assert ended.code == 0
    assert "2 reviews kept, of variants that came out the same\n" in ended.out
    assert "1 review dropped, since the variant is another one now: s paraphrase.2; " in ended.out
    (copy,) = (path for path in Path().iterdir() if path.name.startswith("frozen.") and path != FROZEN)
    assert f"{copy} keeps the earlier bundle" in ended.out
    assert copy.read_bytes() == before
    assert reviews() == {"s paraphrase.1": "accept", "t paraphrase.1": "reject"}


def test_a_bundle_written_anew_from_the_same_config_keeps_every_review(prt: CommandLine) -> None:
    review("arr")
    before = FROZEN.read_bytes()
    ended = prt("perturb", "prt.yaml")
    assert "3 reviews kept, of variants that came out the same" in ended.out
    assert FROZEN.read_bytes() == before
    said(prt, perturbations=[*CONFIG["perturbations"], "format"])  # type: ignore[misc] # a list
    assert "3 reviews kept" in prt("perturb", "prt.yaml").out
    assert len(reviews()) == 3


def test_reviews_of_a_damaged_bundle_are_kept_where_it_can_be_read_and_never_overwritten_where_not(
    prt: CommandLine,
) -> None:
    review("arr")
    whole = FROZEN.read_text()
    FROZEN.write_text(whole.replace('"seed":0', '"seed":5'))
    assert "3 reviews kept" in prt("perturb", "prt.yaml").out
    assert FROZEN.read_text() == whole
    FROZEN.write_text(whole.replace('"review":"accept"', '"review":"acept"'))
    ended = prt("perturb", "prt.yaml")
    assert ended.code == 2
    assert ended.err == (
        "prt: frozen.jsonl:3: review: expected one of an empty text, accept, reject, found 'acept'; it holds reviews, "
        "so it is not overwritten: mend the line, or move the file away\n"
    )


def test_a_damaged_bundle_without_reviews_is_written_anew(prt: CommandLine) -> None:
    FROZEN.write_text(FROZEN.read_text()[:-100])
    assert prt("perturb", "prt.yaml").code == 0
    assert prt("check", "prt.yaml").code == 0


def test_another_file_is_not_overwritten_by_a_bundle(prt: CommandLine) -> None:
    ended = prt("perturb", "--out", "mine.jsonl", "prt.yaml")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "prt: mine.jsonl: this file is no bundle, so it is not overwritten; name another file\n"
    assert [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()] == MINE


def test_an_older_bundle_can_be_reviewed(prt: CommandLine) -> None:
    old = read_bundle(FROZEN)
    write_carried(FROZEN, carried(earlier_variants(FROZEN), type(old)(old.seed, old.generators, old.variants, None)))
    assert b'"version":1' in FROZEN.read_bytes().partition(b"\n")[0]
    review("a")
    assert reviews() == {"s paraphrase.1": "accept"}
    assert prt("check", "prt.yaml").code == 0


def test_where_a_review_is_required_a_run_asks_what_was_accepted_and_counts_the_rest(prt: CommandLine) -> None:
    mine: Json = {"paraphrase": {"file": "mine.jsonl", "variants": 2, "review": "required"}}
    said(prt, perturbations=[mine])
    how = "`prt perturb --review prt.yaml`"
    last = prt("perturb", "prt.yaml").out.splitlines()[-1]
    wait = "3 of 3 applied variants that need a review wait for it"
    assert last == f"`review: required` is set: what nobody accepted is not asked ({wait}); {how} asks about it"
    review("ar")
    ended = prt("run", "prt.yaml", "--json")
    assert f"note: 1 variant waits for a review and is not asked: {how}" in " ".join(ended.err.split())
    assert ended.code == 0
    causes = {
        each["summary"]["condition"]: [(cause["cause"], cause["reason"], cause["n"]) for cause in each["left_out"]]
        for each in ended.json["conditions"]
    }
    assert causes == {
        "paraphrase.1": [("rejected", "not reviewed yet", 1)],
        "paraphrase.2": [
            ("rejected", "rejected by a reviewer", 1),
            ("rejected", "text: numbers differ: '30' is missing, '31' is new", 1),
        ],
    }
    assert "paraphrase.1: 1 rejected (not reviewed yet)" in prt("report").out


def test_without_a_terminal_it_is_said_what_to_do_instead(prt: CommandLine) -> None:
    ended = prt("perturb", "--review", "prt.yaml")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "prt: --review asks a person at a terminal, and this is none; write `accept` or `reject` as `review` into the "
        "lines of the bundle instead, by an editor or a script\n"
    )


@pytest.mark.parametrize("option", [["--stats"], ["--json"], ["--out", "x"], ["-n", "3"]])
def test_a_review_goes_with_no_other_output(prt: CommandLine, option: list[str]) -> None:
    ended = prt("perturb", "--review", *option, "prt.yaml")
    assert ended.code == 2
    assert "--review" in ended.err


def test_conditions_are_for_a_review(prt: CommandLine) -> None:
    ended = prt("perturb", "-c", "typo.1", "prt.yaml")
    assert ended.code == 2
    assert "--condition" in ended.err


@pytest.mark.parametrize(
    ("pressed", "keys"),
    [
        (b"ar", ["a", "r", END]),
        (b"\x1b[A\x1b[1;5Ca", ["\x1b[A", "\x1b[1;5C", "a", END]),
        (b"\x1bOAq\x1b", ["\x1bOA", "q", "\x1b", END]),
        ("é\n".encode(), ["é", "\n", END]),
    ],
)
def test_keys_are_told_apart_and_those_pressed_ahead_wait(pressed: bytes, keys: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, pressed)
    os.close(writing)
    read_key = Keys(reading)
    assert [read_key() for _ in keys] == keys
    os.close(reading)


def at_a_terminal(args: Sequence[str], keys: str) -> tuple[str, int]:
    """Run the command line on a pseudo terminal and press a key at each question."""
    import pty  # noqa: PLC0415 - Windows has none, and skips the tests that call this

    terminal, its_end = pty.openpty()
    # No fork of this process, which may have threads; the new one makes the terminal its own, so Ctrl-C reaches it.
    own = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
    process = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", own, sys.executable, "-m", "prt.runner", *args],
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(its_end)
    printed, pressed = b"", 0
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux says so that the other end was closed
            break
        if not chunk:
            break
        printed += chunk
        if printed.count(b"q quit ") > pressed and pressed < len(keys):
            os.write(terminal, keys[pressed].encode())
            pressed += 1
    code = process.wait(60)
    os.close(terminal)
    return printed.decode().replace("\r\n", "\n"), code


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal is wanted")
def test_the_command_reviews_at_a_terminal_and_writes_the_bundle_first_where_there_is_none(prt: CommandLine) -> None:
    FROZEN.unlink()
    printed, code = at_a_terminal(["perturb", "--review", "prt.yaml"], "arbsq")
    assert code == 0
    assert "frozen.jsonl: 8 variants frozen" in printed
    assert "3 variants: 1 accepted, 1 rejected, 1 not reviewed; saved in frozen.jsonl" in printed
    assert reviews() == {"s paraphrase.1": "accept", "s paraphrase.2": "reject"}
    assert prt("check", "prt.yaml").code == 0
    printed, code = at_a_terminal(["perturb", "--review", "prt.yaml"], "\x03")
    assert (code, "1 accepted, 1 rejected, 1 not reviewed" in printed) == (0, True)


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal is wanted")
def test_a_review_that_no_run_would_know_of_is_refused(prt: CommandLine) -> None:
    said(prt, bundle=None)
    printed, code = at_a_terminal(["perturb", "--review", "prt.yaml"], "")
    assert code == 2
    expected = "the config names no `bundle`, so no run would know of a review; add `bundle: prt.bundle.jsonl`"
    assert expected in " ".join(printed.split())


def test_a_line_that_can_not_be_read_is_named(prt: CommandLine) -> None:
    FROZEN.write_text(FROZEN.read_text().replace('"review":""', '"review":"maybe"', 1))
    ended = prt("check", "prt.yaml")
    assert ended.code == 2
    assert ended.err.startswith("prt: frozen.jsonl:2: review: expected one of an empty text, accept, reject, found")
    with pytest.raises(BundleError, match="it holds reviews"):
        earlier_variants(FROZEN)


PUTS = """
import sys, time
from pathlib import Path
from prt.runner.errors import UsageError
from prt.runner.review_file import ReviewFile

for number in map(int, sys.argv[2:]):
    while True:
        file = ReviewFile(Path(sys.argv[1]))
        try:
            file.put(number, "reject")
            break
        except UsageError as error:
            assert "was changed by someone else meanwhile" in str(error)
"""


@pytest.mark.usefixtures("prt")
def test_of_reviews_by_several_processes_at_once_none_is_lost() -> None:
    numbers = [at for at, each in enumerate(read_bundle(FROZEN).variants) if each.condition != "baseline"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", PUTS, str(FROZEN), *map(str, numbers[start::3])], env=env)  # noqa: S603 - ours
        for start in range(3)
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert [read_bundle(FROZEN).variants[at].review for at in numbers] == ["reject"] * len(numbers)
    assert not [*Path().glob(".*")]


@pytest.mark.usefixtures("prt")
def test_a_change_while_a_bundle_is_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def reading(path: Path, shown: str) -> Bundle:
        found = opened(path, shown)
        FROZEN.write_bytes(FROZEN.read_bytes() + b"\n")
        return found

    monkeypatch.setattr("prt.runner.review_file.opened", reading)
    file = ReviewFile(FROZEN)
    assert not file.is_current
    with pytest.raises(UsageError, match="was changed by someone else meanwhile"):
        file.put(1, "accept")
