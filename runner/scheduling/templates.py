"""The templates of schedulers' files."""

import shlex
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from .job import Job
from .quoting import systemd_file, systemd_line, systemd_word, yaml_text
from .writing import head


@cache
def _environment() -> Environment:
    # Their own marks, since GitHub's expressions and shells have the usual ones.
    made = Environment(
        loader=PackageLoader(__package__, "data"),
        autoescape=False,  # noqa: S701 - these are no HTML; each value passes the filter of its format
        undefined=StrictUndefined,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "yaml": yaml_text,
        "sh": shlex.quote,
        "word": systemd_word,
        "line": systemd_line,
        "file": systemd_file,
    }
    return made


def filled(template: str, job: Job, config: object, **values: object) -> str:
    """A file of a schedule.

    Args:
        template: Name of the template.
        job: What is scheduled.
        config: The config, as the file names it.
        values: What else the template takes.
    """
    return head(config) + _environment().get_template(f"{template}.j2").render(job=job, config=config, **values)
