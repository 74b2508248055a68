"""Times other libraries' perturbations, one pass at a time, for `perturb_speed.py`; runs in an environment of theirs.

    python peer_timer.py QUESTIONS.jsonl

Each line of the file has the `text`, `options` and `gold` of a question, and its whole `prompt`. The first line printed
says what each peer is like, or why it can't run; then each name read from standard input is answered by the processor
time of one pass over the questions and the number of variants made.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

RATE = 0.05
"""Share of words (of characters, where a library counts so) to mistype, as ours does by default."""
LONGEST_PASS_S = 3.0

Question = dict[str, Any]
Perturb = Callable[[Question], object]


@dataclass(frozen=True)
class Peer:
    """One perturbation of another library.

    Attributes:
        generator: The generator of ours that it is compared with.
        make: Imports the library and makes the function that perturbs one question.
    """

    generator: str
    make: Callable[[], Perturb]


def nlpaug_keyboard() -> Perturb:
    """Neighbouring keys; one letter a word."""
    augmenter = import_module("nlpaug.augmenter.char").KeyboardAug(
        aug_word_p=RATE, aug_word_max=None, aug_char_min=1, aug_char_max=1, min_char=4
    )
    return lambda question: augmenter.augment(question["text"])


def nlpaug_random_character() -> Perturb:
    """Any letters put in; one letter a word."""
    augmenter = import_module("nlpaug.augmenter.char").RandomCharAug(
        action="insert", aug_word_p=RATE, aug_word_max=None, aug_char_min=1, aug_char_max=1, min_char=4
    )
    return lambda question: augmenter.augment(question["text"])


def textattack_qwerty() -> Perturb:
    """Neighbouring keys, without any constraint."""
    qwerty = import_module("textattack.transformations").WordSwapQWERTY()
    augmenter = import_module("textattack.augmentation").Augmenter(qwerty, constraints=[], pct_words_to_swap=RATE)
    return lambda question: augmenter.augment(question["text"])


def textattack_easy_data() -> Perturb:
    """Synonyms, insertions, swaps and deletions of words; needs WordNet on disk."""
    augmentation = import_module("textattack.augmentation")
    augmenter = augmentation.EasyDataAugmenter(pct_words_to_swap=RATE, transformations_per_example=1)
    return lambda question: augmenter.augment(question["text"])


def promptsuite_butter_finger() -> Perturb:
    """Neighbouring keys, by character."""
    augmenter = import_module("promptsuite.augmentations.text.noise").TextNoiseAugmenter(seed=1)
    return lambda question: augmenter.butter_finger(question["text"], prob=RATE, max_outputs=1)


def promptsuite_spaces() -> Perturb:
    """More white space between words."""
    augmenter = import_module("promptsuite.augmentations.text.noise").TextNoiseAugmenter(seed=1)
    return lambda question: augmenter.add_white_spaces(question["text"], max_outputs=1)


def promptsuite_shuffle() -> Perturb:
    """The options in another order, with the new place of the right one."""
    augmenter = import_module("promptsuite.augmentations.structure.shuffle").ShuffleAugmenter(n_augments=1, seed=1)
    return lambda question: augmenter.augment(
        question["options"], {"gold_field": "answer", "gold_value": question["gold"]}
    )


def promptsuite_format() -> Perturb:
    """Separators and casing of a prompt; the first of two variants is the original."""
    module = import_module("promptsuite.augmentations.text.format_structure")
    augmenter = module.FormatStructureAugmenter(n_augments=2, seed=1)
    return lambda question: augmenter.augment(question["prompt"])


PEERS = {
    "nlpaug KeyboardAug": Peer("typo", nlpaug_keyboard),
    "nlpaug RandomCharAug": Peer("typo", nlpaug_random_character),
    "textattack WordSwapQWERTY": Peer("typo", textattack_qwerty),
    "textattack EasyDataAugmenter": Peer("paraphrase", textattack_easy_data),
    "promptsuite butter_finger": Peer("typo", promptsuite_butter_finger),
    "promptsuite add_white_spaces": Peer("noise", promptsuite_spaces),
    "promptsuite ShuffleAugmenter": Peer("reorder", promptsuite_shuffle),
    "promptsuite FormatStructure": Peer("format", promptsuite_format),
}


def ready(questions: list[Question]) -> tuple[dict[str, Perturb], dict[str, dict[str, str]]]:
    """Make every peer and try it on a question; of those that can't run, say why."""
    usable: dict[str, Perturb] = {}
    told = {}
    for name, peer in PEERS.items():
        problem = ""
        try:
            usable[name] = peer.make()
            usable[name](questions[0])
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever another library fails with is what is told
            usable.pop(name, None)
            said = (line.strip(" *") for line in str(error).splitlines())
            problem = f"{type(error).__name__}: {next(filter(None, said), 'no reason given')}"
        told[name] = {"generator": peer.generator, "problem": problem}
    return usable, told


def one_pass(perturb: Perturb, questions: list[Question]) -> dict[str, float]:
    """Perturb the questions one after the other; a slow peer gets through the first of them only."""
    started, variants = time.process_time(), 0
    while variants < len(questions) and time.process_time() - started < LONGEST_PASS_S:
        perturb(questions[variants])
        variants += 1
    return {"seconds": time.process_time() - started, "variants": variants}


def main() -> None:
    """Answer until standard input ends."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    questions: list[Question] = [json.loads(line) for line in lines]
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        usable, told = ready(questions)
        print(json.dumps(told), file=answers, flush=True)
        for line in sys.stdin:
            perturb = usable[line.strip()]
            print(json.dumps(one_pass(perturb, questions)), file=answers, flush=True)


if __name__ == "__main__":
    main()
