"""A generator of the user's own is named in the config, checked like any other, and never ends a run in a traceback."""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prt.perturbations import Gold, Question, Subject, Variant, perturb
from prt.perturbations.bundle import read_bundle
from prt.runner.config.loading import parse_config
from prt.runner.config.schema import PythonGeneratorConfig
from prt.runner.errors import ConfigError
from prt.runner.generators import build_generators
from prt.runner.own_generator import OwnGenerator
from prt.runner.own_loading import make_own
from prt.runner.reviewing import words_move
from pydantic import JsonValue as Json

from .command_line import CommandLine

QUESTION = Question(
    "Which of the 3 metals does not melt in a kitchen oven?",
    ("iron", "salt", "ice"),
    instruction="Choose one.",
    context=("An oven has 250 degrees.",),
    answer_form="label",
)
SUBJECT = Subject("q7", QUESTION, gold=Gold(options=(0,)), protect=("kitchen",))


@pytest.fixture(autouse=True)
def clean_imports() -> Iterator[None]:
    path = list(sys.path)
    yield
    sys.path[:] = path
    forget_user_code()


def forget_user_code() -> None:
    """Let a file be read anew, as another process would."""
    for name in [name for name in sys.modules if name.startswith("_prt_user_")]:
        del sys.modules[name]


def own(folder: Path, program: str, found: str = "mine", **config: Json) -> OwnGenerator:
    """The generator of a program that defines `mine`."""
    place = folder / f"gen{len(list(folder.iterdir()))}.py"
    place.write_text(f"from dataclasses import dataclass, replace\nfrom prt.perturbations import *\n{program}\n")
    section = PythonGeneratorConfig.model_validate({"callable": f"{place.name}:{found}", **config})
    return make_own(section, base=folder)


def variants(folder: Path, program: str, found: str = "mine", **config: Json) -> list[Variant]:
    return perturb(SUBJECT, [own(folder, program, found, **config)], seed=1)


def one(folder: Path, program: str, found: str = "mine", **config: Json) -> Variant:
    (variant,) = variants(folder, program, found, **config)
    return variant


def refusal(folder: Path, program: str, found: str = "mine", **config: Json) -> str:
    with pytest.raises(ConfigError) as caught:
        variants(folder, program, found, **config)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    return str(caught.value)


TEXT = "def mine(question, rng, word='please'): return f'{question.text} Tell me, {word}.'"


def test_a_function_gives_the_new_text(tmp_path: Path) -> None:
    found = one(tmp_path, TEXT)
    assert (found.condition, found.outcome, found.tier, found.version) == ("mine.1", "applied", "checked", 1)
    assert found.question.text == f"{QUESTION.text} Tell me, please."
    assert [(edit.part, edit.before, edit.kind) for edit in found.edits] == [("text", QUESTION.text, "mine")]
    assert found.permutation == (0, 1, 2)


def test_it_is_given_the_parameters_of_the_config(tmp_path: Path) -> None:
    found = one(tmp_path, TEXT, parameters={"word": "now"}, name="urge", tier="stress")
    assert found.question.text.endswith("Tell me, now.")
    assert (found.condition, found.tier) == ("urge.1", "stress")


def test_a_function_may_give_a_whole_question_with_other_texts(tmp_path: Path) -> None:
    program = "def mine(question, rng): return replace(question, instruction='Well, choose one.', system='Think.')"
    found = one(tmp_path, program)
    assert (found.outcome, found.question.instruction, found.question.system) == (
        "applied",
        "Well, choose one.",
        "Think.",
    )
    assert {edit.part for edit in found.edits} == {"instruction", "system"}


@pytest.mark.parametrize(
    ("program", "outcome", "reason"),
    [
        ("return None", "not_applicable", "the generator has nothing for this item"),
        ("return question", "unchanged", "the generator gave the original back"),
        ("return question.text", "unchanged", "the generator gave the original back"),
        ("return question.text.replace('not ', '')", "rejected", "protected text (negation) changed or moved: 'not'"),
        ("return question.text.replace('3', '4')", "rejected", "protected text (number) changed or moved: '3'"),
        ("return question.text.replace('kitchen', 'Kitchen')", "rejected", "protected text (user) changed or moved"),
        ("return replace(question, options=question.options[::-1])", "rejected", "option 1 changed: 'iron' to 'ice'"),
        ("return replace(question, options=question.options[:2])", "rejected", "an option was added or taken away"),
        ("return replace(question, answer_form='text')", "rejected", "the answer form changed"),
        ("return replace(question, history=(Message('user', 'x'),))", "rejected", "the history changed"),
        ("return replace(question, examples=(Example('x'),))", "rejected", "the examples changed"),
        ("return replace(question, context=())", "rejected", "a context passage was added or taken away"),
    ],
)
def test_what_it_may_not_touch_is_rejected(tmp_path: Path, program: str, outcome: str, reason: str) -> None:
    found = one(tmp_path, f"def mine(question, rng): {program}")
    assert (found.outcome, found.reason[: len(reason)]) == (outcome, reason)


def test_chance_comes_from_the_draw_alone_so_that_the_same_seed_makes_the_same_variants(tmp_path: Path) -> None:
    program = "def mine(question, rng): return f'{question.text} ({rng.choice(\"abcdefgh\")})'"
    generator = own(tmp_path, program, variants=4)
    first = perturb(SUBJECT, [generator], seed=1)
    assert first == perturb(SUBJECT, [generator], seed=1)
    assert len({each.question.text for each in first}) == 4
    assert first != perturb(SUBJECT, [generator], seed=2)


@pytest.mark.parametrize(
    "program",
    [
        "COUNT = []\ndef mine(question, rng):\n    COUNT.append(1)\n    return f'{question.text} {len(COUNT)}'",
        "import random\ndef mine(question, rng): return f'{question.text} {random.random()}'",
        "import time\ndef mine(question, rng): return f'{question.text} {time.perf_counter_ns()}'",
    ],
)
def test_one_that_is_no_function_of_its_arguments_is_refused(tmp_path: Path, program: str) -> None:
    assert refusal(tmp_path, program) == (
        "perturbations.python: gen0.py:mine makes another variant when it is called again with the same arguments; all "
        "chance must come from the `rng` that it is given (item 'q7', generator `mine`)"
    )


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("raise ValueError('no\\n  such word')", "raised ValueError: no such word (gen0.py:5)"),
        ("return int('x')", "raised ValueError: invalid literal for int() with base 10: 'x' (gen0.py:5)"),
        ("return json.loads('{')", "raised JSONDecodeError: Expecting property name"),
        ("raise SystemExit(3)", "raised SystemExit: 3 (gen0.py:5)"),
        ("assert False", "raised AssertionError (gen0.py:5)"),
        ("return mine(question, rng)", "raised RecursionError: maximum recursion depth exceeded"),
        ("return 3", "gave back int; allowed are the new text (str), a Question, or None for nothing"),
        ("yield 3", "gave back generator; allowed are"),
        (
            "return replace(question, text=None)",
            "raised TypeError: Question: text is None, of the type NoneType; write a text (gen0.py:5)",
        ),
        ("return replace(question, text={1})", "raised TypeError: Question: text is {1}, of the type set"),
    ],
)
def test_what_goes_wrong_in_it_is_one_sentence_with_item_generator_and_line(
    tmp_path: Path, body: str, what: str
) -> None:
    sentence = refusal(tmp_path, f"import json\ndef mine(question, rng):\n    {body}")
    assert sentence.startswith(f"perturbations.python: gen0.py:mine {what}")
    assert sentence.endswith("(item 'q7', generator `mine`)")


def test_the_line_is_that_of_the_users_own_code_though_a_library_raised(tmp_path: Path) -> None:
    program = (
        "import json\ndef read(text):\n    return json.loads(text)\ndef mine(question, rng):\n    return read('{')"
    )
    assert "(gen0.py:5)" in refusal(tmp_path, program)


LOUD = """
@dataclass(frozen=True)
class Loud:
    mark: str = "!"
    name = "loud"
    version = 4
    tier = "stress"
    variants = 2

    def parameters(self):
        return {"mark": self.mark}

    def draft(self, subject, draw):
        text = subject.question.text + self.mark * draw.number
        edit = Edit("text", len(subject.question.text), "", self.mark * draw.number, "mark")
        return Draft("applied", question=replace(subject.question, text=text), edits=(edit,), severity=0.25)
"""


def test_a_class_is_made_with_the_parameters_and_says_what_it_is(tmp_path: Path) -> None:
    first, second = variants(tmp_path, LOUD, "Loud", parameters={"mark": "?"})
    assert (first.condition, second.condition) == ("loud.1", "loud.2")
    assert (first.version, first.tier, first.severity) == (4, "stress", 0.25)
    assert second.question.text == f"{QUESTION.text}??"
    assert [(edit.start, edit.after, edit.kind) for edit in second.edits] == [(len(QUESTION.text), "??", "mark")]


def test_the_config_says_name_tier_and_variants_before_the_class_does(tmp_path: Path) -> None:
    found = one(tmp_path, LOUD, "Loud", name="shout", tier="checked", variants=1)
    assert (found.condition, found.tier) == ("shout.1", "checked")


def class_of(body: str, said: str = "pass") -> str:
    return f"class Mine:\n    {said}\n    def draft(self, subject, draw):\n        {body}"


def test_a_class_may_move_options_and_is_held_to_where_it_says_they_went(tmp_path: Path) -> None:
    moved = "replace(subject.question, options=subject.question.options[::-1])"
    right = class_of(f"return Draft('applied', question={moved}, permutation=(2, 1, 0))", "tier = 'guaranteed'")
    found = one(tmp_path, right, "Mine")
    assert (found.outcome, found.tier, found.permutation) == ("applied", "guaranteed", (2, 1, 0))
    wrong = class_of(f"return Draft('applied', question={moved}, permutation=(0, 1, 2))")
    assert one(tmp_path, wrong, "Mine").reason == "option 1 changed: 'iron' to 'ice'"


def test_one_that_claims_to_be_guaranteed_may_change_no_text(tmp_path: Path) -> None:
    changed = "replace(subject.question, text=subject.question.text + ' Please.')"
    program = class_of(f"return Draft('applied', question={changed})", "tier = 'guaranteed'")
    assert one(tmp_path, program, "Mine").reason == "the text changed, where order and layout alone may"


def test_a_class_that_says_that_it_has_validated_its_draft_is_not_believed(tmp_path: Path) -> None:
    changed = "replace(subject.question, text='Which metal does melt?')"
    program = class_of(f"return Draft('applied', question={changed}, validated=True)")
    assert one(tmp_path, program, "Mine").outcome == "rejected"


def test_the_right_answer_is_not_its_to_change(tmp_path: Path) -> None:
    changed = "replace(subject.question, text=subject.question.text + ' Please.')"
    program = class_of(f"return Draft('applied', question={changed}, gold=Gold(options=(1,)))")
    found = one(tmp_path, program, "Mine")
    assert (found.outcome, found.reason, found.gold) == ("rejected", "the right answer changed", None)


@pytest.mark.parametrize("edits", ["Edit('text', 0, 'x', 'y', 'z'),", "Edit('title', 0, '', 'y', 'z'),"])
def test_edits_that_do_not_lead_to_the_question_are_not_kept(tmp_path: Path, edits: str) -> None:
    changed = "replace(subject.question, text=subject.question.text + ' Please.')"
    found = one(tmp_path, class_of(f"return Draft('applied', question={changed}, edits=({edits}))"), "Mine")
    assert [(edit.part, edit.before) for edit in found.edits] == [("text", QUESTION.text)]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("return 'text'", "gave back str; a class gives back a Draft"),
        ("return Draft('done')", "gave back a Draft of the outcome 'done' and the reason ''"),
        ("return Draft('applied', question='x')", "gave back str where Question is wanted"),
        ("return Draft('applied', severity=2)", "gave back the severity 2; a share from 0 to 1 is allowed, or None"),
        ("return Draft('applied', permutation=[0])", "gave back the order [0]; a tuple of places is allowed, or None"),
        ("return Draft('applied', edits=(1,))", "gave back int where Edit is wanted"),
        ("return Draft('applied', layout=Layout(markup='html'))", "gave back a Layout that can't be: markup: expected"),
    ],
)
def test_a_draft_that_is_none_is_refused(tmp_path: Path, body: str, what: str) -> None:
    assert refusal(tmp_path, class_of(body), "Mine").startswith(f"perturbations.python: gen0.py:Mine {what}")


@pytest.mark.parametrize(
    ("program", "found", "sentence"),
    [
        ("async def mine(question, rng): pass", "mine", "gen0.py:mine is async; a generator is a plain function"),
        (
            "def mine(question): pass",
            "mine",
            "gen0.py:mine has the arguments (question), and is called with (question,",
        ),
        ("class Mine: pass", "Mine", "the class gen0.py:Mine has no method `draft(subject, draw)`"),
        (
            class_of("pass", "tier = 'control'"),
            "Mine",
            "a control changes what is right, which no generator of your own",
        ),
        (
            class_of("pass", "tier = 'sure'"),
            "Mine",
            "`tier` of gen0.py:Mine is 'sure'; allowed are guaranteed, checked,",
        ),
        (class_of("pass", "version = '1'"), "Mine", "`version` of gen0.py:Mine is '1'; a whole number is allowed"),
        (class_of("pass", "variants = 0"), "Mine", "`variants` of gen0.py:Mine is 0; a whole number from 1 to 100"),
        (class_of("pass", "name = 'a.b'"), "Mine", "would make the conditions `a.b.1`, which stand for something else"),
        ("def typo(question, rng): pass", "typo", "would make the conditions `typo.1`, which stand for something else"),
        ("mine = lambda question, rng: None", "mine", "would make the conditions `<lambda>.1`"),
        (
            "class Mine:\n    def __init__(self): raise OSError('no file')",
            "Mine",
            "raised OSError: no file (gen0.py:4)",
        ),
        ("mine = 3", "mine", "is int, not a function"),
        ("def mine(question, rng:", "mine", "raised SyntaxError"),
    ],
)
def test_what_can_not_be_loaded_is_refused_before_any_draw(
    tmp_path: Path, program: str, found: str, sentence: str
) -> None:
    assert sentence in refusal(tmp_path, program, found)


def test_a_parameter_that_it_does_not_take_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path, TEXT, parameters={"wrod": "now"}) == (
        "perturbations.python: gen0.py:mine has the arguments (question, rng, word='please'), and is called with "
        "(question, rng, wrod=…): got an unexpected keyword argument 'wrod'"
    )


MOVED = "def mine(question, rng): return 'In a kitchen oven, which of the 3 metals does not melt?'"


def test_words_may_move_only_where_the_config_says_so_and_the_validators_look_then(tmp_path: Path) -> None:
    assert one(tmp_path, MOVED).outcome == "rejected"
    found = one(tmp_path, MOVED, moves_words=True)
    assert (found.outcome, words_move(found)) == ("applied", True)
    assert (
        one(tmp_path, MOVED.replace("not ", ""), moves_words=True).reason == "text: negations differ: 'not' is missing"
    )
    other = "def mine(question, rng): return replace(question, text='In a kitchen oven?', options=('a', 'b', 'c'))"
    assert one(tmp_path, other, moves_words=True).reason == "the options changed, where words alone may move"
    class_moved = class_of("return Draft('applied', layout=Layout(labels='1'))")
    assert one(tmp_path, class_moved, "Mine", moves_words=True).reason == (
        "the layout or the order changed, where words alone may move"
    )


def test_an_edited_source_or_other_parameters_make_another_generator(tmp_path: Path) -> None:
    plain, edited = own(tmp_path, TEXT).parameters(), own(tmp_path, f"{TEXT}\n# edited").parameters()
    assert plain["source_sha256"] != edited["source_sha256"]
    told = own(tmp_path, TEXT, parameters={"word": "sesame"}).parameters()
    assert told["parameters_sha256"] != plain["parameters_sha256"]
    assert "sesame" not in json.dumps(told)


def test_it_can_be_a_step_of_a_composition(tmp_path: Path) -> None:
    (tmp_path / "gen.py").write_text(TEXT)
    whole = {"model": "local", "dataset": "d", "perturbations": [[{"python": "gen.py:mine"}, "reorder"]]}
    config = parse_config(yaml.safe_dump(whole), Path("c.yaml"), env={}).config
    (found,) = perturb(SUBJECT, build_generators(config, base=tmp_path)[:1], seed=1)
    assert (found.condition, found.outcome) == ("mine+reorder.1", "applied")
    assert found.question.text.endswith("Tell me, please.")
    assert found.permutation != (0, 1, 2)


@pytest.mark.parametrize(
    "entry",
    [
        {"python": {"callable": "gen.py:mine", "variants": 2, "parameters": {"word": "now"}}},
        {"python": "gen.py:mine", "variants": 2, "parameters": {"word": "now"}},
        {"parameters": {"word": "now"}, "python": "gen.py:mine", "variants": 2},
    ],
)
def test_its_keys_may_stand_beside_the_callable(entry: Json) -> None:
    whole = {"model": "local", "dataset": "d", "perturbations": [entry, [entry, "typo"]]}
    config = parse_config(yaml.safe_dump(whole, sort_keys=False), Path("c.yaml"), env={}).config
    expected = PythonGeneratorConfig(callable="gen.py:mine", variants=2, parameters={"word": "now"})
    assert [entry[0].config for entry in config.perturbations] == [expected, expected]


def test_the_short_form_is_the_callable_alone() -> None:
    whole = {"model": "local", "dataset": "d", "perturbations": [{"python": "gen.py:mine"}]}
    config = parse_config(yaml.safe_dump(whole), Path("c.yaml"), env={}).config
    assert config.perturbations[0][0].config == PythonGeneratorConfig(callable="gen.py:mine")


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("python", "perturbations[0].callable: this key is missing"),
        ({"python": "gen.py"}, "expected `package.module:function` or `file.py:function`, found"),
        ({"python": {"callable": "gen.py:f", "tier": "guaranteed"}}, "expected `checked` or `stress`"),
        ({"python": {"callable": "gen.py:f", "varaints": 2}}, "unknown key; did you mean `variants`?"),
        ({"python": "gen.py:f", "varaints": 2}, "unknown key; did you mean `variants`?"),
        ({"python": "gen.py:f", "typo": {}}, "`python` and `typo` stand in one entry; give each a `- ` of its own"),
        ({"python": {"callable": "gen.py:f"}, "variants": 2}, "`variants` stands beside `python`; indent it"),
        ({"python": ["gen.py:f"]}, "expected a block of parameters, found a list"),
    ],
)
def test_a_mistake_in_the_entry_is_named(entry: Json, sentence: str) -> None:
    whole = {"model": "local", "dataset": "d", "perturbations": [entry]}
    with pytest.raises(ConfigError) as caught:
        parse_config(yaml.safe_dump(whole), Path("c.yaml"), env={})
    assert sentence in str(caught.value)


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def run_config(prt: CommandLine, program: str, **changes: Json) -> None:
    """A config whose model writes down that it was called."""
    prt.write("answering.py", "def answer(messages):\n    open('called', 'a').close()\n    return 'A'\n")
    prt.write("gen.py", program)
    config: dict[str, Json] = {
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": prt.capitals(),
        "perturbations": [{"python": "gen.py:mine"}],
        **changes,
    }
    prt.write("prt.yaml", yaml.safe_dump(config, sort_keys=False))


def test_a_run_asks_its_variants_and_prints_nothing_of_what_it_prints(prt: CommandLine) -> None:
    run_config(prt, f"print('loading')\n{TEXT}")
    ended = prt("run", "prt.yaml", "--json")
    assert ended.code == 0
    assert [each["summary"]["condition"] for each in ended.json["conditions"]] == ["mine.1"]
    assert "loading" in ended.err


@pytest.mark.parametrize("command", ["run", "check", "plan", "perturb"])
def test_an_exception_in_it_ends_in_one_sentence_and_nothing_was_called(prt: CommandLine, command: str) -> None:
    run_config(
        prt, "def mine(question, rng):\n    if 'Italy' in question.text:\n        raise KeyError('no such country')"
    )
    ended = prt(command, "prt.yaml")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "prt: perturbations.python: gen.py:mine raised KeyError: 'no such country' (gen.py:3) (item 'q2', generator "
        "`mine`)\n"
    )
    assert not Path("called").exists()


def test_a_bundle_of_another_source_is_refused(prt: CommandLine) -> None:
    run_config(prt, TEXT, bundle="frozen.jsonl")
    assert prt("perturb", "prt.yaml").code == 0
    assert prt("check", "prt.yaml").code == 0
    forget_user_code()
    prt.write("gen.py", f"{TEXT}\n")
    ended = prt("check", "prt.yaml")
    assert ended.code == 2
    assert ended.err.startswith("prt: frozen.jsonl: the bundle has `mine` with source_sha256 ")


def test_its_variants_can_be_required_to_be_accepted(prt: CommandLine) -> None:
    entry: Json = {"python": {"callable": "gen.py:mine", "review": "required"}}
    run_config(prt, TEXT, bundle="frozen.jsonl", perturbations=[entry])
    assert prt("perturb", "prt.yaml").code == 0
    ended = prt("check", "prt.yaml")
    assert ended.code == 2
    assert "not reviewed yet); `prt perturb --review prt.yaml` lets you accept variants" in ended.err


def test_chance_is_the_draws_own(tmp_path: Path) -> None:
    """Nothing is taken from, or left in, the source of chance that all of Python shares."""
    generator = own(tmp_path, "def mine(question, rng): return f'{question.text} {rng.random()}'")
    random.seed(5)
    before = random.getstate()
    perturb(SUBJECT, [generator], seed=1)
    assert random.getstate() == before


def test_the_example_of_the_guide_makes_variants(prt: CommandLine) -> None:
    guide = Path(__file__).parents[2] / "docs" / "perturbations.md"
    section = guide.read_text(encoding="utf-8").partition("\n## A generator of your own\n")[2].partition("\n## ")[0]
    (program,) = re.findall(r'```python\n("""generators.py.*?)```', section, re.DOTALL)
    (entries,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    run_config(prt, "", **yaml.safe_load(entries))
    prt.write("generators.py", program)
    assert prt("perturb", "--stats", "prt.yaml").code == 0
    made = [each for each in read_bundle("prt.bundle.jsonl").variants if each.item_id == "q0"]
    assert [each.condition for each in made] == ["baseline", "thanks.1", "cheers.1", "cheers.2"]
    assert {each.outcome for each in made} == {"applied"}
    assert made[1].question.text == f"{made[0].question.text} Thank you."
    assert {each.question.text.rpartition(" ")[2] for each in made[2:]} == {"Cheers.", "Ta."}
