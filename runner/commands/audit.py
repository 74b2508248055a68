"""`prt audit`: a person judges a sample of a run's grades, and how often they are wrong is estimated."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..audit_file import filled, read_verdicts, write_cases
from ..auditing import Case, CaseView, Graded, concluded, drawn, graded_cases, views
from ..errors import UsageError
from ..problems import counted
from ..reports.audited import audit_json, case_blocks, print_audit
from ..reports.flips import command_line
from ..reports.text import visible
from ..store.database import Store, open_store
from ..store.read import StoredRun, load_run
from ..store.runs import refuse_without_texts
from ..store.verdicts import JudgedReply, Verdict, of_replies, put_verdicts, verdicts_on, verdicts_on_others
from . import dialogue
from .keyboard import ReadKey, single_keys
from .printing import counting, output_console

ANSWERS: dict[str, Verdict] = {"p": "pass", "f": "fail", "u": "none"}
SAID: dict[Verdict, str] = {"pass": "right answer", "fail": "wrong answer", "none": "no answer"}
KEYS = f"p right answer · f wrong answer · u no answer · {dialogue.LATER}"


def audit_command(
    run: str,
    *,
    n: int,
    seed: int,
    out: Path | None,
    read: Path | None,
    report: bool,
    store: str,
    as_json: bool,
) -> None:
    """Let a person judge a sample of a run's grades, and print how often they are wrong.

    Args:
        run: A run's id or its beginning, its name, or `latest`.
        n: How many replies are drawn.
        seed: Decides which.
        out: Write the sample here, to be judged elsewhere, and ask nobody.
        read: Read verdicts from here, and ask nobody.
        report: Ask nobody; tell what was judged so far.
        store: Results database.
        as_json: Print JSON, and ask nobody.

    Raises:
        PrtError: What the user can act on.
    """
    asks = not (out or read or report or as_json)
    if asks:
        dialogue.refuse_without_terminal(
            "prt audit", "write the sample by --out FILE, fill in its column `verdict`, and read it by --from FILE"
        )
    with open_store(store, may_create=False) as opened:
        stored = load_run(opened, run)
        cells = stored.replied()
        with counting(Console(stderr=True, highlight=False), "looking through the grades", cells) as on_done:
            graded = graded_cases(stored, on_done=on_done)
        if not graded.cases:
            raise UsageError(f"{stored.record.id} has no graded replies yet, so there is nothing to audit.")
        if read:
            put_verdicts(opened, stored.record, read_verdicts(read, stored.record.id, graded.cases))
        if out or asks:
            refuse_without_texts(stored.record)
            sample = drawn(graded, n=n, seed=seed)
            take_over(opened, stored, sample)
            if out:
                written(stored, out, sample, opened)
                return
            with single_keys() as read_key, suppress(KeyboardInterrupt):  # all answers are saved by then
                judge(opened, stored, sample, Console(highlight=False), read_key)
        conclude(opened, stored, graded, as_json=as_json)


def take_over(store: Store, run: StoredRun, sample: tuple[Case, ...]) -> None:
    """Count what was said of the same replies while another grader was under audit."""
    replies = [case.reply for case in sample]
    own = verdicts_on(store, run.record)
    earlier = of_replies(verdicts_on_others(store, run.record), replies)
    put_verdicts(store, run.record, {reply: said for reply, said in earlier.items() if reply not in own})


def written(run: StoredRun, out: Path, sample: tuple[Case, ...], store: Store) -> None:
    """Write a sample to a file, and say what to do with it."""
    shown = views(run, sample)
    said = verdicts_on(store, run.record)
    write_cases(out, run.record.id, [shown[case.reply] for case in sample], said)
    done = sum(case.reply in said for case in sample)
    sys.stdout.write(
        f"wrote {visible(str(out))}: {counted(len(sample), 'case')}, {done} of them judged before\n"
        "Write p (it answers right), f (it answers wrong) or u (it gives no answer) into its column `verdict`; read "
        f"it by: {command_line('audit', run.record.id, '--from', str(out), store=store.place)}\n"
    )


def judge(store: Store, run: StoredRun, sample: tuple[Case, ...], console: Console, read_key: ReadKey) -> None:
    """Show one case after the other, and store each answer at once."""
    shown = views(run, sample)
    said = dict(verdicts_on(store, run.record))

    def ask(at: int) -> str:
        view = shown[sample[at].reply]
        show(view, said, f"{at + 1} of {len(sample)}", console)
        key = dialogue.answer(console, read_key, KEYS, {key: SAID[verdict] for key, verdict in ANSWERS.items()})
        if key in ANSWERS:
            said[view.case.reply] = ANSWERS[key]
            put_verdicts(store, run.record, {view.case.reply: ANSWERS[key]})
        return key

    dialogue.walk(len(sample), ask, lambda at: sample[at].reply not in said)


def show(view: CaseView, said: Mapping[JudgedReply, Verdict], place: str, console: Console) -> None:
    """Show a case, and what was said of it so far."""
    verdict = said.get(view.case.reply)
    console.rule(style="dim")
    console.print(Text(f"{place}{f' · {SAID[verdict]} so far' if verdict else ''}", style="dim"))
    for block in case_blocks(view):
        console.print(block)


def conclude(store: Store, run: StoredRun, graded: Graded, *, as_json: bool) -> None:
    """Print what was judged so far, and what it says of all grades."""
    said = verdicts_on(store, run.record)
    audit = concluded(run, graded, said, elsewhere=verdicts_on_others(store, run.record).keys())
    if as_json:
        sys.stdout.write(audit_json(audit) + "\n")
        return
    console = output_console()
    print_audit(audit, console)
    console.print(Text(f"\n{filled(len(said))} in {store.place}; the grades are as they were."))
