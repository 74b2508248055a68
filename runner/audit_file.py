"""The sample of an audit as a table that a person fills in elsewhere, and that is read back."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..perturbations.canonical import canonical_hash
from ..perturbations.rendering.render import user_text
from .auditing import Case, CaseView, right_words
from .errors import Problem, ProblemsError, UsageError
from .graders.suspicion import KINDS
from .problems import SHOWN, counted, listed, quoted
from .reports.csv_text import defused
from .reports.text import visible
from .store.verdicts import JudgedReply, Verdict

COLUMNS = ("case", "verdict", "item", "condition", "repeat", "stands_out", "graded", "read", "right", "asked", "reply")
WORDS: dict[str, Verdict] = {
    "p": "pass", "pass": "pass", "right": "pass",
    "f": "fail", "fail": "fail", "wrong": "fail",
    "u": "none", "none": "none", "unread": "none",
}  # fmt: skip
"""What may stand in the column `verdict`, besides nothing."""


def case_id(run: str, reply: JudgedReply) -> str:
    """Name a case by a letter and digits that no spreadsheet changes."""
    place = [run, reply.item_id, reply.condition, reply.repeat, reply.reply_id]
    return f"c{canonical_hash('prt.case', place).hex()[:14]}"


def write_cases(path: Path, run: str, cases: Sequence[CaseView], said: Mapping[JudgedReply, Verdict]) -> None:
    """Write a sample, with what was said of it before.

    Raises:
        UsageError: The file is there already, or can't be written.
    """
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            table.writerows(_row(run, view, said.get(view.case.reply)) for view in cases)
    except FileExistsError:
        raise UsageError(f"{path} is there already, and may hold verdicts; name another file") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from None


def _row(run: str, view: CaseView, verdict: Verdict | None) -> list[str]:
    case, grade = view.case, view.grade
    texts = (
        case.reply.item_id,
        case.reply.condition,
        str(case.reply.repeat + 1),
        KINDS[case.kind],
        case.outcome,
        grade.extracted or "",
        right_words(view),
        user_text(view.variant.question, view.variant.layout),
        view.reply.text,
    )
    return [case_id(run, case.reply), verdict or "", *map(spreadsheet_cell, texts)]


def spreadsheet_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return defused(visible(text, keep="\n\t"))


def read_verdicts(path: Path, run: str, cases: Sequence[Case]) -> dict[JudgedReply, Verdict]:
    """Read what a person filled in; only the columns `case` and `verdict` are read.

    Args:
        path: The file.
        run: The run's id.
        cases: All grades of the run that can be audited.

    Returns:
        The verdicts; cases whose cell is empty have none.

    Raises:
        UsageError: The file can't be read, or is no such table.
        ProblemsError: Lines name no case of the run, hold no verdict, or contradict one another; nothing is kept then.
    """
    known = {case_id(run, case.reply): case.reply for case in cases}
    found: dict[JudgedReply, Verdict] = {}
    problems: list[Problem] = []
    for line, row in _rows(path):
        name, word = row["case"].strip(), row["verdict"].strip().lower()
        reply, verdict = known.get(name), WORDS.get(word)
        if reply is None:
            message = f"there is no case {quoted(name)} in {run}; its reply may have been replaced since"
            problems.append(Problem(message, str(path), line=line, key="case"))
        elif word and verdict is None:
            message = f"expected p, f, u or nothing, found {quoted(row['verdict'])}"
            problems.append(Problem(message, str(path), line=line, key="verdict"))
        elif verdict is not None and found.setdefault(reply, verdict) != verdict:
            message = f"the case {name} has another verdict in an earlier line; keep one"
            problems.append(Problem(message, str(path), line=line, key="verdict"))
    if problems:
        rest = [Problem(f"and {len(problems) - SHOWN} more lines", str(path))] if len(problems) > SHOWN else []
        raise ProblemsError(*problems[:SHOWN], *rest)
    return found


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Each row with the line on which it ends."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file, strict=True, restval="")
            missing = [name for name in ("case", "verdict") if name not in (table.fieldnames or ())]
            if missing:
                raise UsageError(
                    f"{path}: expected a table that `prt audit --out` has written, found no column {listed(missing)}"
                )
            return [(table.line_num, row) for row in table]
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no CSV in UTF-8: {error}; save it as one") from None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from None


def filled(count: int) -> str:
    """`12 verdicts`."""
    return counted(count, "verdict")
