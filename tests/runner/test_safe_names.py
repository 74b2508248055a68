"""A name of a file is one that Windows, macOS and Linux take alike, whatever text it is made from."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.safe_names import own_name, safe_name
from prt.runner.store.runs import run_id

DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE | re.DOTALL)
FORBIDDEN = set('<>:"/\\|?*') | {chr(code) for code in range(32)}
NASTY = st.text(alphabet=st.sampled_from('conCOM1lptNUL.. -_/\\:*?"<>|\x00\nä日🙂')) | st.text()
MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def taken_by_windows(name: str) -> bool:
    """Whether Windows makes just this file of the name."""
    usual = bool(name) and not FORBIDDEN & set(name) and not name.endswith((".", " "))
    return usual and not DEVICE.fullmatch(name.strip())


@given(NASTY, st.integers(1, 30))
def test_a_safe_name_is_one_that_windows_takes(text: str, length: int) -> None:
    name = safe_name(text, otherwise="run", length=length)
    assert taken_by_windows(name)
    assert taken_by_windows(f"{name}.html")
    assert not name.startswith((".", "-"))
    assert name.isascii()


def test_a_name_that_only_loses_what_no_system_takes_may_still_be_a_device() -> None:
    """The twin that is wrong: forbidden characters alone are taken out."""
    wrong = "".join(char for char in 'con:"' if char not in FORBIDDEN)
    assert not taken_by_windows(wrong)
    assert safe_name('con:"', otherwise="run") == "con_"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ticket triage", "ticket-triage"),
        ("CON", "CON_"),
        ("nul.v2", "nul_.v2"),
        ("com1", "com1_"),
        ("CONOUT$", "CONOUT_"),
        ("console", "console"),
        ("../../etc/passwd", "etc-passwd"),
        ("report. ", "report"),
        ("日本", "run"),
        ("", "run"),
    ],
)
def test_names_keep_what_they_can(text: str, name: str) -> None:
    assert safe_name(text, otherwise="run") == name


@given(NASTY, NASTY)
def test_two_texts_have_names_that_differ_in_more_than_their_case(one: str, other: str) -> None:
    names = [own_name(text, otherwise="series") for text in (one, other, other.swapcase())]
    assert all(map(taken_by_windows, names))
    assert (names[0].lower() == names[1].lower()) == (one == other)
    assert (names[1].lower() == names[2].lower()) == (other == other.swapcase())


def test_a_name_that_is_safe_and_small_is_kept_and_others_are_told_apart() -> None:
    assert own_name("triage.v2", otherwise="series") == "triage.v2"
    named = {
        text: own_name(text, otherwise="series") for text in ("Triage", "ticket triage", "ticket-triage", "日本", "")
    }
    assert {text: name[:-9] for text, name in named.items() if name != text} == {
        "Triage": "Triage",
        "ticket triage": "ticket-triage",
        "日本": "series",
        "": "series",
    }


@pytest.mark.parametrize("name", ["con.v1", "NUL", "a" * 300, "..", "quickstart"])
def test_the_id_of_a_run_names_a_file_on_every_system(name: str, tmp_path: Path) -> None:
    made = run_id(name, MOMENT, "3fa9")
    assert taken_by_windows(made)
    (tmp_path / f"{made}.html").write_text("", encoding="utf-8")
