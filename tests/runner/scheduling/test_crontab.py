"""The crontab of a user: our block is put in, changed and taken out, and every other byte stays."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.errors import UsageError
from prt.runner.scheduling.crontab import block, block_of, with_block, without_block

from ..command_line import CommandLine
from .test_files import CONFIG

FOREIGN = (
    b"# m h dom mon dow command\nMAILTO=me@example.org\n0 4 * * * backup --to '100\\%'\n\t\n# \xff\xe4\n@daily x\n"
)
TABLES = st.one_of(
    st.binary(max_size=60).filter(lambda table: b"prt schedule" not in table).map(lambda table: table + b"\n"),
    st.sampled_from([b"", FOREIGN, block("other", ["0 1 * * * x"]), FOREIGN + block("ab", ["1 1 * * * y"]) + FOREIGN]),
)
LINES = st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), max_size=3)


@given(TABLES, LINES, LINES)
def test_a_block_comes_and_goes_and_leaves_all_else_as_it_was(
    table: bytes, lines: list[str], others: list[str]
) -> None:
    first, second = block("a", lines), block("a", others)
    once = with_block(table, "a", first)
    assert block_of(once, "a") == first
    assert with_block(once, "a", first) == once
    twice = with_block(once, "a", second)
    assert block_of(twice, "a") == second
    assert without_block(once, "a") == without_block(twice, "a") == table
    assert without_block(table, "a") == table


@given(TABLES, st.binary(max_size=40).filter(lambda rest: b"prt schedule" not in rest))
def test_a_block_that_is_changed_stays_where_it_is(table: bytes, rest: bytes) -> None:
    around = (table, rest)
    changed = with_block(block("a", ["0 2 * * * x"]).join(around), "a", block("a", ["0 3 * * * x"]))
    assert changed == block("a", ["0 3 * * * x"]).join(around)


@pytest.mark.parametrize(
    "table",
    [
        b"# BEGIN prt schedule a\n0 2 * * * x\n",
        b"0 2 * * * x\n# END prt schedule a\n",
        b"# END prt schedule a\n# BEGIN prt schedule a\n",
        block("a", ["x"]) * 2,
    ],
    ids=["no end", "no beginning", "turned round", "twice"],
)
def test_a_damaged_block_is_left_to_its_owner(table: bytes) -> None:
    with pytest.raises(UsageError, match="is damaged; mend or remove it by `crontab -e`"):
        with_block(table, "a", b"")
    with pytest.raises(UsageError, match="is damaged"):
        without_block(table, "a")


CRONTAB = """#!/bin/sh
case "$1" in
  -l) [ -e {table} ] || {{ echo "no crontab for me" >&2; exit 1; }}; exec /bin/cat {table} ;;
  -r) exec /bin/rm {table} ;;
  -) exec /bin/cat > {table} ;;
esac
"""


@pytest.fixture
def table(prt: CommandLine) -> Path:
    """Where a cron of our own keeps the user's table."""
    path, program = prt.folder / "table", prt.folder / "programs" / "crontab"
    program.write_text(CRONTAB.format(table=path))
    program.chmod(0o755)
    prt.write("prt.yaml", CONFIG)
    return path


CALL = ("schedule", "prt.yaml", "--at", "02:00", "--for", "cron", "--install")


def test_installing_twice_and_removing_leaves_the_table_as_it_was(prt: CommandLine, table: Path) -> None:
    table.write_bytes(FOREIGN)
    assert "put its lines into your crontab" in prt(*CALL).out
    once = table.read_bytes()
    assert once.startswith(FOREIGN + b"# BEGIN prt schedule ticket-triage\n0 2 * * * ")
    assert "your crontab has its lines already" in prt(*CALL).out
    assert table.read_bytes() == once
    changed = prt("schedule", "prt.yaml", "--at", "03:30", "--days", "sat,sun", "--for", "cron", "--install")
    assert "changed its lines in your crontab" in changed.out
    assert b"\n30 3 * * 0,6 /" in table.read_bytes()
    assert "removed the lines of `ticket-triage`" in prt("schedule", "prt.yaml", "--remove", "--for", "cron").out
    assert table.read_bytes() == FOREIGN
    assert "nothing of `ticket-triage` is installed" in prt("schedule", "prt.yaml", "--remove").out


def test_a_table_that_was_none_is_none_again(prt: CommandLine, table: Path) -> None:
    prt(*CALL)
    assert table.exists()
    prt("schedule", "prt.yaml", "--remove")
    assert not table.exists()


def test_the_lines_set_no_variable_which_would_hold_for_what_follows(prt: CommandLine, table: Path) -> None:
    prt(*CALL)
    lines = table.read_text().splitlines()
    assert len(lines) == 5
    assert all(line.startswith(("#", "0 2 ", "20 * ", "@reboot ")) for line in lines)


def test_its_status_says_when_the_next_night_is_and_how_the_last_one_ended(prt: CommandLine, table: Path) -> None:
    assert (prt("schedule", "prt.yaml", "--status").code, table.exists()) == (1, False)
    prt(*CALL)
    ended = prt("schedule", "prt.yaml", "--status")
    assert ended.code == 0
    assert "cron: `ticket-triage` is installed: 02:00 every day, by the clock of the machine" in ended.out
    assert "last night: none yet" in ended.out
    assert "next night: 20" in ended.out


def test_a_schedule_of_another_config_is_not_replaced(prt: CommandLine, table: Path) -> None:
    prt(*CALL)
    before = table.read_bytes()
    (prt.folder / "other").mkdir()
    prt.write("other/prt.yaml", CONFIG)
    ended = prt("schedule", "other/prt.yaml", *CALL[2:], "--out", "elsewhere")
    assert ended.code == 2
    assert "your crontab has a schedule `ticket-triage` of" in ended.err
    assert table.read_bytes() == before
    ended = prt("schedule", "other/prt.yaml", "--remove")
    assert "`ticket-triage` is the schedule of" in ended.err
    assert table.read_bytes() == before
    assert prt("schedule", "other/prt.yaml", "--remove", "--name", "ticket-triage").code == 0
    assert not table.exists()


def test_without_cron_the_files_are_written_and_installing_is_refused(prt: CommandLine) -> None:
    prt.write("prt.yaml", CONFIG)
    assert prt(*CALL[:-1]).code == 0
    for action in ("--install", "--remove", "--status"):
        ended = prt(*CALL[:-1], action)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "there is no cron here: the program `crontab` is not found" in ended.err
    assert prt("schedule", "prt.yaml", "--status").out == "nothing of `ticket-triage` is installed\n"


def test_a_cron_that_refuses_says_so(prt: CommandLine, table: Path) -> None:
    program = prt.folder / "programs" / "crontab"
    program.write_text("#!/bin/sh\necho 'You (me) are not allowed to use this program' >&2\nexit 1\n")
    ended = prt(*CALL)
    assert ended.code == 2
    assert "cron refuses: You (me) are not allowed to use this program" in ended.err
    assert not table.exists()


@pytest.mark.parametrize("action", ["--install", "--remove", "--status"])
def test_what_is_not_of_this_user_is_not_installed_from_here(prt: CommandLine, action: str) -> None:
    prt.write("prt.yaml", CONFIG)
    ended = prt("schedule", "prt.yaml", "--at", "02:00", "--for", "github", action)
    assert ended.code == 2
    assert f"{action}: this is for cron and systemd of this user, and --for is github" in ended.err


def test_only_nights_that_fall_due_from_now_on_count(prt: CommandLine, table: Path) -> None:
    prt(*CALL)
    path = table.parent / "prt-schedule" / "prt-ticket-triage.json"
    assert prt("due", str(path)).out.startswith("no night is due\nnext night: ")
    assert prt("due", "--quiet", str(path)).out == ""
    assert not path.with_suffix(".log").exists()
