"""YAML read strictly: the tree, its places, and a sentence for each thing that is wrong."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.config.strict_yaml import MAX_DEPTH, YamlError, parse
from prt.runner.config.yaml_nodes import ListNode, MapNode, Mark, Node, ScalarNode, dotted, plain, walk


def root_of(text: str) -> MapNode:
    root = parse(text).root
    assert isinstance(root, MapNode)
    return root


def scalar_at(text: str, *keys: str | int) -> ScalarNode:
    node: Node = root_of(text)
    for key in keys:
        if isinstance(node, MapNode):
            node = node.entries[str(key)]
        elif isinstance(node, ListNode) and isinstance(key, int):
            node = node.items[key]
    assert isinstance(node, ScalarNode)
    return node


def complaint(text: str) -> str:
    with pytest.raises(YamlError) as caught:
        parse(text)
    fault = caught.value.fault
    return f"{fault.mark.line}:{fault.mark.column}: {fault.message}"


def faults(text: str) -> list[str]:
    return [f"{f.mark.line}:{f.mark.column}: {dotted(f.path)}: {f.message}" for f in parse(text).faults]


TAB = "a tab stands here, where YAML allows only spaces; replace it by spaces"
AFTER = "text follows after the end of a value; put the whole value in quotes ('…', where '' is an apostrophe)"
SINGLE = "put the text in single quotes, '…', where a backslash is just a backslash"
TAG = "tags such as `{}` are not allowed, since a config is plain data; remove it, or put the text in quotes"
WITHIN = "within the `[` opened at line 1; close it before, or put text with `:` in quotes"
STRAY = "a key can't stand here; check the indentation of this line and the end of the value above"
LONE = "this text holds a null character or half a surrogate pair; remove the escape"

SYNTAX = [
    ("a:\n\tb: 1", f"2:1: {TAB}"),
    ("a:\tb", f"1:3: {TAB}"),
    ("a:\n  b: 1\n c: 2", "3:2: this line is indented unlike the lines above; line it up with its block"),
    ("a: 1\n  b: 2", "2:4: a key can't stand here; check the indentation of this line and the end of the value above"),
    (
        "  a: 1\nb: 2",
        "2:1: this line stands outside of what comes before; all keys of the top level start in the same column",
    ),
    ("a: 'it\nb: 2", "1:4: the quote opened here is never closed"),
    ('a: "it\n---\nb', "1:4: the quote opened here is never closed"),
    (
        "a: 'it's'",
        f"1:8: {AFTER}",
    ),
    (
        "a: [A-Z]+",
        f"1:9: {AFTER}",
    ),
    ("a: b: c", "1:5: this line has a second `: `; put a value that contains it in quotes"),
    ("model:local\ndataset: x", "2:8: a space is missing after the colon in the line above, `model:local`"),
    ("a: 1\ndataset:x\nb: 2", "2:1: a space is missing after the colon in `dataset:x`"),
    ("a: 1\nperturbations\nb: 2", "2:1: `perturbations` is neither `key: value` nor a list entry `- value`"),
    ("a: [1, 2", "1:4: the `[` opened here is never closed"),
    ("a: {b: 1", "1:4: the `{` opened here is never closed"),
    ("a: [", "1:5: the file ends here, with a `[` or `{` still open"),
    (
        "a: [b, c\nd: e",
        f"2:2: expected `,` or `]` here, {WITHIN}",
    ),
    ("a: 1\n  b: 2", f"2:4: {STRAY}"),
    ("a: {b: Bearer ${T}}", "1:15: `${…}` between [ ] or { } needs quotes: '${NAME}'"),
    ("a: @b", "1:4: text can't start with `@`; put the text in quotes"),
    ("a: `b`", "1:4: text can't start with a backtick; put the text in quotes"),
    ("a: ,b", "1:4: a value can't start with `,`; put the text in quotes"),
    ("a: *b", "1:4: `*b` repeats no anchor above; text that starts with `*` needs quotes"),
    ("a: &a [*a]", "1:8: `*a` repeats no anchor above; text that starts with `*` needs quotes"),
    ("a: **b**", "1:4: text can't start with `*` or `&`; put the text in quotes"),
    ("a: !e!x y", "1:4: text can't start with `!`, which starts a tag; put the text in quotes"),
    ("a: | x\n  b", "1:6: the text after `|` or `>` starts on the next line"),
    (
        'a: "\\d+"',
        f"1:6: `\\d` is no escape in double quotes; {SINGLE}",
    ),
    (
        'a: "\\x4"',
        f"1:7: a backslash in double quotes starts an escape; {SINGLE}",
    ),
    (
        'a: "\\UFFFFFFFF"',
        "1:7: an escape here names no character; put the text in single quotes, '…', which know no escapes",
    ),
    ("a: - b", "1:4: a list entry `- ` can't follow its key; start it on the next line"),
    ("a: 1\n- b", "2:1: a list entry `- ` stands among keys; indent it under the key that it belongs to"),
    ("- a\nb: 1", "2:1: a key stands among list entries; indent it, or start it with `- `"),
    ("a: 1\n---\nb: 2", "2:1: a second document starts here (`---`); a config is one document"),
    (
        '{"a": 1}\n{"a": 2}',
        "2:1: a second value starts here; this looks like a data file (JSON Lines), and a config is one block",
    ),
    ("a: \x07", "1:4: the character U+0007 is not allowed in YAML; remove it"),
    ("%YAML 2.0\n---\na: 1", "1:1: this is not valid YAML: found incompatible YAML document (version 1.* is required)"),
    ("a: " + "[" * 60, f"1:{MAX_DEPTH + 4}: this is nested deeper than {MAX_DEPTH} levels"),
]


@pytest.mark.parametrize(("text", "expected"), SYNTAX)
def test_broken_syntax_is_one_sentence_with_its_place(text: str, expected: str) -> None:
    assert complaint(text) == expected


def test_aliases_of_aliases_end_before_they_fill_the_memory() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 6)]
    assert "the file holds more than 20,000 values; a config is a small file" in complaint("\n".join(lines))


READABLE = [
    ("a: 1\nb:\n  c: 1\n  c: 2", ["4:3: b.c: this key is given twice, first at line 3, column 3; keep one"]),
    ('1: a\n"1": b', ["2:1: 1: this key is given twice, first at line 1, column 1; keep one"]),
    (
        "a: !!python/object:os.system x",
        [f"1:4: a: {TAG.format('!!python/object:os.system')}"],
    ),
    (
        "a: !!str 1.10",
        [f"1:4: a: {TAG.format('!!str')}"],
    ),
    ("a: &a {b: 1}\nc: {<<: *a}", ["2:5: c.<<: merge keys (`<<`) are not allowed; write the keys out"]),
    ("? [a]\n: b", ["1:3: : a key must be a text; put text with `:`, `[` or `{` in quotes"]),
    ('a: "\\ud800"', [f"1:4: a: {LONE}"]),
    ('a: "\\0"', [f"1:4: a: {LONE}"]),
    ("a: #### (.+)", ["1:3: a: found nothing, since `#` starts a comment; put text with a `#` in quotes"]),
]


@pytest.mark.parametrize(("text", "expected"), READABLE)
def test_what_leaves_the_rest_readable_is_noted_beside_the_tree(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize("text", ["", "# only a comment\n", "\n\n"])
def test_a_file_without_a_value_has_no_tree(text: str) -> None:
    assert parse(text).root is None


def test_every_value_knows_its_place_its_keys_and_how_it_is_written() -> None:
    text = "a:\n  - b: '1.10'\n    c: 1.10\n"
    assert scalar_at(text, "a", 0, "b") == ScalarNode("1.10", "1.10", quoted=True, mark=Mark(2, 8), path=("a", 0, "b"))
    assert scalar_at(text, "a", 0, "c") == ScalarNode(1.1, "1.10", quoted=False, mark=Mark(3, 8), path=("a", 0, "c"))
    assert root_of(text).keys == {"a": Mark(1, 1)}


def test_keys_are_their_text_whatever_yaml_reads_in_them() -> None:
    assert plain(root_of("on: a\n1.10: c\n'': d\n012: e")) == {"on": "a", "1.10": "c", "": "d", "012": "e"}


def test_lines_are_counted_as_editors_count_them() -> None:
    assert scalar_at("a: x\r\nb:\rc: 1\n", "c").mark == Mark(3, 4)


@pytest.mark.parametrize("code", ["0085", "2028", "2029"])
def test_a_hidden_line_break_is_refused_since_yaml_would_fold_it(code: str) -> None:
    hidden = chr(int(code, 16))
    instead = f'remove it, or write "\\u{code}" in double quotes'
    assert complaint(f"a: 1\nb: 'x{hidden}y'") == f"2:6: the character U+{code} ends a line in YAML; {instead}"
    assert scalar_at(f'a: "x\\u{code}y"', "a").value == f"x{hidden}y"


def test_an_alias_repeats_its_anchor_under_keys_of_its_own() -> None:
    text = "a: &x {b: [1]}\nc: *x\n"
    assert plain(root_of(text)) == {"a": {"b": [1]}, "c": {"b": [1]}}
    repeated = root_of(text).entries["c"]
    assert [dotted(node.path) for node in walk(repeated)] == ["c", "c.b", "c.b[0]"]


def test_blocks_of_text_are_text() -> None:
    assert plain(root_of("a: |\n  no\nb: >-\n  12:30\n")) == {"a": "no\n", "b": "12:30"}


Text = st.text(st.characters(exclude_characters="\x00\x7f", exclude_categories=["Cs"]))
# YAML's own limit for a key on one line is 1,024 characters, and JSON may write one character in twelve.
Key = st.text(st.characters(exclude_characters="\x00\x7f", exclude_categories=["Cs"]), max_size=80)
Number = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)
Json = st.recursive(
    st.none() | st.booleans() | Number | Text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(Key, inner, max_size=3),
    max_leaves=12,
)


@given(Json)
@settings(max_examples=60, deadline=None)
def test_json_is_read_as_the_data_that_it_is(data: object) -> None:
    root = parse(json.dumps({"data": data})).root
    assert root is not None
    assert plain(root) == {"data": data}


@given(st.text() | st.text(alphabet="ab:- \n\t[]{}#&*!|>'\"%@`,?\\0${}\r", max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_text_gives_a_tree_or_one_sentence_with_a_place(text: str) -> None:
    try:
        document = parse(text)
    except YamlError as error:
        found = [error.fault]
    else:
        found = list(document.faults)
    for fault in found:
        assert fault.mark.line >= 1
        assert fault.mark.column >= 1
        assert fault.message.isprintable()
