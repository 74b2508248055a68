"""The digest of a night: only what matters in the morning, in a form for each place where it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ...stats import Estimate
from ..masking import masked, masked_json
from ..nightly.deciding import numbers_of
from ..nightly.message import Message
from ..nightly.summary import Against, Asked, Decision, JudgeAsked, NightSummary, summary_json
from ..problems import counted
from .markdown_text import plain
from .text import one_line, p_value, percent, percent_interval, points, points_interval, visible
from .usage import money

FLIPS_NAMED, CONDITIONS_NAMED, GATES_NAMED = 5, 3, 3
FLIPS_SENT = 200
"""Flips that are sent to programs at most; the store has all of them."""
LONGEST_NAME = 60
VERDICTS = {
    "first": "the first night, so there is nothing to compare with yet",
    "quiet": "quiet, nothing is proven worse",
    "alarm": "ALARM, proven worse",
    "incomplete": "INCOMPLETE, nothing is decided",
}
SAME_VERDICT = frozenset(
    {("first", "quiet"), ("first", "first"), ("quiet", "quiet"), ("alarm", "alarm"), ("incomplete", "incomplete")}
)
JSON_VERSION = 1


@dataclass(frozen=True, slots=True)
class Digest:
    """A night in a few lines.

    Attributes:
        series: The series.
        night: The night's number.
        title: Series, night, date and verdict.
        facts: What there is to say, each with a word for what it is about.
        commands: Commands that show more.
    """

    series: str
    night: int
    title: str
    facts: tuple[tuple[str, str], ...]
    commands: tuple[str, ...]


def digest_of(summary: NightSummary, previous: NightSummary | None, commands: Sequence[str] = ()) -> Digest:
    """Say what there is to say of a night.

    Args:
        summary: The night.
        previous: The one before it; None for the first one.
        commands: Commands that show more.
    """
    verdict = VERDICTS[summary.verdict]
    if summary.verdict == "quiet" and summary.failed_gates:
        verdict = "a GATE FAILED"
    shown = tuple(visible(command, keep="") for command in commands)
    date = summary.started_at[:10]
    title = f"{visible(summary.series)}, night {summary.night} ({date}): {verdict}"
    return Digest(summary.series, summary.night, title, tuple(_facts(summary, previous)), shown)


def changes(summary: NightSummary, previous: NightSummary | None) -> list[str]:
    """What is not as it was the night before, a sentence each; empty for a first night."""
    if previous is None:
        return []
    found = []
    if (previous.verdict, summary.verdict) not in SAME_VERDICT:
        found.append(f"the verdict was {previous.verdict}")
    if summary.resolved_models != previous.resolved_models:
        found.append(f"{_names(summary.resolved_models)} answered, before {_names(previous.resolved_models)}")
    if summary.fingerprints != previous.fingerprints:
        found.append(
            f"the system fingerprint is {_names(summary.fingerprints)}, before {_names(previous.fingerprints)}"
        )
    if summary.reference_run != previous.reference_run and summary.reference_key != previous.reference_key:
        found.append("it is held against another baseline")
    failing, failed = ({each.gate for each in night.failed_gates} for night in (summary, previous))
    found += [f"the gate {visible(gate)} fails now" for gate in sorted(failing - failed)]
    found += [f"the gate {visible(gate)} fails no more" for gate in sorted(failed - failing)]
    return found


def _names(names: Sequence[str]) -> str:
    return " and ".join(one_line(name, LONGEST_NAME) for name in names) or "one without a name"


def _facts(summary: NightSummary, previous: NightSummary | None) -> Iterator[tuple[str, str]]:
    if summary.verdict == "incomplete":
        yield "why", f"{visible(summary.reason)}. The same command goes on with this night."
    if summary.decision is not None and summary.reference is not None:
        yield "proven?", proof(summary.decision, summary.reference)
    elif summary.pinned:
        yield "baseline", f"this night is pinned as the baseline {visible(summary.baseline)!r} of those to come"
    yield "rates", rates(summary)
    if summary.last_night is not None:
        yield "last night", against_words(summary.last_night)
    yield from _causes(summary)
    if changed := changes(summary, previous):
        yield "changed", "; ".join(changed)
    if summary.first_flips:
        yield "new flips", flips(summary)
    if summary.failed_gates:
        said = [f"{visible(each.gate)}: {visible(each.reason)}" for each in summary.failed_gates]
        yield "gates", _listed(said, GATES_NAMED, "; ")
    yield from _missing(summary)
    yield "took", took(summary)
    for note in dict.fromkeys((*(summary.reference.notes if summary.reference else ()), *summary.notes)):
        yield "note", visible(note)


def _causes(summary: NightSummary) -> Iterator[tuple[str, str]]:
    """What is worse by this night alone: the causes of an alarm, or a hint where all nights together prove nothing."""
    worse = [each for each in summary.conditions if each.verdict == "regressed"]
    said = [] if summary.reference is None else [visible(cause) for cause in summary.reference.causes]
    if worse:
        changes_of = [f"{_name(each.condition)} {change(each.change)}" for each in worse]
        said.append(f"Conditions: {_listed(changes_of, CONDITIONS_NAMED)}.")
    if said and summary.verdict == "alarm":
        yield "where", " ".join(said)
    elif said:
        yield "hint", f"by this night alone, which is no proof over all nights: {' '.join(said)}"


def proof(decision: Decision, reference: Against) -> str:
    """Whether it is proven: p, what it is held against at this look, and the change with its interval."""
    p = p_value(decision.pvalue)
    held = f"p {p if p.startswith('<') else f'= {p}'} {'≤' if decision.alarm else '>'} {level(decision.level)}"
    which = f"look {decision.look} of alpha {decision.alpha:g}"
    rule = f"{held} ({which}; {decision.method})"
    if decision.e_value is not None:
        units = f"{decision.total_worse} worse and {decision.total_better} better so far"
        rule = f"{held} ({which}; {decision.method}; {units})"
    words = f"{'yes' if decision.alarm else 'no'}: {against_words(reference)}; {rule}"
    if not decision.decidable:
        words += f"; too few to be proven at this look: it takes {decision.fewest} that get worse, of {decision.units}"
    return words


def level(share: float) -> str:
    """`.0304`; a small one in powers of ten."""
    return f"{share:.4f}".removeprefix("0") if share >= 0.001 else f"{share:.1e}"


def against_words(against: Against) -> str:
    """`−1.2 points (−3.4 to 0.9) against baseline, n = 200`."""
    return f"{change(against.change)} against {_name(against.name)}, n = {against.change.n}"


def change(figure: Estimate) -> str:
    """`−1.2 points (−3.4 to 0.9)`."""
    interval = points_interval(figure)
    return f"{points(figure.estimate)} points" + (f" ({interval})" if interval else "")


def rates(summary: NightSummary) -> str:
    """The pass rates of the originals, and under every wording."""
    parts = []
    for name, figure in (("originals", summary.baseline_rate), ("under every wording", summary.robust_rate)):
        interval = percent_interval(figure)
        parts.append(
            f"{name} {percent(figure.estimate)}" + (f" ({interval})" if interval else "") + f", n = {figure.n}"
        )
    return "; ".join(parts)


def flips(summary: NightSummary) -> str:
    """The items with results that were never seen before, those that fail now first."""
    by_item: dict[tuple[bool, str], list[str]] = {}
    for flip in summary.first_flips:
        by_item.setdefault((flip.passes, flip.item_id), []).append(_name(flip.condition))
    said = [
        f"{_name(item)} {'passes' if passes else 'fails'} under {_listed(names, CONDITIONS_NAMED)}"
        for (passes, item), names in sorted(by_item.items(), key=lambda each: each[0][0])
    ]
    items = len({flip.item_id for flip in summary.first_flips})
    failing = sum(not flip.passes for flip in summary.first_flips)
    results = counted(len(summary.first_flips), "result")
    named = _listed(said, FLIPS_NAMED, "; ")
    return f"{counted(items, 'item')} with {results} never seen before ({failing} now fail): {named}"


def _missing(summary: NightSummary) -> Iterator[tuple[str, str]]:
    asked = summary.asked
    said = [f"{asked.missing:,} of {asked.cells:,} cells have no result"] if asked.missing else []
    if unread := numbers_of(asked.statuses):
        said.append(unread)
    if said:
        yield "missing", "; ".join(said)


def took(summary: NightSummary) -> str:
    """Calls, tokens and cost; where answers were judged, of the model under test, of the judge, and of both."""
    asked, judge = summary.asked, summary.asked.judge
    said = _took(asked, asked.currency)
    if judge is None:
        return said
    unknown = f", cost of the judge not known: {visible(judge.no_cost)}" if judge.no_cost else ""
    parts = [said, f"judge: {_took(judge, asked.currency)}{unknown}"]
    if asked.cost is not None and judge.cost is not None:
        parts.append(f"together {money(asked.cost + judge.cost, asked.currency)}")
    return "; ".join(parts)


def _took(asked: Asked | JudgeAsked, currency: str) -> str:
    parts = [f"{asked.calls:,} calls"]
    if asked.prompt_tokens or asked.completion_tokens:
        parts.append(f"{asked.prompt_tokens:,} tokens in, {asked.completion_tokens:,} out")
    if asked.cost is not None:
        parts.append(money(asked.cost, currency))
    return ", ".join(parts)


def _name(text: str) -> str:
    return one_line(text, LONGEST_NAME)


def _listed(texts: Sequence[str], shown: int, joint: str = ", ") -> str:
    more = f" and {len(texts) - shown} more" if len(texts) > shown else ""
    return joint.join(texts[:shown]) + more


def digest_text(digest: Digest) -> str:
    """The digest as plain text."""
    wide = max((len(word) for word, _ in digest.facts), default=0)
    lines = [digest.title, *(f"  {word.ljust(wide)}  {said}" for word, said in digest.facts)]
    return "\n".join([*lines, *(f"  {'look'.ljust(wide)}  {command}" for command in digest.commands)]) + "\n"


def digest_markdown(digest: Digest) -> str:
    """The digest as Markdown; foreign text is escaped."""
    lines = [f"### {plain(digest.title)}", "", *(f"- **{plain(word)}** {plain(said)}" for word, said in digest.facts)]
    commands = "\n".join(digest.commands)
    return "\n".join([*lines, *(["", "```console", commands, "```"] if commands else [])]) + "\n"


def digest_slack(digest: Digest) -> str:
    """The digest in Slack's marks; nobody is called by what a dataset holds."""
    lines = [f"*{slack_text(digest.title)}*", *(f"• *{word}* {slack_text(said)}" for word, said in digest.facts)]
    return "\n".join([*lines, *(f"`{slack_text(command)}`" for command in digest.commands)])


def slack_text(text: str) -> str:
    """A text that is no mark and no mention in Slack and what understands its messages."""
    for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", "@\u200b"), ("`", "'"), ("*", "∗")):
        text = text.replace(sign, written)
    return text


def message_of(
    digest: Digest, summary: NightSummary, previous: NightSummary | None, *, page: str = "", files: Sequence[str] = ()
) -> Message:
    """What sinks are told of a night.

    Args:
        digest: Its digest.
        summary: The night.
        previous: The one before.
        page: A page of HTML that says the same.
        files: The reports that were written.
    """
    text = masked(digest_text(digest))
    return Message(
        subject=masked(f"prt: {digest.title}"),
        text=text,
        markdown=masked(digest_markdown(digest)),
        slack=masked(digest_slack(digest)),
        data=digest_json(digest, summary, previous, files=files),
        exit_code=summary.exit_code,
        changed=previous is None or bool(changes(summary, previous)),
        page=masked(page),
    )


def digest_json(
    digest: Digest, summary: NightSummary, previous: NightSummary | None, *, files: Sequence[str] = ()
) -> dict[str, Json]:
    """The digest for programs: the words, and every figure of the night."""
    night = summary_json(summary)
    found = night["first_flips"]
    night["first_flips"] = found[:FLIPS_SENT] if isinstance(found, list) else found
    value: dict[str, Json] = {
        "event": "prt.night",
        "schema_version": JSON_VERSION,
        "title": digest.title,
        "text": digest_text(digest),
        "exit_code": summary.exit_code,
        "changes": list(changes(summary, previous)),
        "commands": list(digest.commands),
        "files": list(files),
        "first_flips_in_all": len(summary.first_flips),
        "night": night,
    }
    sent = masked_json(value)
    return sent if isinstance(sent, dict) else value


def failure_message(series: str, reason: str, exit_code: int) -> Message:
    """What sinks are told of a night that could not be run.

    Args:
        series: The series.
        reason: Why.
        exit_code: That of the command.
    """
    facts = (("why", visible(masked(reason))),)
    digest = Digest(series, 0, f"{visible(series)}: the night could not be run", facts, ())
    text = digest_text(digest)
    data: dict[str, Json] = {
        "event": "prt.night_failed",
        "schema_version": JSON_VERSION,
        "title": digest.title,
        "text": text,
        "exit_code": exit_code,
    }
    slack = digest_slack(digest)
    return Message(f"prt: {digest.title}", text, digest_markdown(digest), slack, data, exit_code=exit_code, kept=False)
