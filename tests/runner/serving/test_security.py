"""Who is let in: names, origins, tokens, sizes; and what the headers allow a page."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.serving.security import COOKIE, host_of
from prt.runner.serving.settings import Settings

from .site import Answer, Site

pytestmark = pytest.mark.storeless

Serve = Callable[[Settings], Site]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LIMIT = 4096


@pytest.fixture(scope="module")
def local(serve: Serve) -> Site:
    return serve(Settings("nowhere.db", hosts=("lab.example",), upload_limit=LIMIT))


@pytest.fixture(scope="module")
def shared(serve: Serve) -> Site:
    return serve(Settings("nowhere.db", "0.0.0.0", token="s3cret-7"))  # noqa: S104, S106 - it is only told so


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8321", "127.0.0.1.evil.example", "localhost@evil.example", "[::1", "", "10.0.0.7"],
)
def test_another_name_is_refused(local: Site, host: str) -> None:
    answer = local.ask("/", headers={"Host": host})
    assert answer.status in {400, 421}
    assert "<html" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9000", "LOCALHOST", "[::1]:8321", "127.0.0.2", "lab.example"])
def test_the_names_of_this_machine_are_answered(local: Site, host: str) -> None:
    assert local.ask("/plan", headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://127.0.0.1.evil.example"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_another_site_is_refused(local: Site, origin: str, method: str) -> None:
    assert local.ask("/", method=method, headers={"Origin": origin, **FORM}, body=b"table=x").status == 403


def test_a_request_of_its_own_pages_is_answered(local: Site) -> None:
    headers = {"Origin": local.address, "Sec-Fetch-Site": "same-origin", **FORM}
    assert local.ask("/", method="POST", headers=headers, body=b"table=item,a,b%0Ax,1,0").status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_of_another_site_without_an_origin_is_refused(local: Site, site: str) -> None:
    assert local.ask("/", method="POST", headers={"Sec-Fetch-Site": site, **FORM}, body=b"table=x").status == 403


def test_a_program_that_sends_neither_is_answered(local: Site) -> None:
    assert local.ask("/", method="POST", headers=FORM, body=b"table=item,a,b%0Ax,1,0").status == 200


def test_more_than_is_read_is_refused_before_it_comes(local: Site) -> None:
    answer = local.ask("/", method="POST", headers={**FORM, "Content-Length": str(100 << 20)}, body=b"table=")
    assert answer.status == 413
    assert "prt analyze FILE" in answer.text


def test_more_than_is_read_is_refused_where_its_length_is_not_said(local: Site) -> None:
    chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    answer = local.ask(
        "/api/analyse", method="POST", headers={**FORM, "Transfer-Encoding": "chunked"}, body=chunk * 3 + b"0\r\n\r\n"
    )
    assert answer.status == 413


def test_the_most_that_is_read_is_read(local: Site) -> None:
    body = b"table=item,a,b%0Ax,1,0".ljust(LIMIT, b"+")
    assert local.ask("/api/analyse", method="POST", headers=FORM, body=body).status == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/page.css", "/plan"])
def test_every_answer_allows_a_page_nothing_from_elsewhere(local: Site, path: str) -> None:
    policy = local.ask(path).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert local.ask(path).headers["x-content-type-options"] == "nosniff"


def test_no_page_holds_a_script_or_a_style_of_its_own(local: Site) -> None:
    for path in ("/", "/plan", "/nothing"):
        html = local.ask(path).text
        assert "<style" not in html
        assert " style=" not in html
        assert "<script>" not in html
        assert " onclick=" not in html


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../app.py",
        "/static/..%2f..%2fapp.py",
        "/static/page.html.j2",
        "/static/example.csv",
        "/static//etc/passwd",
        "/static/%00",
        "//evil.example/",
        "/..%5c..%5cpyproject.toml",
    ],
)
def test_no_other_file_is_served(local: Site, path: str) -> None:
    answer = local.ask(path)
    assert answer.status == 404
    assert "import" not in answer.text
    assert "root:" not in answer.text


def cookie_of(answer: Answer) -> str:
    return answer.headers["set-cookie"]


def test_a_shared_server_wants_its_token(shared: Site) -> None:
    assert shared.ask("/").status == 401
    assert shared.ask("/plan?token=guess").status == 401
    assert shared.ask("/", headers={"Authorization": "Bearer guess"}).status == 401
    assert shared.ask("/", headers={"Cookie": f"{COOKIE}-{shared.port}=guess"}).status == 401
    assert shared.ask("/", method="POST", headers=FORM, body=b"table=x&token=s3cret").status == 401


def test_the_token_is_taken_once_from_the_address_and_then_from_a_cookie(shared: Site) -> None:
    first = shared.ask("/plan?items=50&token=s3cret-7")
    assert first.status == 303
    assert first.headers["location"] == "/plan?items=50"
    assert "HttpOnly" in cookie_of(first)
    assert "samesite=strict" in cookie_of(first).casefold()
    assert shared.ask("/plan", headers={"Cookie": cookie_of(first).partition(";")[0]}).status == 200


def test_two_servers_of_a_host_do_not_take_each_other_s_cookie_away(shared: Site, serve: Serve) -> None:
    other = serve(Settings("nowhere.db", "0.0.0.0", token="s3cret-8"))  # noqa: S104, S106 - it is only told so
    kept: dict[str, str] = {}
    for site, token in ((shared, "s3cret-7"), (other, "s3cret-8")):
        name, _, value = cookie_of(site.ask(f"/plan?token={token}")).partition(";")[0].partition("=")
        kept[name] = value
    cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in kept.items())}
    assert [site.ask("/plan", headers=cookies).status for site in (shared, other)] == [200, 200]


def test_a_path_of_two_slashes_leads_to_no_other_host(shared: Site) -> None:
    answer = shared.ask("//evil.example/?token=s3cret-7")
    assert answer.headers["location"] == "/evil.example/"


def test_a_name_is_refused_also_where_every_address_is_listened_on(shared: Site) -> None:
    assert shared.ask("/", headers={"Host": "evil.example"}).status == 421
    assert shared.ask("/", headers={"Host": "192.0.2.7:8321"}).status == 401


@given(st.text(max_size=40))
def test_no_host_header_names_a_host_with_a_path_or_a_user(header: str) -> None:
    host = host_of(header)
    assert host is None or not set(host) & set("/?#@")
