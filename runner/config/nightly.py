"""The `nightly` section: what a night is compared with, how long its results are kept, and who is told of it."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from .models import CalledModel
from .section import Name, Section, VariableName, mistake

When = Literal["always", "change", "alarm"]
PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""Where a mail server listens, by how it is spoken to."""


def _address(text: str) -> str:
    if "@" not in text or not text.isprintable():
        raise mistake("expected an address such as `team@example.org`", show=True)
    return text


def _holds_an_address(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        # What was found may be the address itself, and is not repeated.
        raise mistake("expected the name of the environment variable that holds the address, such as `NIGHT_WEBHOOK`")
    return text


Address = Annotated[Name, AfterValidator(_address)]


class SinkSection(Section):
    """What all ways of telling share."""

    when: When = "change"
    """`always`; `change`: where the verdict, the model that answered, a failed gate or the baseline is not that of the
    night before, and whenever the exit code is not 0; `alarm`: only where the exit code is not 0, which is an alarm, a
    failed gate or an incomplete night."""


class SentSection(SinkSection):
    """What is sent over a network."""

    timeout_s: float = Field(default=20.0, gt=0, le=600)
    """Seconds that one attempt may take."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often it is tried again after a failure that may pass."""
    first_wait_s: float = Field(default=2.0, ge=0, le=600)
    """Seconds before the first retry; doubled each time, to a minute at most."""


class WebhookSink(SentSection):
    """A POST of JSON to an address."""

    url_env: Annotated[str, AfterValidator(_holds_an_address)]
    """Name of the environment variable that holds the address. Whoever knows the address of a webhook can post there,
    so it never stands in the file."""
    token_env: VariableName | None = None
    """Name of the environment variable that holds a token, sent as `Authorization: Bearer`; none where not given."""
    format: Literal["json", "slack"] = "json"
    """`json` is the digest with all its figures; `slack` is a message that Slack, Mattermost and the like show."""


class EmailSink(SentSection):
    """A mail by SMTP."""

    host: Name
    """The mail server."""
    port: int | None = Field(default=None, ge=1, le=65535)
    """Where it listens; 587 for `starttls`, 465 for `tls`, 25 for `none`, where not given."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection is encrypted; `none` is for a server on this machine, and goes without a password."""
    user: Name | None = None
    """Who logs in; no login where not given."""
    password_env: VariableName | None = None
    """Name of the environment variable that holds the password."""
    sender: Address
    """Address that the mail is from."""
    to: Annotated[list[Address], Field(min_length=1)]
    """Addresses that it goes to."""

    @model_validator(mode="after")
    def _a_login_is_whole_and_hidden(self) -> Self:
        if (self.user is None) != (self.password_env is None):
            given, lacking = ("user", "password_env") if self.password_env is None else ("password_env", "user")
            raise mistake(f"a login has `user` and `password_env`; add `{lacking}`, or leave this out", key=given)
        if self.user is not None and self.security == "none":
            raise mistake("a password is not sent without encryption; take `starttls` or `tls`", key="security")
        return self

    @property
    def served_at(self) -> int:
        """The port."""
        return PORTS[self.security] if self.port is None else self.port


class FileSink(SinkSection):
    """A file."""

    path: Name
    """The file, relative to the config file; its folder must be there."""
    format: Literal["jsonl", "markdown"] = "jsonl"
    """`jsonl` adds a line of JSON for each night; `markdown` writes the digest anew, so that the file is the
    last one."""
    when: When = "always"
    """As for the others."""


class NotifyConfig(Section):
    """One way of telling; each entry of the list has one of these keys."""

    webhook: WebhookSink | None = None
    """A POST of JSON."""
    email: EmailSink | None = None
    """A mail."""
    file: FileSink | None = None
    """A file."""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        given = [key for key in type(self).model_fields if getattr(self, key) is not None]
        if len(given) != 1:
            found = " and ".join(f"`{key}`" for key in given) or "nothing"
            raise mistake(f"an entry is one of `webhook`, `email` and `file`, found {found}; give each its own `-`")
        return self

    @property
    def sink(self) -> WebhookSink | EmailSink | FileSink:
        """The one that is given."""
        found = self.webhook or self.email or self.file
        if found is None:
            raise ValueError("an entry without a sink")
        return found


class NightlyConfig(Section):
    """How `prt night` decides, what it keeps, and whom it tells. The level is `analysis.alpha`, over all nights."""

    baseline: Name | None = None
    """Name of the baseline that nights are compared with (`prt baseline set NAME RUN`); the run's `name` where not
    given. Where none is pinned, the first complete night is."""
    reference: Literal["stored", "fresh"] = "stored"
    """`stored` compares with the pinned baseline; `fresh` with `reference_model`, asked anew each night."""
    reference_model: CalledModel | None = None
    """fresh: a model that is meant to be the same system as `model`, such as a dated snapshot beside its alias."""
    nights: int | None = Field(default=None, ge=1)
    """stored: how many nights there will be until another baseline is pinned, where that is known: each is decided at
    alpha/nights. Where it is not given, night t is decided at alpha·6/(π²t²), which adds up to alpha over endless
    nights."""
    resume_h: float = Field(default=20.0, gt=0, le=168)
    """Hours after its beginning within which a night that was cut off is gone on with; later a new one begins."""
    keep: int | None = Field(default=None, ge=2)
    """How many nights keep their replies and grades: older ones are removed after each night, as `prt store prune
    --keep-nights` does for this series. All are kept where not given. History and pinned baselines always stay."""
    notify: list[NotifyConfig] = Field(default_factory=list)
    """Who is told, and how: `webhook`, `email` and `file`, as many as you like."""

    @model_validator(mode="after")
    def _a_fresh_reference_has_a_model(self) -> Self:
        if self.reference == "fresh" and self.reference_model is None:
            raise mistake("a fresh reference needs `reference_model`: the model that is asked beside", key="reference")
        if self.reference == "stored":
            if self.reference_model is not None:
                raise mistake("this is for `reference: fresh`; add that, or leave this out", key="reference_model")
            return self
        for key in ("baseline", "nights"):
            if getattr(self, key) is not None:
                raise mistake("this is for `reference: stored`; leave it out", key=key)
        return self
