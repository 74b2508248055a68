"""Reports of comparisons: the same sentences and figures in each form, and no text of a model or dataset is obeyed."""

import io
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from playwright.sync_api import Browser
from prt.runner.comparing.findings import Caveat, Comparison, VersionsComparison
from prt.runner.comparing.versions import Settings, compare_pair, compare_versions
from prt.runner.config.impact import ImpactConfig
from prt.runner.reports.compared import print_comparison
from prt.runner.reports.compared_json import comparison_json, comparison_schema
from prt.runner.reports.compared_markdown import comparison_markdown
from prt.runner.reports.compared_versions import print_versions
from prt.runner.reports.html.compared import comparison_page
from prt.runner.reports.text import points, visible
from prt.runner.store.database import open_store
from rich.console import Console

from ...browser import LOOKS, accessibility_faults, browser, opened, overflow
from ..html_pages import Elements
from ..made_reports import HOSTILE
from ..test_report_markdown import OURS, Page, rendered
from .worlds import Made, always, put

__all__ = ["browser"]
STEERING = set("\x00\x07\x0b\x1b\u202c\u202e\ufffe\ud800")
IMPACT = ImpactConfig(traffic=20_000.0, cost_per_failure=0.4, currency="EUR", weights={"typo": 0.3})


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A later run that is worse in every way, with something in every section."""
    after = Made(
        "b", passes=always(0.5), troubled=always(0.2), answered_by=lambda number: (f"m-{number % 2}", "fp_1"), items=60
    )
    with open_store(str(tmp_path_factory.mktemp("pair") / "prt.db")) as store:
        before = put(store, Made("a", items=60))
        return compare_pair(before, put(store, after, number=1), Settings(impact=IMPACT))


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> VersionsComparison:
    with open_store(str(tmp_path_factory.mktemp("versions") / "prt.db")) as store:
        runs = [
            put(store, Made(name, items=60, passes=always(share)), number=place)
            for place, (name, share) in enumerate([("a", 0.9), ("b", 0.9), ("c", 0.4)])
        ]
        return compare_versions(runs[0], runs[1:])


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A comparison whose names, models, answers and caveats hold what a reader might obey."""
    with open_store(str(tmp_path_factory.mktemp("hostile") / "prt.db")) as store:
        before, after = put(store, Made("a", items=30)), put(store, Made("b", items=30, passes=always(0.3)), number=1)
        found = compare_pair(before, after)
    version = replace(found.after, given=HOSTILE, model=HOSTILE, resolved_models=(HOSTILE,), name=HOSTILE)
    changed = tuple(
        replace(
            item,
            item_id=HOSTILE,
            gold=HOSTILE,
            prompt=HOSTILE,
            condition=HOSTILE,
            after=replace(item.after, text=HOSTILE, extracted=HOSTILE, span=None),
        )
        for item in found.changed
    )
    caveats = (Caveat("drift", "warning", HOSTILE),)
    conditions = tuple(replace(each, condition=HOSTILE) for each in found.conditions)
    return replace(found, after=version, changed=changed, caveats=caveats, conditions=conditions, conclusion=HOSTILE)


def terminal(found: Comparison | VersionsComparison, width: int = 100) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    if isinstance(found, Comparison):
        print_comparison(found, console)
    else:
        print_versions(found, console)
    return out.getvalue()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_terminal_tells_what_is_proven_first_then_what_of(pair: Comparison) -> None:
    text = flat(terminal(pair))
    said = [pair.conclusion, *(claim.sentence for claim in pair.claims), "How to read this"]
    places = [text.index(flat(each)) for each in said]
    assert places == sorted(places)
    assert "warning: within the later run the endpoint answered as 2 models" in text
    assert "truncated" in text
    assert "Failures more (+) or fewer (−) of 20,000 requests a day, 0.4 EUR a failure" in text


@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_the_terminal_and_no_figure_is_cut(pair: Comparison, width: int) -> None:
    text = terminal(replace(pair, impact=None), width)
    assert all(len(line) <= width or line.lstrip().startswith("Whole prompts") for line in text.splitlines())
    assert "…" not in text.split("Items that changed most")[0]


def test_every_form_has_the_same_figures(pair: Comparison, versions: VersionsComparison) -> None:
    for found in (pair, versions):
        forms = [terminal(found), rendered(comparison_markdown(found)).text, Elements(comparison_page(found)).text]
        comparisons = found.comparisons if isinstance(found, VersionsComparison) else (found,)
        for each in comparisons:
            for form in map(flat, forms):
                assert all(flat(claim.sentence) in form for claim in each.claims)
                assert points(each.claim("overall").change.estimate) in form


def test_several_versions_are_a_table_with_one_row_each(versions: VersionsComparison) -> None:
    text = terminal(versions)
    table = text.split("Each version against the reference")[1].splitlines()
    assert [line.split()[0] for line in table[2:4]] == ["b", "c"]
    assert flat(versions.conclusion) in flat(text)
    assert "All adjusted p-values are over all versions together" in flat(text)


def test_json_fits_its_schema_and_holds_every_figure(pair: Comparison, versions: VersionsComparison) -> None:
    schema = comparison_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for found in (pair, versions):
        jsonschema.validate(json.loads(comparison_json(found)), schema)
    whole = json.loads(comparison_json(pair))
    assert (whole["is_worse"], whole["schema_version"], len(whole["claims"])) == (True, 1, 4)
    assert whole["conditions"][1]["figures"]["change"]["estimate"] == pair.conditions[1].figures.change.estimate
    assert whole["impact"]["total"]["failures"]["low"] is not None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**whole, "claims": "none"}, schema)


def test_markdown_fits_a_comment_and_says_what_it_left_out(pair: Comparison) -> None:
    many = tuple(replace(pair.conditions[1], condition=f"typo.{number}") for number in range(2000))
    text = comparison_markdown(replace(pair, conditions=many))
    assert len(text.encode("utf-16-le")) // 2 <= 65_536
    assert "more conditions left out here for want of room; `prt compare a-" in text


def test_hostile_text_is_inert_in_every_form(hostile: Comparison) -> None:
    text = terminal(hostile)
    assert not set(text) & STEERING
    page = rendered(comparison_markdown(hostile))
    assert set(page.tags) <= OURS | {"h4"}
    assert page.attributes == []
    html = comparison_page(hostile)
    assert not set(html) & STEERING
    assert "<script>alert(1)" not in html
    assert "49" not in html.split("{{7*7}}")[0][-40:]
    elements = Elements(html)
    assert elements.named("script") == []
    assert elements.named("img") == []
    assert flat(visible(HOSTILE)) in flat(elements.text)
    assert HOSTILE in json.loads(comparison_json(hostile))["changed"][0]["item_id"]


def test_a_page_of_several_versions_has_a_section_for_each(versions: VersionsComparison) -> None:
    elements = Elements(comparison_page(versions))
    ids = [attributes["id"] for attributes in elements.named("section") if "id" in attributes]
    assert ids == ["versions", "version-1", "version-2", "methods"]
    assert len(elements.named("figure")) == 2


def test_a_page_is_shown_without_error_or_request_on_a_desk_and_on_a_phone(
    browser: Browser, pair: Comparison, tmp_path: Path
) -> None:
    path = tmp_path / "compared.html"
    path.write_text(comparison_page(pair), encoding="utf-8")
    for scheme, width in LOOKS:
        with opened(browser, path, width=width, scheme=scheme) as page:
            assert overflow(page) == 0
            assert accessibility_faults(page) == []
            assert page.locator("h1").inner_text() == "b against a"


def test_the_page_class_reads_what_markdown_became(pair: Comparison) -> None:
    page: Page = rendered(comparison_markdown(pair))
    (typo,) = (row for row in page.rows if row[:1] == ["typo.1"] and len(row) == 11)
    assert typo[5] == points(pair.conditions[1].figures.change.estimate)
