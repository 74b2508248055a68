"""JSON by orjson means what the standard library's means."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.models.completion import read_object
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.fast_json import decoded, encoded
from prt.runner.models.status import HttpAnswer
from pydantic import JsonValue as Json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES)
def test_what_is_encoded_reads_as_the_same_by_the_standard_library(value: Json) -> None:
    assert json.loads(encoded(value)) == value


@given(VALUES.filter(lambda value: isinstance(value, dict)))
def test_an_object_is_read_as_the_standard_library_reads_it(value: Json) -> None:
    body = json.dumps(value).encode()
    assert read_object(HttpAnswer(200, {}, body), "it") == json.loads(body, parse_int=as_read)


def as_read(digits: str) -> int | float:
    """A number of more than 64 bits is a float to orjson; no such number is looked at."""
    number = int(digits)
    return number if -(2**63) <= number < 2**64 else float(digits)


def test_half_a_surrogate_pair_is_read_but_not_sent() -> None:
    assert read_object(HttpAnswer(200, {}, b'{"a": "\\ud83d"}'), "it") == {"a": "\ud83d"}
    with pytest.raises(UnicodeEncodeError):
        encoded({"a": "\ud83d"})


def test_a_number_of_any_length_is_sent() -> None:
    assert encoded({"a": 10**30}) == b'{"a":1000000000000000000000000000000}'


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b'\xef\xbb\xbf{"a": "\xc3\xb6"}', ""),
        (b'{"a": "\xf6"}', "application/json; charset=latin-1"),
        (b'{"a":"\xc3\xb6"}', ""),
    ],
)
def test_a_mark_at_the_start_and_another_charset_are_read(body: bytes, content_type: str) -> None:
    assert read_object(HttpAnswer(200, {"content-type": content_type}, body), "it") == {"a": "ö"}


@pytest.mark.parametrize("body", [b"", b"[1]", b"{", b'{"a": ' * 5000, b"\xff\xfe", b"nul"])
def test_what_is_no_object_is_a_failed_attempt(body: bytes) -> None:
    with pytest.raises(FailedAttempt):
        read_object(HttpAnswer(200, {}, body), "it")


def test_decoding_alone_refuses_what_the_standard_library_may_still_read() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        decoded(b'{"a": "\\ud83d"}')
