"""The file of each scheduler passes its own checker, whatever the paths are called, and never holds a key."""

import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml
from croniter import croniter
from prt.runner.scheduling.entry import read_entry
from prt.runner.scheduling.writing import MARK

from ..command_line import KEY, CommandLine

KINDS = ("cron", "systemd", "github", "gitlab", "kubernetes")
NASTY = "we ird%h 100% $HOME ${x} \"q\" 'x' \\d [a-z]* é ; # &"
CONFIG = """
name: Ticket triage
model: {name: m, base_url: "${ENDPOINT}/v1"}
dataset: rows.jsonl
perturbations: [typo, {paraphrase: {kind: llm, model: {name: o, api_key_env: OTHER_KEY}}}]
"""
PROGRAMS = os.environ["PATH"]


def found(program: str) -> str:
    """A program of this machine; the test is skipped where it is missing."""
    path = shutil.which(program, path=PROGRAMS)
    if path is None:
        pytest.skip(f"there is no {program} here")
    return path


def scheduled(prt: CommandLine, kind: str, *more: str, folder: str = ".", config: str = CONFIG) -> dict[str, Path]:
    """The files of a schedule, by their names."""
    (prt.folder / folder).mkdir(exist_ok=True)
    (prt.folder / ".git").mkdir(exist_ok=True)
    path = prt.write(f"{folder}/prt.yaml", config)
    ended = prt("schedule", path, "--at", "02:00", "--for", kind, *more)
    assert (ended.code, ended.err) == (0, "")
    written = [Path(line.partition(" /")[2]) for line in ended.out.splitlines() if line.startswith(("wrote", "kept"))]
    return {path.name: Path("/") / path for path in written}


def built_in(schema: str, path: Path) -> None:
    """Check a file by a schema that check-jsonschema ships."""
    done = subprocess.run(  # noqa: S603 - a checker
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


FOLDERS = pytest.mark.parametrize("folder", ["evals", NASTY], ids=["plain", "nasty"])


@FOLDERS
def test_cron_takes_its_lines(prt: CommandLine, folder: str) -> None:
    files = scheduled(prt, "cron", "--out", f"{folder}/out", "--days", "mon-fri", folder=folder)
    table = files["prt-ticket-triage.crontab"].read_text()
    program = found("crontab")
    flag = "-T" if "-T" in subprocess.run([program, "-h"], capture_output=True, text=True, check=False).stderr else "-n"  # noqa: S603 - cron's
    done = subprocess.run([program, flag, "-"], input=table, capture_output=True, text=True, check=False)  # noqa: S603 - cron's
    assert done.returncode == 0, done.stderr


@FOLDERS
def test_each_line_of_cron_calls_prt_with_the_file_of_the_schedule(prt: CommandLine, folder: str) -> None:
    files = scheduled(prt, "cron", "--out", f"{folder}/out", "--days", "mon-fri", folder=folder)
    lines = [line for line in files["prt-ticket-triage.crontab"].read_text().splitlines() if not line.startswith("#")]
    assert [line.split(" /")[0] for line in lines] == ["0 2 * * 1-5", "20 * * * *", "@reboot"]
    for line in lines:
        if not line.startswith("@"):
            assert croniter.is_valid(" ".join(line.split()[:5]))
        words = shlex.split(as_cron_gives_it("/" + line.partition(" /")[2]))
        assert words[-3:] == ["due", "--quiet", str(files["prt-ticket-triage.json"])]
        assert Path(words[0]).is_absolute()
        assert os.access(words[0], os.X_OK)


def as_cron_gives_it(command: str) -> str:
    """What cron gives to the shell: up to the first `%`, which is a line break unless it is escaped."""
    kept, before = "", ""
    for char in command:
        if char == "%" and before != "\\":
            break
        kept = kept[:-1] + char if char == "%" else kept + char
        before = char
    return kept


def test_a_percent_sign_that_is_not_escaped_would_be_seen() -> None:
    assert as_cron_gives_it("prt due '/a 100% b'") == "prt due '/a 100"
    assert as_cron_gives_it(r"prt due '/a 100\% b'") == "prt due '/a 100% b'"


def faults_by_systemd(*units: Path) -> list[str]:
    """What systemd finds wrong with units of a user."""
    program = found("systemd-analyze")
    with tempfile.TemporaryDirectory() as runtime:  # whose path is short enough for the sockets of other units
        done = subprocess.run(  # noqa: S603 - systemd's
            [program, "verify", "--user", "--man=no", *map(str, units)],
            capture_output=True,
            text=True,
            check=False,
            env={"HOME": runtime, "XDG_RUNTIME_DIR": runtime, "PATH": PROGRAMS},
        )
    if "Failed to initialize manager" in done.stderr:
        pytest.skip(f"systemd-analyze can't verify here: {done.stderr}")
    return done.stderr.splitlines() if done.returncode or done.stderr else []


@FOLDERS
def test_systemd_takes_its_units(prt: CommandLine, folder: str) -> None:
    files = scheduled(prt, "systemd", "--out", f"{folder}/out", "--days", "mon-fri", folder=folder)
    assert faults_by_systemd(*(files[f"prt-ticket-triage.{ending}"] for ending in ("service", "timer"))) == []


def test_a_unit_that_is_none_would_be_seen(prt: CommandLine) -> None:
    path = scheduled(prt, "systemd")["prt-ticket-triage.service"]
    path.write_text(path.read_text().replace("Restart=on-failure", "RestartForceExitStatus=3"))
    assert any("isn't allowed for Type=oneshot" in fault for fault in faults_by_systemd(path))


@FOLDERS
def test_the_workflow_is_one_of_github(prt: CommandLine, folder: str) -> None:
    files = scheduled(prt, "github", "--timezone", "Europe/Berlin", folder=folder.replace("$", ""))
    path = files["prt-ticket-triage.yml"]
    assert path == prt.folder / ".github" / "workflows" / path.name
    built_in("vendor.github-workflows", path)
    workflow = yaml.safe_load(path.read_text())
    assert workflow[True]["schedule"] == [{"cron": "0 2 * * *", "timezone": "Europe/Berlin"}]
    steps = workflow["jobs"]["night"]["steps"]
    night = next(step for step in steps if step.get("name") == "The night")
    assert night["env"] == {name: f"${{{{ secrets.{name} }}}}" for name in ("OPENAI_API_KEY", "OTHER_KEY", "ENDPOINT")}
    used = {step["uses"].partition("@")[0]: step["with"] for step in steps if "uses" in step and "with" in step}
    restored, saved = used["actions/cache/restore"], used["actions/cache/save"]
    assert (restored["path"], restored["key"]) == (saved["path"], saved["key"])
    assert restored["path"].splitlines() == ["prt.db*", "prt-reports"]
    assert used["actions/upload-artifact"]["path"] == "prt-reports"


NIGHT_THAT_ENDS = """#!/bin/sh
echo "$@" >> called
read code rest < codes
sed 1d codes > codes.rest && mv codes.rest codes
exit "$code"
"""


@pytest.mark.parametrize(
    ("codes", "ended", "calls"),
    [("0", 0, 1), ("1", 1, 1), ("2", 2, 1), ("3 0", 0, 2), ("3 3 1", 1, 3), ("3 3 3 0", 3, 3)],
)
def test_the_step_of_github_goes_on_with_an_incomplete_night_alone(
    prt: CommandLine, codes: str, ended: int, calls: int
) -> None:
    shell = found("sh")
    path = scheduled(prt, "github", folder=NASTY.replace("$", ""))["prt-ticket-triage.yml"]
    steps = yaml.safe_load(path.read_text())["jobs"]["night"]["steps"]
    script = next(step["run"] for step in steps if step.get("name") == "The night")
    programs = prt.folder / "programs"
    (programs / "prt").write_text(NIGHT_THAT_ENDS)
    (programs / "sleep").write_text("#!/bin/sh\n")
    for each in programs.iterdir():
        each.chmod(0o755)
    prt.write("codes", "\n".join(codes.split()) + "\n")
    # As GitHub runs a step: it ends at the first command that fails.
    environment = {"PATH": f"{programs}:{PROGRAMS}"}
    done = subprocess.run([shell, "-e", "-c", script], cwd=prt.folder, env=environment, check=False)  # noqa: S603 - ours
    assert done.returncode == ended
    assert (prt.folder / "called").read_text().splitlines() == [
        f"night --quiet {NASTY.replace('$', '')}/prt.yaml"
    ] * calls


@FOLDERS
def test_the_pipeline_is_one_of_gitlab(prt: CommandLine, folder: str) -> None:
    path = scheduled(prt, "gitlab", folder=folder)["prt-ticket-triage.gitlab-ci.yml"]
    built_in("vendor.gitlab-ci", path)
    job = yaml.safe_load(path.read_text())["prt-ticket-triage"]
    assert job["retry"] == {"max": 2, "exit_codes": [3]}
    assert job["cache"] == {"key": "prt-ticket-triage", "when": "always", "paths": ["prt.db*", "prt-reports"]}
    assert shlex.split(job["script"][-1]) == ["prt", "night", "--quiet", f"{folder}/prt.yaml"]
    assert job["resource_group"] == "prt-ticket-triage"
    assert [rule["if"].partition(" && ")[2] for rule in job["rules"]] == ['$PRT_NIGHT == "ticket-triage"'] * 2


@FOLDERS
def test_the_cron_job_is_one_of_kubernetes(prt: CommandLine, folder: str) -> None:
    path = scheduled(prt, "kubernetes", "--timezone", "Europe/Berlin", folder=folder)["prt-ticket-triage.cronjob.yaml"]
    documents = list(yaml.safe_load_all(path.read_text()))
    for each in documents:
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
    claim, job = documents
    spec = job["spec"]
    assert (spec["schedule"], spec["timeZone"], spec["concurrencyPolicy"]) == ("0 2 * * *", "Europe/Berlin", "Forbid")
    container = spec["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    assert container["command"] == ["prt", "night", "--quiet", f"/suite/{folder}/prt.yaml"]
    environment = {each["name"]: each for each in container["env"]}
    assert environment["PRT_STORE"]["value"] == "/data/prt.db"
    assert environment["OTHER_KEY"]["valueFrom"] == {"secretKeyRef": {"name": "prt-ticket-triage", "key": "OTHER_KEY"}}
    assert (
        "optional" in environment["OPENAI_BASE_URL"]["valueFrom"]["secretKeyRef"]
        if "OPENAI_BASE_URL" in environment
        else True
    )
    assert claim["metadata"]["name"] == "prt-ticket-triage"


def test_a_file_that_is_none_would_be_seen(prt: CommandLine) -> None:
    wrong = prt.folder / "wrong.yml"
    wrong.write_text("on: {schedule: [{cron: 1}]}\njobs: {}\n")
    with pytest.raises(AssertionError):
        built_in("vendor.github-workflows", wrong)
    job = {"apiVersion": "batch/v1", "kind": "CronJob", "spec": {"schedule": "0 2 * * *", "timezone": "UTC"}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)


def every_file(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", KINDS)
def test_no_key_of_the_environment_is_written(prt: CommandLine, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTHER_KEY", "ENDPOINT", "PRT_STORE", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, f"https://{KEY}.example" if name != "PRT_STORE" else f"{KEY}.db")
    scheduled(prt, kind)
    assert not [path for path in every_file(prt.folder) if KEY in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("kind", ["cron", "systemd", "kubernetes"])
def test_the_environment_file_names_what_the_config_needs_and_is_its_owners_alone(prt: CommandLine, kind: str) -> None:
    path = scheduled(prt, kind)["prt-ticket-triage.env"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lines = path.read_text().splitlines()
    assert all(line.startswith("#") or not line for line in lines)
    names = [line[1:-1] for line in lines if line.startswith("#") and line.endswith("=") and " " not in line]
    assert names == ["OPENAI_API_KEY", "OTHER_KEY", "ENDPOINT", "OPENAI_BASE_URL", "PRT_STORE"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_command_again_changes_no_byte(prt: CommandLine, kind: str) -> None:
    files = scheduled(prt, kind)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files.values()}
    assert scheduled(prt, kind) == files
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files.values()} == before


def test_keys_that_were_filled_in_stay(prt: CommandLine) -> None:
    path = scheduled(prt, "cron")["prt-ticket-triage.env"]
    path.write_text(f"OPENAI_API_KEY={KEY}\n")
    scheduled(prt, "cron", "--days", "mon")
    assert path.read_text() == f"OPENAI_API_KEY={KEY}\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_is_never_changed(prt: CommandLine, kind: str) -> None:
    files = scheduled(prt, kind)
    made = [path for path in files.values() if path.suffix not in {".env", ""} and path.name != ".gitignore"]
    assert all(MARK in (text := path.read_text()) or '"made_by"' in text for path in made)
    made[-1].write_text("mine\n")
    ended = prt("schedule", "./prt.yaml", "--at", "03:00", "--for", kind)
    assert ended.code == 2
    assert "this file is there, and `prt schedule` did not make it" in ended.err
    assert made[-1].read_text() == "mine\n"
    assert all("03:00" not in path.read_text() for path in made), "and none of the others either"


def test_two_configs_of_one_name_do_not_replace_one_another(prt: CommandLine) -> None:
    scheduled(prt, "systemd")
    (prt.folder / "other").mkdir()
    ended = prt("schedule", prt.write("other/prt.yaml", CONFIG), "--at", "02:00", "--for", "systemd")
    assert ended.code == 2
    assert "this is the schedule of the config" in ended.err
    assert "give this one another name by --name" in ended.err
    assert prt("schedule", "other/prt.yaml", "--at", "02:00", "--for", "systemd", "--name", "other").code == 0


def test_a_path_with_a_line_break_is_refused(prt: CommandLine) -> None:
    (prt.folder / "a\nb").mkdir()
    ended = prt("schedule", prt.write("a\nb/prt.yaml", CONFIG), "--at", "02:00", "--for", "systemd")
    assert ended.code == 2
    assert "has a line break or another control character in it, which no file of a scheduler can hold" in ended.err


def test_a_folder_that_systemd_can_not_hold_is_refused(
    prt: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evals ").mkdir()
    monkeypatch.chdir(tmp_path / "evals ")
    ended = prt("schedule", f"../{prt.write('prt.yaml', CONFIG)}", "--at", "02:00", "--for", "systemd")
    assert ended.code == 2
    assert "systemd takes no folder whose name ends with a blank" in ended.err


def test_what_nights_lack_is_told_before_the_first_one(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    config = prt.write("prt.yaml", CONFIG)
    ended = prt("schedule", config, "--at", "02:00", "--for", "cron")
    assert "note: write `OPENAI_API_KEY`, `OTHER_KEY` and `ENDPOINT` into /" in ended.out
    assert "note: what `OPENAI_BASE_URL` says here is not known to nights" in ended.out
    env_file = prt.folder / "prt-schedule" / "prt-ticket-triage.env"
    env_file.write_text("OPENAI_API_KEY=a\nOTHER_KEY=b\nENDPOINT='http://c'\nOPENAI_BASE_URL=d\n")
    assert "note:" not in prt("schedule", config, "--at", "02:00", "--for", "cron").out


def test_an_expression_of_github_in_a_path_is_refused(prt: CommandLine) -> None:
    (prt.folder / "${{ x }}").mkdir()
    (prt.folder / ".git").mkdir()
    ended = prt("schedule", prt.write("${{ x }}/prt.yaml", CONFIG), "--at", "02:00", "--for", "github")
    assert ended.code == 2
    assert "GitHub would fill in the ${{ of" in ended.err


@pytest.mark.sqlite
def test_a_pipeline_needs_a_repository_and_a_store_in_it(prt: CommandLine) -> None:
    ended = prt("schedule", prt.write("prt.yaml", CONFIG), "--at", "02:00", "--for", "github")
    assert ended.code == 2
    assert "this config is in no Git repository" in ended.err
    (prt.folder / ".git").mkdir()
    prt.write("prt.yaml", CONFIG + "store: ../elsewhere.db\n")
    ended = prt("schedule", "prt.yaml", "--at", "02:00", "--for", "gitlab")
    assert ended.code == 2
    assert "lies outside of" in ended.err


def test_a_server_as_store_needs_no_cache_and_its_extra(prt: CommandLine) -> None:
    path = scheduled(prt, "gitlab", config=CONFIG + "store: postgresql://u:${PASSWORD}@host/prt\n").popitem()[1]
    job = yaml.safe_load(path.read_text())["prt-ticket-triage"]
    assert "cache" not in job
    assert "'prompt-robustness[postgres]==" in job["script"][0]
    assert "#   PASSWORD: part of `store`" in path.read_text()


def test_a_budget_is_not_spent_again_unless_that_is_asked_for(prt: CommandLine) -> None:
    config = prt.write("prt.yaml", CONFIG + "limits: {max_calls: 10}\n")
    ended = prt("schedule", config, "--at", "02:00", "--for", "cron")
    assert "note: `limits.max_calls` is that of each try, so an incomplete night is not begun again" in ended.out
    assert read_entry(prt.folder / "prt-schedule" / "prt-ticket-triage.json").tries == 1
    ended = prt("schedule", config, "--at", "02:00", "--for", "cron", "--retries", "2")
    assert "note: each of the 3 tries of a night may spend the whole `limits.max_calls`" in ended.out
    assert read_entry(prt.folder / "prt-schedule" / "prt-ticket-triage.json").tries == 3


def test_a_name_that_no_file_can_have_is_made_one_that_it_can(prt: CommandLine) -> None:
    files = scheduled(prt, "systemd", config=CONFIG.replace("Ticket triage", "'CON: Über/Nacht'"))
    assert "prt-con-ber-nacht.timer" in files
    ended = prt("schedule", "./prt.yaml", "--at", "02:00", "--for", "systemd", "--name", "ü")
    assert ended.code == 2
    assert '--name: "ü" has neither letters' in ended.err


def test_what_is_wrong_with_a_config_is_said_as_ever(prt: CommandLine) -> None:
    ended = prt("schedule", prt.write("prt.yaml", CONFIG + "grad: choice\n"), "--at", "02:00", "--for", "cron")
    assert ended.code == 2
    assert "prt.yaml:6:1: grad: " in ended.err
    assert "unset.invalid" not in ended.err
