"""The search for the fewest changes that still flip an item: what is asked, and when a prompt flips."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ...perturbations.changes import Change, in_words, rebuilt, unfit
from ...perturbations.delta_debugging import Search, Subset
from ...perturbations.protection.parts import text_parts
from ...perturbations.question import Message, Subject
from ...perturbations.rendering.render import render
from ...perturbations.variant import Edit, Variant
from ...stats import rate_interval
from ..errors import PrtError
from ..flipped import answer_of, gold_words, passed_of, prompt_of
from ..plan import BASELINE
from ..store.read import Result
from .asking import Asking, HaltError, failures
from .case import Case
from .found import Asked, Shrunk, State

Prompt = tuple[Message, ...]
OnTrial = Callable[[Search], None]


def fewest_calls(repeats: int) -> int:
    """The calls that are made before a search and after it."""
    return 2 * repeats + kept_back(repeats)


def kept_back(repeats: int) -> int:
    """The calls that are kept back to ask once more what was found; none where replies don't vary."""
    return repeats if repeats > 1 else 0


class Shrinking:
    """One search. First both ends are asked anew, since a model that gives another result by now can't be searched."""

    def __init__(
        self,
        case: Case,
        asking: Asking,
        *,
        repeats: int,
        protect: Sequence[str] = (),
        on_trial: OnTrial = lambda _: None,
    ) -> None:
        """Begin a search.

        Args:
            case: The flip.
            asking: Asks the model.
            repeats: How often each prompt is asked at most; it flips where more than half of these have the other
                result than the original.
            protect: The user's patterns for text that may not change.
            on_trial: Told after each subset of the changes that was tried.
        """
        original = case.parts.baseline
        self._case = case
        self._asking = asking
        self._repeats = repeats
        self._on_trial = on_trial
        self._subject = Subject(case.item.id, original.question, original.layout, case.item.gold, tuple(protect))
        self._search = Search(len(case.parts.changes))
        self._results: dict[Prompt, list[Result]] = {}
        self._verdicts: dict[Prompt, bool] = {}
        self._unfit = 0
        self._again: list[Result] = []
        self._halted: HaltError | None = None

    async def run(self) -> Shrunk:
        """Search to the end, or until nothing more can be asked."""
        with self._halting():
            if not await self._still_flips():
                return self._shrunk("gone", self._instead())
            self._asking.allowed -= kept_back(self._repeats)
            await self._narrow()
        if self._verdicts and (self._halted is None or self._halted.spent):
            self._asking.allowed += kept_back(self._repeats)
            with self._halting():
                await self._ask_once_more()
        if self._halted is not None:
            return self._shrunk("stopped", str(self._halted))
        if self._again and not self._most(self._again, self._case.to_pass):
            return self._shrunk("unconfirmed", "asked once more, most replies don't flip: the search followed chance")
        return self._shrunk("found", "")

    @contextmanager
    def _halting(self) -> Iterator[None]:
        """Make what the user can act on the reason to end; what is known by then is kept."""
        try:
            yield
        except HaltError as halt:
            self._halted = halt
        except PrtError as error:
            self._halted = HaltError(str(error))

    async def _still_flips(self) -> bool:
        """Ask both ends anew."""
        parts, to_pass = self._case.parts, self._case.to_pass
        for variant in (parts.baseline, parts.variant):
            self._results[prompt_to(variant)] = await self._asking.ask(variant, range(self._repeats), anew=True)
        before, after = (self._results[prompt_to(each)] for each in (parts.baseline, parts.variant))
        if not (self._most(before, not to_pass) and self._most(after, to_pass)):
            return False
        self._verdicts = {prompt_to(parts.baseline): False, prompt_to(parts.variant): True}
        return True

    async def _narrow(self) -> None:
        while (subset := self._search.subset) is not None:
            self._search.tell(shows=await self._flips(subset))
            self._on_trial(self._search)

    async def _flips(self, subset: Subset) -> bool:
        """Whether some of the changes flip the item; a prompt is tried once, whichever changes make it."""
        made = self._made(subset)
        prompt = prompt_to(made)
        if prompt not in self._verdicts:
            reason = unfit(self._case.parts, made, self._subject) or await self._asking.ungradable(made)
            self._unfit += bool(reason)
            self._verdicts[prompt] = not reason and await self._most_flip(made)
        return self._verdicts[prompt]

    async def _most_flip(self, made: Variant) -> bool:
        """Ask a prompt until it is settled what most of its replies come to."""
        results = self._results[prompt_to(made)] = list[Result]()
        while 0 < (needed := self._repeats // 2 + 1 - self._flipping(results)) <= self._repeats - len(results):
            results += await self._asking.ask(made, range(len(results), len(results) + needed))
        return needed <= 0

    async def _ask_once_more(self) -> None:
        """Ask what was found for replies that had no part in finding it, where replies vary."""
        if self._repeats > 1 and len(self._search.best) < len(self._case.parts.changes):
            samples = range(self._repeats, 2 * self._repeats)
            self._again = await self._asking.ask(self._made(self._search.best), samples)

    def _made(self, subset: Subset) -> Variant:
        return rebuilt(self._case.parts, subset)

    def _flipping(self, results: Sequence[Result]) -> int:
        return sum(passed_of(result) is self._case.to_pass for result in results)

    def _most(self, results: Sequence[Result], passed: bool) -> bool:  # noqa: FBT001  the result that is looked for
        return 2 * sum(passed_of(result) is passed for result in results) > self._repeats

    def _instead(self) -> str:
        """What came of both ends instead of a flip."""
        parts, to_pass = self._case.parts, self._case.to_pass
        ends = {BASELINE: parts.baseline, self._case.condition: parts.variant}
        found = {name: asked(variant, self._results[prompt_to(variant)]) for name, variant in ends.items()}
        counts = " and ".join(f"{name} passes in {each.passed} of {each.n}" for name, each in found.items())
        ran = "failed, then passed" if to_pass else "passed, then failed"
        failed = failures([result for results in self._results.values() for result in results])
        return f"asked anew, {counts}; in the run it {ran}" + (f"; {failed}" if failed else "")

    def _shrunk(self, state: State, reason: str) -> Shrunk:
        case, search, parts = self._case, self._search, self._case.parts
        smaller = self._made(search.best) if len(search.best) < len(parts.changes) else None
        flips, judged = self._flipping(self._again), sum(passed_of(result) is not None for result in self._again)
        return Shrunk(
            run=case.run.id,
            item_id=case.item.id,
            condition=case.condition,
            gold=gold_words(case.item),
            state=state,
            reason=reason,
            to_pass=case.to_pass,
            repeats=self._repeats,
            total=len(parts.changes),
            changes=tuple(readable(parts.changes[number], parts.baseline) for number in search.best),
            guarantee=search.guarantee,
            baseline=self._asked(parts.baseline),
            whole=self._asked(parts.variant),
            shrunk=self._asked(smaller) if smaller else None,
            again=asked(smaller, self._again) if smaller and self._again else None,
            again_flips=rate_interval(flips, judged) if self._again else None,
            subsets=search.tried,
            unfit=self._unfit,
            calls=self._asking.calls,
            reused=self._asking.reused,
        )

    def _asked(self, variant: Variant) -> Asked | None:
        results = self._results.get(prompt_to(variant))
        return asked(variant, results) if results else None


def prompt_to(variant: Variant) -> Prompt:
    """What is sent for a variant."""
    return render(variant.question, variant.layout)


def asked(variant: Variant, results: Sequence[Result]) -> Asked:
    """A prompt with what came of it."""
    passes = [passed for result in results if (passed := passed_of(result)) is not None]
    return Asked(prompt_of(variant), variant, sum(passes), len(passes), tuple(map(answer_of, results)))


def readable(change: Change, baseline: Variant) -> tuple[Edit, ...]:
    """The edits of a change, those inside a text by whole words."""
    texts = text_parts(baseline.question)
    return tuple(in_words(edit, texts[edit.part]) if edit.part in texts else edit for edit in change.edits)
