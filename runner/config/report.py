"""The `report` section: the page that a run writes beside what it prints."""

from pydantic import Field

from .section import Name, Section


class ReportConfig(Section):
    """The report as a page in HTML: one file, which opens without network."""

    html: bool | Name = True
    """Whether `prt run` writes it, or where: a file (`….html`), or a folder for a file a run, relative to the config
    file. `true`: `prt-reports/RUN-ID.html` beside the results database, or in the working directory where that is a
    server. `--html`, `--no-html` and the environment variable `PRT_HTML` (1 or 0) overrule it."""
    texts_mb: float = Field(default=2.0, ge=0, le=200)
    """How many million characters of prompts and replies the page may hold, for its explorer; the items that flip most
    come first, then those with unread answers. 0 leaves all texts out."""
