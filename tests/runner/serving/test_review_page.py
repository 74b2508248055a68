"""The review of a bundle on pages: its file comes out as that of the review at the terminal, byte for byte."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect
from prt.perturbations.bundle import Bundle, GeneratorRecord, read_bundle, write_bundle
from prt.perturbations.question import Gold, Layout, Question
from prt.perturbations.rendering.render import user_text
from prt.perturbations.variant import Variant
from prt.runner.commands.review import Case, ask_about
from prt.runner.records import Item
from prt.runner.review_file import ReviewFile
from prt.runner.serving.reviews import KEPT, Desk, Place, print_of
from prt.runner.serving.settings import Settings
from rich.console import Console

from ...browser import LOOKS, Scheme, opened
from . import site as sites
from .site import Answer, Site, assert_for_everyone, serving

Serve = Callable[[Settings], Site]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LAYOUT = Layout()
HOSTILE = '<img src=x onerror="alert(1)"></pre><script>alert(2)</script>{{7*7}}\x1b[31m\u202e'


def variants_of(item: str, text: str, reworded: str) -> list[Variant]:
    def one(condition: str, generator: str, said: str, **rest: object) -> Variant:
        made = {"tier": "checked", "outcome": "applied", "reason": "", **rest}
        return Variant(
            item,
            condition,
            generator,
            1,
            "{}",
            question=Question(said),
            layout=LAYOUT,
            **made,  # type: ignore[arg-type]
        )

    return [
        one("baseline", "baseline", text, tier="guaranteed"),
        one("paraphrase.1", "paraphrase", reworded),
        one("paraphrase.2", "paraphrase", text, outcome="rejected", reason="text: numbers differ"),
        one("typo.1", "typo", text.replace("sells", "slels"), tier="stress"),
    ]


def frozen(path: Path, items: int = 4, *, first: str = "q0", text: str = "") -> Path:
    """A bundle of so many items; each has a paraphrase, one that a check rejected, and a typo."""
    named = [first, *(f"q{at}" for at in range(1, items))]
    variants = [
        each
        for at, item in enumerate(named)
        for each in variants_of(
            item,
            f"{text if not at else ''}A baker sells {at + 17} loaves before lunch. How many is that?",
            f"{text if not at else ''}Before lunch a baker sells {at + 17} loaves. How many is that?",
        )
    ]
    write_bundle(path, Bundle(0, (GeneratorRecord("paraphrase", 1, "{}"), GeneratorRecord("typo", 1, "{}")), variants))
    return path


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return frozen(tmp_path / "frozen.jsonl")


@pytest.fixture
def site(bundle: Path) -> Iterator[Site]:
    with serving(Settings("nowhere.db", bundles=(bundle,), writable=True)) as site:
        yield site


def reviews(path: Path) -> dict[str, str]:
    return {f"{each.item_id} {each.condition}": each.review for each in read_bundle(path).variants if each.review}


def number_of(path: Path, item: str, condition: str) -> int:
    """A variant's number as pages have it, from 1."""
    found = [(each.item_id, each.condition) for each in read_bundle(path).variants]
    return found.index((item, condition)) + 1


def answer(site: Site, number: int, say: str, *, was: str = "none", shown: str | None = None, **headers: str) -> Answer:
    """Send the form of a variant, as a browser does without scripts."""
    (path,) = site.settings.bundles
    fresh = print_of(read_bundle(path).variants[number - 1]) if shown is None else shown
    body = urlencode({"variant": number, "shown": fresh, "was": was, "say": say}).encode()
    return site.ask("/review/1?show=all", method="POST", headers={**FORM, **headers}, body=body)


def press(page: Page, key: str) -> None:
    """Press a key and wait for the page that it leads to."""
    with page.expect_navigation():
        page.keyboard.press(key)


def test_the_bundles_are_listed_with_their_counts(site: Site) -> None:
    text = site.ask("/review").text
    assert "0 accepted, 0 rejected, 4 not reviewed; 4 in all" in text
    assert "0 accepted, 0 rejected, 8 not reviewed; 8 in all" in text
    assert answer(site, 2, "accept").status == 303
    assert answer(site, 4, "reject").status == 303
    text = site.ask("/review").text
    assert "1 accepted, 0 rejected, 3 not reviewed; 4 in all" in text
    assert "1 accepted, 1 rejected, 6 not reviewed; 8 in all" in text


def test_without_a_bundle_it_is_said_how_to_give_one(serve: Serve) -> None:
    site = serve(Settings("nowhere.db"))
    assert "prt serve --bundle FILE --allow-writes" in site.ask("/review").text
    assert site.ask("/review/1").status == 404


@pytest.mark.parametrize(
    "path", ["/review/0", "/review/2", "/review/-1", "/review/x", "/review/9999999999", "/review/1/"]
)
def test_no_other_bundle_is_shown(site: Site, path: str) -> None:
    assert site.ask(path).status in {307, 404}
    assert site.ask(f"{path}/..%2f..%2fetc%2fpasswd").status == 404
    assert "All are" not in site.ask("/review?bundle=/etc/passwd").text


def test_keys_answer_and_lead_on_and_back(browser: Browser, site: Site, bundle: Path) -> None:
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        title = page.locator("#variant-title")
        expect(title).to_have_text("paraphrase.1 of q0")
        press(page, "a")
        expect(title).to_have_text("paraphrase.1 of q1")
        expect(page.get_by_role("status")).to_have_text("paraphrase.1 of q0: accepted, saved.")
        assert reviews(bundle) == {"q0 paraphrase.1": "accept"}
        press(page, "r")
        assert reviews(bundle) == {"q0 paraphrase.1": "accept", "q1 paraphrase.1": "reject"}
        expect(page.locator("#progress-words")).to_have_text("2 of 4 reviewed: 1 accepted, 1 rejected")
        press(page, "u")
        expect(title).to_have_text("paraphrase.1 of q1")
        assert reviews(bundle) == {"q0 paraphrase.1": "accept"}
        press(page, "j")
        expect(title).to_have_text("paraphrase.1 of q2")
        press(page, "ArrowRight")
        expect(title).to_have_text("paraphrase.1 of q3")
        press(page, "k")
        press(page, "ArrowLeft")
        expect(title).to_have_text("paraphrase.1 of q1")


def test_keys_do_nothing_where_one_types_or_holds_another_or_has_them_off(
    browser: Browser, site: Site, bundle: Path
) -> None:
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        page.get_by_label("Condition").fill("")
        page.keyboard.type("arju")
        assert page.get_by_label("Condition").input_value() == "arju"
        page.get_by_label("Status").focus()
        page.keyboard.press("a")
        page.locator("#variant").focus()
        page.keyboard.press("Control+Shift+a")
        page.keyboard.press("Alt+r")
        page.get_by_label("Keys are on").uncheck()
        page.locator("#variant").focus()
        for key in "arj":
            page.keyboard.press(key)
        assert page.url == f"{site.address}/review/1"
        page.reload()
        expect(page.get_by_label("Keys are on")).not_to_be_checked()
        page.keyboard.press("a")
        assert reviews(bundle) == {}
        page.get_by_label("Keys are on").check()
        press(page, "a")
    assert reviews(bundle) == {"q0 paraphrase.1": "accept"}


def test_a_key_that_is_held_down_answers_once(browser: Browser, site: Site, bundle: Path) -> None:
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        with page.expect_navigation():
            page.keyboard.down("a")
        for _ in range(5):
            page.keyboard.down("a")
        expect(page.locator("#variant-title")).to_have_text("paraphrase.1 of q1")
    assert reviews(bundle) == {"q0 paraphrase.1": "accept"}


def test_it_works_without_scripts(browser: Browser, site: Site, bundle: Path) -> None:
    with opened(browser, f"{site.address}/review/1", scripts=False, allowed=(site.address,)) as page:
        expect(page.locator("#keys")).to_be_hidden()
        page.get_by_role("button", name="Reject").click()
        assert reviews(bundle) == {"q0 paraphrase.1": "reject"}
        page.get_by_role("button", name="Undo").click()
        assert reviews(bundle) == {}
        page.get_by_role("button", name="Accept").click()
        page.get_by_label("Status").select_option("accepted")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#variant-title")).to_have_text("paraphrase.1 of q0")
        page.get_by_role("button", name="Clear").click()
        assert reviews(bundle) == {}
        page.get_by_role("link", name="All bundles").click()
        expect(page.get_by_role("heading", name="frozen.jsonl")).to_be_visible()


def test_the_keyboard_alone_is_enough(browser: Browser, site: Site, bundle: Path) -> None:
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        seen = []
        for _ in range(7):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        assert seen == ["All bundles", "condition", "show", "Show", "keys-on", "Accept", "Reject"]
        press(page, "Enter")
        assert reviews(bundle) == {"q0 paraphrase.1": "reject"}
        # The reader is at the next variant, and not at the top of the page again.
        assert page.evaluate("document.activeElement.id") == "variant"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "undo"
        page.keyboard.press("Tab")
        press(page, "Space")
    assert reviews(bundle) == {"q0 paraphrase.1": "reject", "q1 paraphrase.1": "accept"}


def test_the_edits_are_marked_in_both_prompts(browser: Browser, site: Site, bundle: Path) -> None:
    _, _, _, typo = read_bundle(bundle).variants[:4]
    with opened(browser, f"{site.address}/review/1?condition=typo.*", allowed=(site.address,)) as page:
        assert page.locator("del").all_inner_texts() == ["sells"]
        assert page.locator("ins").all_inner_texts() == ["slels"]
        assert page.locator("pre.text").nth(1).text_content() == user_text(typo.question, typo.layout)


def test_filters_lead_through_what_they_say(site: Site) -> None:
    for number, say in ((2, "accept"), (6, "reject"), (8, "reject")):
        assert answer(site, number, say).status == 303
    expected = {
        "": ["paraphrase.1 of q2", "paraphrase.1 of q3"],
        "show=rejected": ["paraphrase.1 of q1"],
        "show=rejected&condition=*": ["paraphrase.1 of q1", "typo.1 of q1"],
        "show=accepted": ["paraphrase.1 of q0"],
        "show=all&condition=typo.?": [f"typo.1 of q{at}" for at in range(4)],
        "show=nonsense&condition=typo.1": ["typo.1 of q0", "typo.1 of q2", "typo.1 of q3"],
    }
    for query, names in expected.items():
        text = site.ask(f"/review/1?{query}").text
        matches = text[text.index('<ol class="matches"') : text.index("</ol>")]
        assert re.findall(r">([^<]* of [^<]*)</a>", matches) == names
    assert "No condition is called &#34;tpyo*&#34;; the bundle has `paraphrase.1`, `typo.1`" in (
        site.ask("/review/1?condition=tpyo*").text
    )


def test_once_all_are_reviewed_it_says_so(browser: Browser, site: Site) -> None:
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        for _ in range(4):
            press(page, "a")
        expect(page.get_by_text("4 of 4 reviewed: 4 accepted, 0 rejected")).to_be_visible()
        page.goto(f"{site.address}/review/1")
        expect(page.locator("#variant-title")).to_have_text("All are reviewed")
        assert_for_everyone(page)


def test_the_file_comes_out_as_that_of_the_review_at_the_terminal(site: Site, bundle: Path, tmp_path: Path) -> None:
    other = frozen(tmp_path / "other.jsonl")
    assert other.read_bytes() == bundle.read_bytes()
    file = ReviewFile(other)
    numbers = [at for at, each in enumerate(file.variants) if each.condition == "paraphrase.1"]
    item = Item("q", file.variants[0].question, Gold())
    pressed = iter("arsbaq")
    ask_about(
        file,
        [Case(at, item, file.variants[0]) for at in numbers],
        Console(file=io.StringIO()),
        lambda: next(pressed),
        again=True,
    )
    assert reviews(other) == {"q0 paraphrase.1": "accept", "q1 paraphrase.1": "reject", "q2 paraphrase.1": "accept"}
    assert answer(site, numbers[0] + 1, "reject").status == 303
    assert answer(site, numbers[0] + 1, "accept", was="reject").status == 303
    assert answer(site, numbers[1] + 1, "reject").status == 303
    assert answer(site, numbers[2] + 1, "accept").status == 303
    assert bundle.read_bytes() == other.read_bytes()
    assert answer(site, numbers[2] + 1, "none", was="accept").status == 303
    assert bundle.read_bytes() != other.read_bytes()


def test_a_server_that_only_reads_has_no_buttons_and_refuses(browser: Browser, serve: Serve, bundle: Path) -> None:
    site = serve(Settings("nowhere.db", bundles=(bundle,)))
    before = bundle.read_bytes()
    refused = answer(site, 2, "accept")
    assert refused.status == 403
    assert "This server only reads. Start it as `prt serve --bundle FILE --allow-writes`" in refused.text
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        assert page.get_by_role("button").all_inner_texts() == ["Show"]
        page.keyboard.press("a")
        press(page, "j")
        expect(page.locator("#variant-title")).to_have_text("paraphrase.1 of q1")
    assert bundle.read_bytes() == before


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}],
)
def test_a_form_of_another_site_changes_nothing(site: Site, bundle: Path, headers: dict[str, str]) -> None:
    before = bundle.read_bytes()
    assert answer(site, 2, "accept", **headers).status in {403, 421}
    assert bundle.read_bytes() == before
    assert answer(site, 2, "accept", Origin=site.address).status == 303
    assert bundle.read_bytes() != before


@pytest.mark.parametrize("number", [1, 3, 17, 999_999_999])
def test_originals_and_what_a_check_rejected_are_not_reviewed(site: Site, bundle: Path, number: int) -> None:
    before = bundle.read_bytes()
    refused = answer(site, number, "accept", shown=print_of(read_bundle(bundle).variants[min(number, 16) - 1]))
    assert refused.status == 409
    assert "Nothing was saved" in refused.text
    assert bundle.read_bytes() == before


@pytest.mark.parametrize(
    "body",
    [b"", b"variant=2&say=accept", b"variant=x&was=none&say=accept", b"variant=2&was=none&say=maybe", b"\xff=%ff"],
)
def test_a_form_that_says_nothing_is_refused(site: Site, bundle: Path, body: bytes) -> None:
    refused = site.ask("/review/1", method="POST", headers=FORM, body=body)
    assert refused.status == 422
    assert "Nothing was saved" in refused.text
    assert reviews(bundle) == {}


def test_an_answer_that_someone_else_changed_is_not_overwritten_unseen(site: Site, bundle: Path) -> None:
    ReviewFile(bundle).put(1, "reject")
    refused = answer(site, 2, "accept")
    assert refused.status == 409
    assert "someone else changed this answer meanwhile, it is rejected now" in refused.text
    assert reviews(bundle) == {"q0 paraphrase.1": "reject"}
    assert answer(site, 2, "reject").status == 303
    assert answer(site, 2, "accept", was="reject").status == 303
    assert reviews(bundle) == {"q0 paraphrase.1": "accept"}


def test_a_variant_that_was_written_anew_is_not_answered_unseen(site: Site, bundle: Path) -> None:
    old = print_of(read_bundle(bundle).variants[1])
    frozen(bundle, 5, text="Think. ")
    refused = answer(site, 2, "accept", shown=old)
    assert refused.status == 409
    assert "another variant stands in this place" in refused.text
    assert "Think. Before lunch" in re.sub(r"</?(ins|del)>", "", refused.text)
    assert reviews(bundle) == {}


def test_of_many_reviewers_at_once_none_loses_an_answer(site: Site, bundle: Path) -> None:
    frozen(bundle, 30)
    numbers = [number_of(bundle, f"q{at}", "typo.1") for at in range(30)]
    prints = {number: print_of(read_bundle(bundle).variants[number - 1]) for number in numbers}
    answers: list[int] = []

    def reviewing(mine: list[int]) -> None:
        answers.extend(answer(site, number, "reject", shown=prints[number]).status for number in mine)

    threads = [Thread(target=reviewing, args=(numbers[start::5],)) for start in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [303] * 30
    assert reviews(bundle) == {f"q{at} typo.1": "reject" for at in range(30)}


def test_what_can_not_be_saved_is_told(site: Site, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    refused = answer(site, 2, "accept")
    assert refused.status == 409
    assert "this answer can&#39;t be saved (No space left on device)" in refused.text
    assert reviews(bundle) == {}
    monkeypatch.undo()
    assert answer(site, 2, "accept").status == 303


def test_a_damaged_bundle_shows_its_sentence_and_the_others_are_shown(
    browser: Browser, serve: Serve, bundle: Path, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(bundle.read_bytes().replace(b"17 loaves", b"71 loaves"))
    gone = tmp_path / "gone.jsonl"
    site = serve(Settings("nowhere.db", bundles=(damaged, bundle, gone), writable=True))
    sentence = "the file was changed after it was written (its hash differs); write it again"
    listing = site.ask("/review").text
    assert sentence in listing
    assert "4 in all" in listing
    assert "can&#39;t be read (No such file or directory); `prt perturb` writes one" in listing
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        expect(page.get_by_text(sentence)).to_be_visible()
        assert_for_everyone(page)
    body = urlencode({"variant": 2, "shown": "", "was": "none", "say": "accept"}).encode()
    refused = site.ask("/review/1", method="POST", headers=FORM, body=body)
    assert refused.status == 409
    assert sentence in refused.text
    frozen(damaged)
    assert "paraphrase.1" in site.ask("/review/1").text


def test_hostile_texts_are_shown_and_nothing_of_them_runs(browser: Browser, serve: Serve, tmp_path: Path) -> None:
    path = frozen(tmp_path / '"><script>alert(3)<.jsonl', first=HOSTILE, text=f"{HOSTILE}\ud800 ")
    site = serve(Settings("nowhere.db", bundles=(path,), writable=True))
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        assert "<script>alert(2)</script>{{7*7}}\\x1b[31m\\u202e" in page.locator("#variant-title").inner_text()
        assert "\\ud800" in (page.locator("pre.text").nth(1).text_content() or "")
        assert page.locator("main img, main script").count() == 0
        press(page, "a")
        expect(page.get_by_role("status")).to_contain_text("accepted, saved.")
        page.goto(f"{site.address}/review/1?condition=%22%3E%3Cscript%3Ealert(4)%3C/script%3E")
        expect(page.get_by_text("No condition is called")).to_be_visible()
        assert page.get_by_label("Condition").count() == 1
    assert [*reviews(path).values()] == ["accept"]


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_everyone_can_use_it(browser: Browser, site: Site, width: int, scheme: Scheme) -> None:
    with opened(
        browser,
        f"{site.address}/review",
        width=width,
        scheme=scheme,
        allowed=(site.address,),
    ) as page:
        assert_for_everyone(page)
        page.get_by_role("link", name="frozen.jsonl").click()
        assert_for_everyone(page)
        press(page, "r")
        assert_for_everyone(page)
        page.goto(f"{site.address}/review/1?show=rejected")
        assert page.get_by_role("button", name="Clear").is_visible()
        assert_for_everyone(page)


def test_a_long_text_is_cut_and_shown_whole_where_one_wants_it(browser: Browser, serve: Serve, tmp_path: Path) -> None:
    path = frozen(tmp_path / "long.jsonl", text="word " * 5_000)
    site = serve(Settings("nowhere.db", bundles=(path,), writable=True))
    with opened(browser, f"{site.address}/review/1", allowed=(site.address,)) as page:
        assert "How many" not in page.locator(".panes").inner_text()
        assert re.search(r"… 5,\d{3} more characters", page.locator(".panes").inner_text())
        page.get_by_role("link", name="Show all of it").click()
        expect(page.locator("ins").first).to_have_text("Before lunch a")


def test_ten_thousand_variants_are_read_once_and_shown_by_the_page(
    browser: Browser, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = frozen(tmp_path / "large.jsonl", 2_500)
    site = serve(Settings("nowhere.db", bundles=(path,), writable=True))
    read: list[Path] = []

    def reading(path: Path) -> ReviewFile:
        read.append(path)
        return ReviewFile(path)

    monkeypatch.setattr("prt.runner.serving.reviews.ReviewFile", reading)
    monkeypatch.setattr(sites, "TIMEOUT_S", 300)  # it is read in seconds, but by a busy machine in more of them
    assert "5,000 in all" in site.ask("/review").text
    for query in ("condition=*&show=all&at=9000", "condition=*", "show=rejected", "condition=typo.*&show=all"):
        shown = site.ask(f"/review/1?{query}")
        assert shown.text.count('<li value="') <= 50
        assert len(shown.body) < 40_000
    with opened(browser, f"{site.address}/review/1?condition=*&show=all", allowed=(site.address,)) as page:
        press(page, "a")
        expect(page.locator(".facts")).to_contain_text("2 of 5,000")
        page.get_by_role("link", name="Next 50").click()
        expect(page.locator(".facts")).to_contain_text("51 of 5,000")
        page.get_by_role("link", name="Previous 50").click()
        expect(page.locator(".facts")).to_contain_text("1 of 5,000")
    assert read == [path]
    assert reviews(path) == {"q0 paraphrase.1": "accept"}


def test_few_bundles_are_kept_open_and_one_named_twice_lies_there_once(tmp_path: Path) -> None:
    paths = [frozen(tmp_path / f"{at}.jsonl") for at in range(KEPT + 3)]
    desk = Desk([*paths, tmp_path / "x" / ".." / "0.jsonl"])
    assert desk.paths == paths
    first = desk.look(0)
    assert desk.look(0) is first
    for number in range(len(paths)):
        desk.look(number)
    assert len(desk._open) == KEPT
    assert desk.look(0) is not first


def test_a_place_between_those_that_are_looked_through_has_neighbours() -> None:
    place = Place([2, 5, 9], 5)
    assert (place.position, place.previous, place.next) == (2, 2, 9)
    place = Place([2, 9], 5)
    assert (place.position, place.previous, place.next) == (None, 2, 9)
    place = Place([], None)
    assert (place.position, place.previous, place.next) == (None, None, None)
