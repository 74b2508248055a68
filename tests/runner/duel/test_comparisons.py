"""Comparisons made elsewhere: each case has the verdict it must have, and what can't be used is named with its line."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.duel.comparisons import Comparisons, Contestants, comparisons_of, read_comparisons
from prt.runner.duel.elsewhere import duel_of
from prt.runner.duel.findings import Duel
from prt.runner.duel.self_test import CASES, Case, csv_of, overall, self_test
from prt.runner.errors import DatasetError
from prt.runner.results.read import pasted

pytestmark = pytest.mark.storeless

BOTH = Contestants("new", "old")
HEAD = "id,model_a,model_b,score\n"
REAL = Path(__file__).parents[4] / "shared" / "records" / "llmbar_judges"


def read(text: str, contestants: Contestants = BOTH) -> Comparisons:
    return comparisons_of(pasted(text, "rows"), contestants)


def refused(text: str, contestants: Contestants = BOTH) -> list[str]:
    with pytest.raises(DatasetError) as caught:
        read(text, contestants)
    return str(caught.value).split("\n")


def judged(text: str) -> Duel:
    return duel_of(read(text, Contestants("candidate", "baseline")), alpha=0.05, margin=0.05)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_built_in_case_comes_to_what_it_has_to(case: Case) -> None:
    (checked,) = self_test([case])
    assert checked.wrong == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_self_test_sees_a_wrong_verdict(case: Case) -> None:
    other = replace(
        case, refusal="", verdicts={"overall": "WORSE" if "WORSE" not in case.verdicts.values() else "TIED"}
    )
    (checked,) = self_test([other])
    assert checked.wrong


@pytest.mark.parametrize(("won", "lost", "tied", "low", "high"), [(34, 18, 46, 0.51, 0.65), (25, 54, 39, 0.31, 0.45)])
def test_the_intervals_of_the_self_test_are_those_in_its_names(
    won: int, lost: int, tied: int, low: float, high: float
) -> None:
    duel = judged(overall([(1, 0)] * won + [(0, 1)] * lost + [(0.5, 0.5)] * tied))
    rate = duel.dimensions[0].found.rate
    assert [rate.low, rate.high] == pytest.approx([low, high], abs=5e-4)


@pytest.mark.parametrize(
    ("file", "inconsistent", "first", "biased", "verdict"),
    [("chatgpt_vanilla", 143, 133, True, "INCONCLUSIVE"), ("gpt4_vanilla", 30, 20, False, "TIED")],
)
def test_real_judges_are_as_inconsistent_and_as_biased_as_published(
    file: str, inconsistent: int, first: int, *, biased: bool, verdict: str
) -> None:
    path = REAL / f"{file}.score.csv"
    if not path.exists():
        pytest.skip(f"the records of LLMBar are not at {path}")
    duel = duel_of(read_comparisons(path, Contestants("output_1", "output_2")), alpha=0.05, margin=0.05)
    (overall_,) = duel.dimensions
    found = overall_.found
    assert (found.n, found.incomplete, found.inconsistent) == (419, 0, inconsistent)
    assert (found.position.favouring_first, found.position.favouring_second) == (first, inconsistent - first)
    assert (overall_.is_biased, found.verdict) == (biased, verdict)
    assert overall_.by_row is not None
    assert overall_.by_row.n == 838
    assert overall_.by_row.estimate == pytest.approx(found.rate.estimate)


@pytest.mark.parametrize(("inconsistent", "first", "biased"), [(143, 133, True), (30, 20, False)])
def test_counts_as_of_real_judges_flag_the_one_that_favours_a_place(
    inconsistent: int, first: int, *, biased: bool
) -> None:
    agreed = [(1.0, 0.0)] * ((419 - inconsistent) // 2) + [(0.0, 1.0)] * ((420 - inconsistent) // 2)
    duel = judged(overall([*agreed, *[(1.0, 1.0)] * first, *[(0.0, 0.0)] * (inconsistent - first)]))
    assert duel.dimensions[0].found.n == 419
    assert duel.dimensions[0].is_biased is biased


def test_the_plain_bootstrap_over_rows_calls_what_queries_do_not_bear_out() -> None:
    (one,) = judged(overall([(1, 0)] * 8 + [(0, 1)] * 2)).dimensions
    assert one.by_row_verdict == "BETTER"
    assert one.found.verdict == "INCONCLUSIVE"


FORMS = [
    HEAD + "q1,new,old,1\nq1,old,new,0\n",
    "\ufeff" + HEAD + "q1,new,old,1.0\r\nq1,old,new,0.0\r\n",
    HEAD.replace(",", ";") + "q1;new;old;1\nq1;old;new;0\n",
    (
        '{"id": "q1", "model_a": "new", "model_b": "old", "score": 1}\n'
        '{"id": "q1", "model_a": "old", "model_b": "new", "score": 0.0}\n'
    ),
    (
        '[{"id": "q1", "model_a": "new", "model_b": "old", "score": 1},'
        ' {"id": "q1", "model_a": "old", "model_b": "new", "score": 0}]'
    ),
]


@pytest.mark.parametrize("text", FORMS)
def test_the_same_rows_in_every_form(text: str) -> None:
    pairs = read(text).dimensions["overall"]
    assert (pairs.queries, pairs.shown_first, pairs.shown_second) == (("q1",), (1.0,), (1.0,))


def test_a_file_may_be_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(FORMS[0].encode()))
    assert read_comparisons(path, BOTH).dimensions["overall"].wins == 1


def test_numbers_are_ids_and_columns_beside_are_told_of() -> None:
    rows = [
        {"id": 7, "model_a": one, "model_b": other, "score": 1, "why": "x"}
        for one, other in (("new", "old"), ("old", "new"))
    ]
    read_rows = read("".join(json.dumps(row) + "\n" for row in rows))
    assert read_rows.dimensions["overall"].queries == ("7",)
    assert read_rows.notes == ("columns that were not read: `why`",)


def test_repeats_of_an_order_are_averaged_and_the_query_counts_once() -> None:
    head = "id,model_a,model_b,score,repeat\n"
    pairs = read(head + "q,new,old,1,1\nq,new,old,0,2\nq,new,old,1,3\nq,old,new,0,1\nq,old,new,,2\n").dimensions[
        "overall"
    ]
    assert pairs.complete == 1
    assert pairs.shown_first[0] == pytest.approx(2 / 3)
    assert pairs.shown_second == (1.0,)


UNUSABLE = [
    (HEAD, "rows: it has a header and no rows"),
    ("", "rows: there is nothing in it"),
    (
        "id,model_a,model_b,scores\nq1,new,old,1\n",
        (
            "rows:1: there is no column `score` (found `id`, `model_a`, `model_b`, `scores`); needed are `id`, "
            "`model_a`, `model_b`, `score`, and `dimension` if any; did you mean `scores`?"
        ),
    ),
    (HEAD + "q1,new,old,nan\nq1,old,new,0\n", 'rows:2: `score` is "nan"; a score is a number from 0 to 1'),
    (HEAD + "q1,new,old,1e999\nq1,old,new,0\n", 'rows:2: `score` is "1e999"; a score is a number from 0 to 1'),
    (HEAD + "q1,new,old,-0.1\nq1,old,new,0\n", 'rows:2: `score` is "-0.1"; a score is a number from 0 to 1'),
    (HEAD + "q1,new,old,A\nq1,old,new,0\n", 'rows:2: `score` is "A"; a score is a number from 0 to 1'),
    (
        '{"id": "q1", "model_a": "new", "model_b": "old", "score": NaN}\n',
        "rows:1: not valid JSON: NaN is no JSON; write null for what is missing",
    ),
    (
        '{"id": "q1", "model_a": "new", "model_b": "old", "score": true}\n',
        "rows:1: `score` is true; a score is a number",
    ),
    (
        HEAD + "q1,new,old,1\n\nq2,new,ol,0\n",
        'rows:4: "ol" is neither "new" nor "old"; leave the rows of other pairs out',
    ),
    (HEAD + "q1,new,new,1\nq1,old,new,1\n", 'rows:2: "new" is compared with itself'),
    (HEAD + " ,new,old,1\nq1,old,new,1\n", "rows:2: `id` is empty"),
    (
        HEAD + "q1,new,old,1\nq1,old,new,1\nq1,new,old,0\n",
        'rows:4: id "q1" with "new" shown first stands there already, in row 2; keep one of them',
    ),
    (HEAD + "q1,new,old,1\nq1,old\n", "rows:3: 2 cells where the header has 4"),
    (
        HEAD + "q1,new,old,1\nq2,new,old,0\nq3,old,new,0\n",
        'rows: dimension "overall": none of 3 ids has a score in both orders (2 with "new" first, 1 with "old" first)',
    ),
]


@pytest.mark.parametrize(("text", "told"), UNUSABLE)
def test_what_cannot_be_used_is_named_in_one_sentence(text: str, told: str) -> None:
    (line,) = refused(text)
    assert line.startswith(told)


def test_every_bad_row_is_named_at_once() -> None:
    lines = refused(HEAD + "q1,new,old,2\nq1,old,new,x\nq2,new,old,1\nq2,old,newer,1\n")
    assert [line.split(":")[1] for line in lines] == ["2", "3", "5"]


@pytest.mark.parametrize(
    ("contestants", "told"),
    [
        (Contestants("newer", "old"), 'the candidate "newer" stands in no row; the rows compare `new`, `old`; did you'),
        (
            Contestants("new", "OLD"),
            'the baseline "OLD" stands in no row; the rows compare `new`, `old`; did you mean `old`',
        ),
    ],
)
def test_a_name_that_stands_in_no_row_is_named_before_any_row_is_blamed(contestants: Contestants, told: str) -> None:
    (line,) = refused(FORMS[0], contestants)
    assert told in line


def test_a_dimension_in_one_order_is_refused_even_beside_a_whole_one() -> None:
    text = csv_of({"whole": [(1, 0)] * 12, "half": [(1, None)] * 12})
    (line,) = refused(text, Contestants("candidate", "baseline"))
    assert 'dimension "half": none of 12 ids' in line


def test_missing_orders_are_counted_and_named() -> None:
    found = read(HEAD + "q1,new,old,1\nq1,old,new,0\nq2,new,old,1\nq3,new,old,null\nq3,old,new,\n")
    assert found.dimensions["overall"].incomplete == 2
    assert found.notes == (
        (
            'dimension "overall": 2 of 3 ids lack a score in an order, so they are in no figure: "q2" (none with "old" '
            'first), "q3" (no score at all)'
        ),
    )


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 0.8, 1.0])), min_size=1))
def test_who_is_called_the_candidate_turns_the_verdict_and_nothing_else(both: list[tuple[float, float]]) -> None:
    text = overall(both)
    one = duel_of(read(text, Contestants("candidate", "baseline")), alpha=0.05, margin=0.05).dimensions[0]
    other = duel_of(read(text, Contestants("baseline", "candidate")), alpha=0.05, margin=0.05).dimensions[0]
    turned = {"BETTER": "WORSE", "WORSE": "BETTER"}
    assert other.found.verdict == turned.get(one.found.verdict, one.found.verdict)
    assert (other.found.wins, other.found.losses) == (one.found.losses, one.found.wins)
    assert other.is_biased == one.is_biased
    assert other.found.position.favouring_first == one.found.position.favouring_first


def test_the_lost_queries_of_a_losing_dimension_are_named_the_clearest_first() -> None:
    (one,) = judged(overall([(0.4, 0.6), (0, 1), (1, 0), (0.2, 0.9)])).dimensions
    assert [failure.query for failure in one.failures] == ["q2", "q4", "q1"]
    (winning,) = judged(overall([(0, 1), (1, 0), (1, 0)])).dimensions
    assert winning.failures == ()
