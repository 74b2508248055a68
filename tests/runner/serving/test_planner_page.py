"""The planner: its figures are those of `prt plan`, with and without scripts."""

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect
from prt.runner.serving.settings import Settings
from prt.runner.sight import sight
from prt.stats import mcnemar_power

from ...browser import LOOKS, Scheme, opened
from .site import Site, assert_for_everyone


@pytest.fixture(scope="module")
def site(serve: Callable[[Settings], Site]) -> Site:
    return serve(Settings("nowhere.db"))


def test_the_figures_are_those_of_the_formulas(site: Site) -> None:
    found = json.loads(site.ask("/api/plan?items=249&flip_rate=30&change=10&variants=1").text)["sight"]
    assert found["power_here"] == pytest.approx(mcnemar_power(249, 0.2, 0.1))
    assert found["power_here"] == pytest.approx(0.8, abs=0.005)
    assert found["detectable"] == pytest.approx(0.1, abs=0.0005)
    of_rates = sight(249, variants=1, flip_rate=0.3, change=0.1, power=0.8, alpha=0.05, margin=0.05)
    assert found["items_needed"] == of_rates.items_needed


def test_more_variants_take_power(site: Site) -> None:
    powers = [
        json.loads(site.ask(f"/api/plan?items=400&change=8&variants={count}").text)["sight"]["power_here"]
        for count in (1, 4, 20)
    ]
    assert powers == sorted(powers, reverse=True)
    assert powers[0] > powers[-1]


@pytest.mark.parametrize("query", ["items=9", "items=10.5", "items=x", "change=nan", "flip_rate=61", "power=1e9"])
def test_a_setting_that_is_none_is_told_in_a_sentence(site: Site, query: str) -> None:
    answer = site.ask(f"/plan?{query}")
    assert "is not allowed" in answer.text


def test_a_change_beyond_the_flips_has_no_power_to_show(site: Site) -> None:
    html = json.loads(site.ask("/api/plan?flip_rate=5&change=10").text)["html"]
    assert "needs at least as many flips" in html


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_sliders_move_the_figures(browser: Browser, site: Site, width: int, scheme: Scheme) -> None:
    with opened(browser, f"{site.address}/plan", width=width, scheme=scheme, allowed=(site.address,)) as page:
        before = page.locator(".card .figure").first.inner_text()
        slider = page.get_by_label("Items, as a slider")
        slider.focus()
        for _ in range(20):
            page.keyboard.press("PageUp")
        page.wait_for_function("before => document.querySelector('.card .figure').innerText !== before", arg=before)
        assert page.locator("#items").input_value() == slider.input_value() != "200"
        assert f"items={slider.input_value()}" in page.url
        assert_for_everyone(page)


def test_it_works_without_scripts(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/plan", scripts=False, allowed=(site.address,)) as page:
        page.fill("#items", "1000")
        page.get_by_role("button", name="Plan").click()
        assert "items=1000" in page.url
        assert "1,000 items find a change of 5 points" in page.locator(".card").first.inner_text()
        assert page.locator(".range:visible").count() == 0


@pytest.mark.parametrize("typed", ["x", "1e999", "9_999", "٣"])
def test_a_setting_of_the_address_that_is_no_number_is_told_and_no_error_of_the_page(
    browser: Browser, site: Site, typed: str
) -> None:
    with opened(browser, f"{site.address}/plan?items={quote(typed)}", allowed=(site.address,)) as page:
        expect(page.locator("#planned")).to_contain_text("This can't be planned")
        assert page.locator("#items").input_value() == ""
