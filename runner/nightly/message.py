"""What a night tells those who are to know, in every form that a sink sends."""

from dataclasses import dataclass, field

from pydantic import JsonValue as Json


@dataclass(frozen=True, slots=True)
class Message:
    """A digest, ready to be sent; secrets are masked in all of it.

    Attributes:
        subject: One line.
        text: The digest as plain text.
        markdown: The same as Markdown.
        slack: The same in the marks of Slack.
        data: The same for programs.
        exit_code: That of the night.
        changed: Whether anything is not as it was the night before.
        page: A page of HTML that says the same, for mails; empty for none.
        kept: Whether there is a night, which stays stored whatever becomes of this message.
    """

    subject: str
    text: str
    markdown: str
    slack: str
    data: dict[str, Json] = field(default_factory=dict)
    exit_code: int = 0
    changed: bool = True
    page: str = ""
    kept: bool = True

    def is_for(self, when: str) -> bool:
        """Whether a sink that is told `always`, at a `change` or at an `alarm` is told of this."""
        return when == "always" or self.exit_code != 0 or (when == "change" and self.changed)
