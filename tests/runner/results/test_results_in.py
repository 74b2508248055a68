"""Results made elsewhere: every form people have them in, and every malformed line named."""

import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import DatasetError
from prt.runner.results.read import read_results
from prt.runner.results.table import ResultsTable

PASTE = "standard input"


def read(text: str, baseline: str | None = None) -> ResultsTable:
    return read_results(None, text, baseline=baseline)


def refused(text: str, baseline: str | None = None) -> list[str]:
    with pytest.raises(DatasetError) as caught:
        read(text, baseline)
    return str(caught.value).split("\n")


WIDE = [
    "item,baseline,typo\nq1,1,0\nq2,0,\n",
    "item\tbaseline\ttypo\nq1\tpass\tfail\nq2\tFAIL\tNA\n",
    "item;baseline;typo\r\nq1;true;False\r\n\r\nq2;no;-\r\n",
    "\ufeffitem,baseline,typo\nq1,yes,no\nq2,0.0,null\n",
    "| item | baseline | typo |\n|---|:---:|--:|\n| q1 | 1.0 | 0.0 |\n| q2 | 0 | |\n",
    "item baseline typo\nq1 1 0\nq2 0 NA\n",
    '{"item": "q1", "baseline": true, "typo": 0}\n{"item": "q2", "baseline": 0.0, "typo": null}\n',
    '[{"item": "q1", "baseline": "pass", "typo": false},\n {"item": "q2", "baseline": 0, "typo": ""}]',
    "item,condition,passed\nq1,baseline,1\nq1,typo,0\nq2,baseline,0\n",
    "Task ID;Variant;Is Correct\nq1;baseline;1\nq1;typo;0\nq2;baseline;0\nq2;typo;NA\n",
    (
        '{"id": "q1", "system": "baseline", "score": 1.0}\n{"id": "q1", "system": "typo", "score": 0.0}\n'
        '{"id": "q2", "system": "baseline", "score": 0}\n'
    ),
]


@pytest.mark.parametrize("text", WIDE)
def test_one_table_in_every_form(text: str) -> None:
    table = read(text)
    assert table.items == ("q1", "q2")
    assert table.conditions == ("baseline", "typo")
    assert table.repeats == ("",)
    assert table.passed == (((True,), (False,)), ((False,), (None,)))


def test_a_table_becomes_outcomes_with_missing_cells_missing() -> None:
    outcomes = read(WIDE[0]).outcomes()
    assert outcomes.items == ("q1", "q2")
    assert outcomes.conditions == ("baseline", "typo")
    assert outcomes.cells.tolist() == [[[1], [0]], [[0], [-1]]]


def test_repeats_are_a_third_axis_in_their_order() -> None:
    rows = ["q1,a,10,1", "q1,a,9,0", "q1,b,9,1", "q2,b,10,0"]
    table = read("item,condition,repeat,passed\n" + "\n".join(rows))
    assert table.repeats == ("9", "10")
    assert table.passed == (((False, True), (True, None)), ((None, None), (None, False)))


def test_a_trial_column_holds_repeats() -> None:
    assert read("item,condition,trial,pass\nq,a,x,1\nq,a,y,0\nq,b,x,1\n").repeats == ("x", "y")


@pytest.mark.parametrize(
    ("conditions", "asked", "first", "why"),
    [
        (["typo", "baseline"], None, "baseline", "by its name"),
        (["typo", "Original"], None, "Original", "by its name"),
        (["base", "original"], None, "original", "by its name"),
        (["v1", "v2"], None, "v1", "the first condition; `--baseline` chooses another"),
        (["v1", "baseline"], "v1", "v1", "as asked"),
    ],
)
def test_the_baseline_comes_first_and_is_said(conditions: list[str], asked: str | None, first: str, why: str) -> None:
    table = read("item," + ",".join(conditions) + "\nq," + ",".join("1" for _ in conditions) + "\n", asked)
    assert table.conditions[0] == first
    assert sorted(table.conditions) == sorted(conditions)
    assert table.notes == (f"the baseline is `{first}`, {why}",)


def test_a_baseline_that_is_not_there_lists_the_conditions() -> None:
    assert refused(WIDE[0], "tpyo") == [
        f"{PASTE}: there is no condition `tpyo`; there are `baseline`, `typo`; did you mean `typo`?"
    ]


def test_columns_that_are_not_read_are_said() -> None:
    notes = read("id,task,condition,passed,reply\nq,t,a,1,x\nq,t,b,0,y\n").notes
    assert "columns that were not read: `task`, `reply`" in notes


@pytest.mark.parametrize("column", ["cluster", "Cluster ID", "document", "group"])
def test_a_column_of_clusters_is_read_and_said(column: str) -> None:
    table = read(f"item,condition,{column},passed\nq1,a,x,1\nq1,b,x,0\nq2,a,y,1\nq3,a,x,1\n")
    assert table.clusters == ("x", "y", "x")
    assert table.outcomes().clusters == ("x", "y", "x")
    assert f"the column `{column}` puts the items into 2 clusters" in table.notes


def test_a_column_of_topics_is_no_cluster() -> None:
    assert read("item,condition,topic,passed\nq1,a,x,1\nq1,b,x,0\n").clusters is None


@pytest.mark.parametrize("header", ["item,cluster,a,b", "cluster,item,a,b", "Cluster,name,a,b", "name,cluster,a,b"])
def test_a_wide_table_may_have_a_column_of_clusters(header: str) -> None:
    cells = ["x,q1", "y,q2"] if header.lower().startswith("cluster") else ["q1,x", "q2,y"]
    table = read(header + "".join(f"\n{both},1,0" for both in cells))
    assert (table.items, table.conditions, table.clusters) == (("q1", "q2"), ("a", "b"), ("x", "y"))


def test_an_item_in_two_clusters_names_both_lines() -> None:
    assert refused("item,condition,group,passed\nq,a,treated,1\nq,b,control,0\nq,c,control,0\n") == [
        (
            f'{PASTE}:3: item "q" is in cluster "control" here and in "treated" in line 2; an item belongs to one'
            " cluster; name the column otherwise if it holds something else"
        )
    ]


def test_an_item_without_a_cluster_is_named() -> None:
    assert refused("item,cluster,a,b\nq,x,1,0\nr,,1,0\n") == [f"{PASTE}:3: `cluster` is empty"]


def test_reruns_are_no_variants_and_no_baseline_unless_asked_for() -> None:
    text = "item,rerun,v1,Rerun.2,rerunning,rerun.x\nq,1,0,1,0,1\n"
    table = read(text)
    assert table.conditions[0] == "v1"
    assert table.reruns == ("rerun", "Rerun.2")
    assert read(text, "rerun").reruns == ("Rerun.2",)


@pytest.mark.parametrize(("repeats", "words"), [(("1", "2", "3"), "3 repeats"), (("1",), "1 repeat")])
def test_the_number_of_repeats_is_said(repeats: tuple[str, ...], words: str) -> None:
    rows = "".join(f"q,{condition},{repeat},1\n" for condition in "ab" for repeat in repeats)
    notes = read(f"item,condition,trial,passed\n{rows}").notes
    assert f"the column `trial` tells {words} apart" in notes


@pytest.mark.parametrize(
    ("text", "column", "unit"),
    [
        ("item,question,a,b\n" + "".join(f"q{n},What is {n}?,1,0\n" for n in range(30)), "question", "line"),
        ("item,condition,score\n" + "".join(f"q{n},a,0.{n + 1}\n" for n in range(30)), "score", "line"),
        (str([{"item": f"q{n}", "a": 1, "b": [n]} for n in range(30)]).replace("'", '"'), "b", "row"),
    ],
)
def test_a_column_without_any_result_is_one_sentence(text: str, column: str, unit: str) -> None:
    (line,) = refused(text)
    assert line.startswith(f"{PASTE}:1: the column `{column}` holds no result in any of its 30 {unit}s, such as ")


def test_conditions_that_look_like_repeats_are_said() -> None:
    assert any("look like repeats" in note for note in read("item,trial0,trial1\nq,1,0\n").notes)


def test_every_malformed_line_is_named_and_nothing_is_read() -> None:
    text = "item,a,b\nq1,1,maybe\nq2,0\n,1,1\nq4,1,NA\nq5,2,0.5\nq1,0,0\n"
    allowed = "1/0, true/false, pass/fail, yes/no and ✓/✗ are allowed; an empty cell, NA, null or - is a missing result"
    score = "a score passes from a number on that --threshold names, such as --threshold 0.5"
    assert refused(text) == [
        f'{PASTE}:2: "maybe" under `b` is no result; {allowed}',
        f"{PASTE}:3: 2 cells where the header has 3",
        f"{PASTE}:4: `item` is empty",
        f'{PASTE}:6: "2" under `a` is no result; {allowed}; {score}',
    ]


def test_every_malformed_row_of_json_is_named() -> None:
    lines = refused(
        '[{"item": "q", "a": 1, "b": 2}, 3, {"item": "r", "a": 1, "c": 0}, {"item": "s", "a": [1], "b": 0}]'
    )
    assert lines[0].startswith(f'{PASTE}: row 1: a number ("2") under `b` is no result')
    assert lines[1] == f'{PASTE}: row 2: a number, "3", where an object is needed'
    assert lines[2].startswith(f"{PASTE}: row 3: it lacks `b` and has also `c`, unlike the first row")
    assert lines[3].startswith(f'{PASTE}: row 4: a list ("[1]") under `a` is no result')


def test_malformed_lines_of_one_kind_are_shown_once_with_the_places_of_the_others() -> None:
    lines = refused("item,a,b\nq,1,1\n" + "".join(f"q{number},x{number},1\n" for number in range(25)))
    assert lines[:2] == [f'{PASTE}:{at}: "x{at - 3}" under `a` is no result' for at in (3, 4)]
    assert lines[3].startswith(f"{PASTE}: lines 6, 7, 8 and 19 more: … under `a` is no result; 1/0, true/false")


def test_a_result_that_stands_twice_names_both_lines() -> None:
    said = f'{PASTE}:4: a second result of item "q" under `a`, after that of line 2'
    assert refused("item,condition,passed\nq,a,1\nq,b,0\nq,a,1\n") == [
        f"{said}; a column `repeat` would tell runs apart"
    ]
    assert refused("item,a,b\nq,1,0\nr,1,0\nq,1,0\n") == [f"{said}; an item has one row"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is nothing in it"),
        ("item,a,b\n", "there is no result"),
        ("item,passed\nq,1\n", "only one condition, `passed`"),
        ("item,condition,passed\nq,a,1\nr,a,0\n", "only one condition, `a`"),
        ("q1,1,0\nq2,0,1\n", "holds results where a header is needed"),
        ("baseline,typo\n1,0\n", "the first column, `baseline`, holds results where the item is needed"),
        ("item,a,a\nq,1,0\n", "two columns are named `a`"),
        ("item,a,\nq,1,0\n", "column 3 of the header has no name"),
        ("task,condition,accuracy\nt,cot,92.8\n", "there is a column `condition`, but none of `passed`"),
        ("who,what,condition,passed\na,b,c,1\n", "is named `item`"),
        ("id,model_a,model_b,score\nq,x,y,1\n", "compares two answers with each other (`model_a`, `model_b`)"),
        ('{"eval": {"task": "x"}, "results": []}', "is it another tool's log?"),
        ("[1, 2", "not valid JSON"),
        ('[{"item": "q", "item": 1}]', 'the key "item" stands twice'),
        ("[]", "a list of rows is needed"),
        ('{"a": 1}\n{"a": \n', "not valid JSON"),
        ('item,a,b\n"q,1,0\n', "a double quote is opened here and never closed"),
        ("[3]", "where an object is needed"),
        ("[{}]", "there is no result"),
    ],
)
def test_what_is_no_results_table_is_refused_with_what_is_needed(text: str, words: str) -> None:
    assert words in refused(text)[0]


def test_a_file_is_read_plain_gzipped_or_as_a_spreadsheet_saves_it(tmp_path: Path) -> None:
    text = WIDE[0]
    for name, data in (
        ("results.csv", text.encode()),
        ("results.csv.gz", gzip.compress(text.encode())),
        ("results.txt", WIDE[1].encode("utf-16")),
    ):
        (tmp_path / name).write_bytes(data)
        table = read_results(tmp_path / name, None)
        assert table.passed == (((True,), (False,)), ((False,), (None,)))
        assert table.name == str(tmp_path / name)
        assert table.sha256 == hashlib.sha256(data).hexdigest()


def test_a_format_can_be_forced() -> None:
    assert read_results(None, "item,a b,c\nq,1,0\n", format="csv").conditions == ("a b", "c")
    with pytest.raises(DatasetError):
        read_results(None, WIDE[0], format="json")


def test_the_item_is_found_by_its_name_or_stands_first() -> None:
    assert read("typo,item,baseline\n0,q1,1\n").items == ("q1",)
    assert read("problem,a,b\np1,0,1\n").items == ("p1",)


def test_the_columns_of_long_rows_may_come_in_any_order_and_the_item_be_the_rest() -> None:
    table = read("passed,problem,condition\n1,q1,a\n0,q1,b\n")
    assert table.items == ("q1",)


NAMES = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=2, max_size=6).filter(
    lambda name: name.casefold() not in {"na", "no", "null", "yes", "true", "pass", "fail", "false", "id", "00"}
)
CELLS = st.sampled_from([True, False, None])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(NAMES, min_size=1, max_size=5, unique=True),
    st.lists(st.integers(0, 99).map("v{}".format), min_size=2, max_size=4, unique=True),
    st.data(),
)
def test_what_is_written_long_or_wide_reads_the_same(
    items: list[str], conditions: list[str], data: st.DataObject
) -> None:
    grid = [[data.draw(CELLS) for _ in conditions] for _ in items]
    words = {True: "1", False: "0", None: ""}
    wide = "\n".join(
        ["item," + ",".join(conditions)]
        + [item + "," + ",".join(words[cell] for cell in row) for item, row in zip(items, grid, strict=True)]
    )
    long = "\n".join(
        ["item,condition,passed"]
        + [
            f"{item},{condition},{words[cell]}"
            for item, row in zip(items, grid, strict=True)
            for condition, cell in zip(conditions, row, strict=True)
        ]
    )
    expected = tuple(tuple((cell,) for cell in row) for row in grid)
    assert read(wide).passed == read(long).passed == expected


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text('[]{}":,;|\t\n01 aitem-', max_size=60)))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    sentence, conditions = PASTE, 2
    try:
        conditions = len(read(text).conditions)
    except DatasetError as error:
        sentence = str(error)
    assert sentence.startswith(PASTE)
    assert conditions > 1
