"""Readers of replies, in the form of graders: so replies are kept, read and looked up again as those of a run are."""

from typing import ClassVar

from pydantic import JsonValue as Json

from ...perturbations.generators.paraphrase_llm import Proposal
from ...perturbations.generators.validators import VALIDATORS_VERSION, Rejection, first_rejection
from ...perturbations.question import Subject
from ..graders.base import Samples
from ..graders.status import Reading, grade_reply
from ..records import AnswerKey, Grade, Reply, Status
from ..store.runs import JUDGE, PARAPHRASER
from .replies import READER_VERSION, UnreadableError, read_paraphrase, read_verdict

UNREAD: tuple[Status, ...] = ("unparsed", "truncated", "refused")
SAME, OTHER = "same", "different"


class ProposalReader:
    """Reads the paraphrase in a reply; one that the validators let pass has passed."""

    name: ClassVar[str] = PARAPHRASER
    version: ClassVar[int] = READER_VERSION

    def __init__(self, protect: tuple[str, ...]) -> None:
        self._protect = protect

    def identity(self) -> dict[str, Json]:
        """Reader, validators, and what the user protects."""
        versions: dict[str, Json] = {"version": self.version, "validators": VALIDATORS_VERSION}
        return {"name": self.name, **versions, "protect": list(self._protect)}

    def samples(self, key: AnswerKey) -> Samples:  # noqa: ARG002 - a grader's own interface
        """None: no reply is known beforehand."""
        return Samples()

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """Read one reply."""
        item = key.item
        subject = Subject(item.id, item.question, gold=item.gold, protect=self._protect)

        def read(text: str) -> Reading:
            try:
                paraphrase = read_paraphrase(text, item.question.text)
            except UnreadableError as error:
                return Reading(None, found=False, reason=str(error))
            passed = first_rejection(subject, item.question.text, paraphrase) is None
            return Reading(passed, final=False, extracted=paraphrase)

        return grade_reply(reply, read, count_as_fail=UNREAD)


class VerdictReader:
    """Reads a judge's verdict; a proposal that asks the same has passed."""

    name: ClassVar[str] = JUDGE
    version: ClassVar[int] = READER_VERSION

    def identity(self) -> dict[str, Json]:
        """The reader's name and version."""
        return {"name": self.name, "version": self.version}

    def samples(self, key: AnswerKey) -> Samples:  # noqa: ARG002 - a grader's own interface
        """None: no reply is known beforehand."""
        return Samples()

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:  # noqa: ARG002 - a grader's own interface
        """Read one reply."""
        return grade_reply(reply, read_judgement, count_as_fail=UNREAD)


def read_judgement(text: str) -> Reading:
    """Read the verdict in a reply's text."""
    try:
        is_same = read_verdict(text)
    except UnreadableError as error:
        return Reading(None, found=False, reason=str(error))
    return Reading(is_same, extracted=SAME if is_same else OTHER)


def proposal(grade: Grade) -> Proposal:
    """What a paraphraser's reply proposes, by its grade; an objection where there is nothing to validate."""
    if grade.status == "graded":
        return Proposal(grade.extracted or "")
    if grade.status == "refused":
        return Proposal("", Rejection("not a refusal", grade.reason))
    validator = "answered" if grade.status == "error" else "readable"
    return Proposal("", Rejection(validator, grade.reason or grade.status))


def objection(grade: Grade) -> Rejection | None:
    """What a judge has against a proposal, by the grade of its reply; None where it finds that both ask the same."""
    if grade.status != "graded":
        return Rejection("judged", f"the judge gave no verdict: {grade.reason or grade.status}")
    return None if grade.passed else Rejection("same question", "the judge finds that it asks something else")
