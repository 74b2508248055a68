"""What an audit came to, and one case of it as a person is shown it."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...perturbations.rendering.render import user_text
from ...stats import Estimate
from ..auditing import Audit, CaseView, right_words
from ..findings import Answer
from ..graders.suspicion import KINDS
from .items import read_in
from .regraded import grader_words, how_graded
from .tables import narrow_table
from .text import UNKNOWN, percent, percent_interval, visible
from .variants import indented

PROMPT_SHOWN = 2000
"""Characters of a prompt that are shown, from its end, where the question stands."""
SHARES = {
    "wrong": "grades that are wrong",
    "false_passes": "pass what should not",
    "false_fails": "do not pass what should",
}


def print_audit(audit: Audit, console: Console) -> None:
    """Print what an audit came to."""
    for block in _blocks(audit):
        console.print(block)


def audit_json(audit: Audit) -> str:
    """Write what an audit came to as JSON, two spaces deep."""
    kinds = [{**asdict(each), "meaning": KINDS[each.kind]} for each in audit.kinds]
    return json.dumps({**asdict(audit), "kinds": kinds, "unjudged": audit.unjudged}, indent=2, allow_nan=False)


def _blocks(audit: Audit) -> Iterator[RenderableType]:
    replies = sum(each.replies for each in audit.kinds)
    judged = sum(each.judged for each in audit.kinds)
    grader = grader_words({"name": audit.grader, **audit.parameters}, {"name": audit.grader})
    yield Text(f"{visible(audit.run)} · graded by {visible(grader)}", style="bold")
    yield Text(f"{judged} of {replies} graded replies are judged by a person.")
    if audit.judged_elsewhere:
        more = "1 more was" if audit.judged_elsewhere == 1 else f"{audit.judged_elsewhere} more were"
        yield Text(
            f"{more} judged while another grader counted in this run. `prt audit` takes over "
            "what was said of those that it draws; `prt grade --use` goes back to that grader."
        )
    yield Text()
    yield _kinds(audit)
    if audit.unjudged:
        names = "; ".join(KINDS[kind] for kind in audit.unjudged)
        yield Text(f"\nNo share is estimated before each kind has been judged; none is yet of: {names}.")
    elif judged:
        yield Text()
        yield _shares(audit, replies)
        yield Text(f"\nMethod: {audit.wrong.method}; kinds count by how many replies of the run are of them.")
    if audit.misread:
        yield Text(
            f"{audit.misread} of those judged rightly did not pass, but as a wrong answer instead of none, or as none."
        )
    if audit.left_out:
        told = ", ".join(f"{n} {why.replace('_', ' ')}" for why, n in audit.left_out.items())
        yield Text(f"Not audited, since there is nothing to judge: {told}.")


def _kinds(audit: Audit) -> Table:
    table = narrow_table()
    table.add_column("what stands out", overflow="fold")
    for heading in ("replies", "judged", "wrong"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in audit.kinds:
        wrong = str(each.wrong) if each.judged else UNKNOWN
        table.add_row(KINDS[each.kind], str(each.replies), str(each.judged), wrong)
    return table


def _shares(audit: Audit, replies: int) -> Table:
    table = narrow_table()
    table.add_column(f"of all {replies} graded replies", overflow="fold")
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column(f"{100 * (audit.wrong.level or 0):.0f}% interval", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    for name, words in SHARES.items():
        figure: Estimate = getattr(audit, name)
        table.add_row(words, percent(figure.estimate), percent_interval(figure), str(figure.n))
    return table


def case_blocks(view: CaseView) -> Iterator[RenderableType]:
    """One case: what was asked, what is right, how the reply was read, and the reply with the answer marked."""
    grade, reply = view.grade, view.case.reply
    repeat = f" · repeat {reply.repeat + 1}" if reply.repeat else ""
    prompt = visible(user_text(view.variant.question, view.variant.layout))
    cut = "… " if len(prompt) > PROMPT_SHOWN else ""
    yield Text(f"{visible(reply.item_id)} · {visible(reply.condition)}{repeat}", style="bold")
    yield indented(Text("asked", style="bold"), 2)
    yield indented(Text(f"{cut}{prompt[-PROMPT_SHOWN:]}"))
    yield indented(Text(f"right: {visible(right_words(view))}", style="bold"), 2)
    yield indented(Text("reply", style="bold"), 2)
    yield indented(read_in(Answer(view.reply.text, grade.passed, grade.status, grade.extracted, span=grade.span)))
    yield indented(Text(f"graded: {how_graded(grade)} · {KINDS[view.case.kind]}"), 2)
