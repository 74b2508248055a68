"""Several files of results are several conditions, paired by item."""

from hashlib import sha256
from pathlib import Path

import pytest
from prt.runner.errors import DatasetError
from prt.runner.results.files import read_files
from prt.runner.results.naming import names_of

from .logs import evals_log, inspect_log, lm_eval_samples, written

BASE = "item,passed\na,1\nb,0\n"
TYPO = "item,passed\nb,1\na,\n"


def refused(files: list[str], **options: str) -> str:
    with pytest.raises(DatasetError) as caught:
        read_files(files, metric=options.get("metric"), stdin=options.get("stdin", ""))
    return str(caught.value)


def test_files_of_one_condition_are_named_by_their_files(tmp_path: Path) -> None:
    files = [written(tmp_path, "base.csv", BASE), written(tmp_path, "typo.csv", TYPO)]
    table = read_files(files)
    assert table.conditions == ("base", "typo")
    assert table.passed == (((True,), (None,)), ((False,), (True,)))
    digests = [sha256(text.encode()).hexdigest() for text in (BASE, TYPO)]
    assert table.sha256 == sha256("\n".join(digests).encode()).hexdigest()


def test_conditions_of_several_tables_keep_their_names_where_these_differ(tmp_path: Path) -> None:
    files = [written(tmp_path, "1.csv", "item,original\na,1\n"), written(tmp_path, "2.csv", "item,typo,style\na,1,0\n")]
    assert read_files(files).conditions == ("original", "typo", "style")


def test_a_table_and_a_log_may_be_compared_and_stdin_is_a_file(tmp_path: Path) -> None:
    log = inspect_log([("a", 1, {"m": "C"}), ("a", 2, {"m": "I"}), ("b", 1, {"m": "C"})], accuracy=0.75)
    table = read_files(["-", written(tmp_path, "run.json", log)], stdin=BASE)
    assert table.conditions == ("passed", "riddles · mock/one")
    assert table.repeats == ("1", "2")
    assert table.passed == (((True, None), (True, False)), ((False, None), (True, None)))


def test_items_of_which_a_file_has_some_only_are_counted(tmp_path: Path) -> None:
    files = [written(tmp_path, "base.csv", BASE), written(tmp_path, "typo.csv", "item,passed\nb,1\nc,1\n")]
    assert "`typo` has 1 item in common with `base`, of 2 and 2" in read_files(files).notes


def test_files_without_a_common_item_are_refused(tmp_path: Path) -> None:
    files = [written(tmp_path, "base.csv", BASE), written(tmp_path, "x.csv", "item,passed\nc,1\n")]
    assert "no item of `x` is among those of `base` (ids such as `a` and `c`)" in refused(files)


def test_other_right_answers_under_the_same_ids_are_a_warning(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "a.jsonl", lm_eval_samples([1.0, 0.0])),
        written(tmp_path, "b.jsonl", evals_log({0: True, 1: True}, accuracy=1)),
    ]
    (warning,) = [note for note in read_files(files).notes if note.startswith("warning")]
    assert "the right answer of 2 of 2 items differs" in warning


def test_a_file_given_twice_is_two_conditions_with_different_names(tmp_path: Path) -> None:
    file = written(tmp_path, "run.json", inspect_log([("a", 1, {"m": "C"})], accuracy=1))
    assert read_files([file, file]).conditions == ("run (1)", "run (2)")


def run(folder: Path, model: str, task: str, passed: str) -> str:
    values = [(item, 1, {"m": "C" if item in passed else "I"}) for item in ("a", "b")]
    log = inspect_log(values, accuracy=len(passed) / 2, model=model, task=task)
    return written(folder, f"{model}-{task}.json", log)


def test_a_label_makes_the_conditions_of_many_files(tmp_path: Path) -> None:
    files = [run(tmp_path, model, task, "ab"[: len(task)]) for model in ("x", "y") for task in ("t", "uu")]
    table = read_files(files, by="model")
    assert table.conditions == ("x", "y")
    assert table.items == ("t/a", "t/b", "uu/a", "uu/b")
    assert table.passed == (((True,), (True,)), ((False,), (False,)), ((True,), (True,)), ((True,), (True,)))
    assert read_files(files, by="task", baseline="uu").conditions == ("uu", "t")
    assert read_files(files[:2], by="model").items == ("t/a", "t/b", "uu/a", "uu/b")


def test_a_label_that_is_not_there_or_does_not_tell_runs_apart_is_one_sentence(tmp_path: Path) -> None:
    files = [run(tmp_path, "x", "t", "a"), run(tmp_path, "y", "t", "b")]
    with pytest.raises(DatasetError, match="not every condition has a `modle`; all have `task`, `model`; did you mean"):
        read_files(files, by="modle")
    with pytest.raises(DatasetError, match="item `x/a` has two scores under `t`"):
        read_files([files[0], files[0], files[1]], by="task")
    with pytest.raises(DatasetError, match="not every condition has a `arguments`"):
        read_files(files, by="arguments")


def test_a_metric_is_for_logs(tmp_path: Path) -> None:
    assert "--metric is for logs of other tools" in refused([written(tmp_path, "base.csv", BASE)], metric="x")


def test_an_item_in_two_clusters_is_refused(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "a.csv", "item,cluster,original\na,x,1\n"),
        written(tmp_path, "b.csv", "item,cluster,typo\na,y,1\n"),
    ]
    assert 'item "a" is in cluster "x" in one file and in "y" in another' in refused(files)


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ([{"model": "m", "task": "t"}], ["m"]),
        ([{"model": "", "task": "t"}], ["t"]),
        ([{"model": "m", "task": "t"}, {"model": "n", "task": "t"}], ["m", "n"]),
        ([{"model": "m", "task": "t"}, {"model": "m", "task": "u"}], ["t", "u"]),
        ([{"model": "m", "task": "t"}, {"model": "n", "task": "u"}], ["m · t", "n · u"]),
        ([{"model": "m"}, {"model": "m"}], ["f0", "f1"]),
        ([{"prompt": "Say\n  it."}, {"prompt": "Say " * 40}], ["Say it.", ("Say " * 12)[:47] + "…"]),
        ([{"prompt": "x" * 60 + "1"}, {"prompt": "x" * 60 + "2"}], ["x" * 60 + "1", "x" * 60 + "2"]),
        ([{"condition": "a  b " * 20}, {"condition": "c"}], ["a  b " * 20, "c"]),
    ],
)
def test_conditions_are_named_by_what_tells_them_apart(labels: list[dict[str, str]], names: list[str]) -> None:
    assert names_of(labels, [f"f{at}" for at in range(len(labels))]) == names


SCORES = "item,original,typo\nq1,1,0.7\nq2,0.2,0.4\nq3,1,1\n"


def test_scores_in_a_table_are_read_by_the_threshold_that_the_message_names(tmp_path: Path) -> None:
    file = written(tmp_path, "scores.csv", SCORES)
    told = refused([file])
    assert '"0.7" under `typo` is no result' in told
    assert told.endswith("a score passes from a number on that --threshold names, such as --threshold 0.5")
    table = read_files([file], threshold=0.5)
    assert table.passed == (((True,), (True,)), ((False,), (False,)), ((True,), (True,)))
    assert "a score passes from 0.5 on, as asked" in table.notes
    assert read_files([file], threshold=0.75).passed[0] == ((True,), (False,))


def test_a_column_of_numbers_is_one_sentence_with_both_ways_out(tmp_path: Path) -> None:
    told = refused([written(tmp_path, "scores.csv", "item,original,seconds\nq1,1,3.5\nq2,0,2.5\n")])
    assert "the column `seconds` holds no result in any of its 2 lines" in told
    assert "leave it out, or: " in told
    assert "--threshold 0.5" in told
    words = refused([written(tmp_path, "words.csv", "item,original,said\nq1,1,well\nq2,0,nan\n")])
    assert "--threshold" not in words


def test_marks_are_results(tmp_path: Path) -> None:
    marks = "item,original,typo\nq1,✓,✗\nq2,✔️,✘\nq3,✅,❌\nq4,☑️,☐\n"
    assert set(read_files([written(tmp_path, "marks.csv", marks)]).passed) == {((True,), (False,))}


def test_a_folder_is_refused_with_the_pattern_that_gives_its_files(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("runs/a.csv", "runs/b.csv", "runs/notes.md"):
        written(tmp_path, name, BASE)
    folder = str(tmp_path / "runs")
    assert f"is a folder; give its files, of which each is a condition: prt analyze {folder}/*.csv" in refused([folder])
    (tmp_path / "empty").mkdir()
    assert "is a folder without results in it" in refused([str(tmp_path / "empty")])
