"""Texts as the files of schedulers hold them, each by the rules of its format."""

import json
import re
import shlex

MOST_OF_CRON = 900
"""Characters of a command that every cron takes; Debian's takes 1000."""
_OF_PATTERNS = re.compile(r"[*?\[\\]")


def yaml_text(text: str) -> str:
    """A text as a double-quoted scalar of YAML, which JSON's strings are."""
    return json.dumps(text, ensure_ascii=False)


def systemd_line(text: str) -> str:
    """A path after `WorkingDirectory=`, which is the rest of the line; `%` begins a specifier there."""
    return text.replace("%", "%%")


def systemd_file(text: str) -> str:
    """A path after `EnvironmentFile=`, which is a pattern of names of files."""
    return systemd_line(_OF_PATTERNS.sub(r"\\\g<0>", text))


def systemd_word(text: str) -> str:
    """A word of a command in `ExecStart=:`, where no variable is filled in."""
    return '"' + systemd_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def cron_command(*words: str) -> str:
    """A command of a crontab: in the shell's words, with each `%`, which is a line break there, escaped."""
    return shlex.join(words).replace("%", "\\%")
