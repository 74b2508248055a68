"""Loading a generator of the user's own: a function or a class, and what it says of itself."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path

from ..perturbations import Draft, Draw, Subject
from ..perturbations.canonical import canonical_hash
from ..perturbations.variant import Tier
from .callables import load_callable, source_digest
from .config.schema import GENERATORS, PythonGeneratorConfig
from .own_generator import KEY, OwnGenerator, Propose, UnusableError, raised, refusal

NAME = re.compile(r"[^\W\d][\w-]*")
MOST_VARIANTS = 100
TIERS: tuple[Tier, ...] = ("guaranteed", "checked", "stress")
CALLED_WITH = ("question", "rng")


def make_own(config: PythonGeneratorConfig, *, base: Path) -> OwnGenerator:
    """Make the generator of a `python:` entry.

    Args:
        config: The entry.
        base: Folder that a relative file is relative to.

    Raises:
        ConfigError: There is no such function or class, it can't be given these parameters, or what it says of itself
            can't be.
    """
    found = load_callable(config.callable, base=base, key=f"{KEY}.callable")
    source = source_of(found)
    made: object = None
    if inspect.isclass(found):
        made, propose = instance(found, config, source)
    else:
        propose = function(found, config)
    return OwnGenerator(
        name=name_of(config, found if made is None else made),
        version=version_of(config, made),
        tier=tier_of(config, made),
        variants=variants_of(config, made),
        spec=config.callable,
        propose=propose,
        source=source,
        moves_words=config.moves_words,
        decisive={
            "source_sha256": source_digest(found),
            "parameters_sha256": canonical_hash("prt.generator.parameters", dict(config.parameters)).hex(),
        },
    )


def function(found: Callable[..., object], config: PythonGeneratorConfig) -> Propose:
    """Make a proposal of what a function gives back for a question."""
    if inspect.iscoroutinefunction(found):
        raise refusal(f"{config.callable} is async; a generator is a plain function")
    parameters = dict(config.parameters)
    refuse_other_arguments(found, config, CALLED_WITH)

    def propose(subject: Subject, draw: Draw) -> object:
        return found(subject.question, draw.rng, **parameters)

    return propose


def instance(found: Callable[..., object], config: PythonGeneratorConfig, source: str) -> tuple[object, Propose]:
    """Make an instance of a class, and its method `draft` the proposal."""
    refuse_other_arguments(found, config, ())
    try:
        made = found(**config.parameters)
    except (Exception, SystemExit) as error:
        raise refusal(f"{config.callable} {raised(error, source)}") from error
    propose = getattr(made, "draft", None)
    if not callable(propose):
        raise refusal(f"the class {config.callable} has no method `draft(subject, draw)`")

    def proposed(subject: Subject, draw: Draw) -> object:
        draft = propose(subject, draw)
        if not isinstance(draft, Draft):
            raise UnusableError(f"gave back {type(draft).__name__}; a class gives back a Draft")
        return draft

    return made, proposed


def refuse_other_arguments(found: Callable[..., object], config: PythonGeneratorConfig, given: tuple[str, ...]) -> None:
    """Refuse parameters that a function or class does not take, before it is called."""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # some builtins have none; the first call will tell
        return
    try:
        signature.bind(*given, **config.parameters)
    except TypeError as error:
        call = ", ".join([*given, *(f"{name}=…" for name in config.parameters)])
        raise refusal(
            f"{config.callable} has the arguments {signature}, and is called with ({call}): {error}"
        ) from None


def name_of(config: PythonGeneratorConfig, found: object) -> str:
    """What the conditions of a generator are called: as the config says, else as it calls itself."""
    name = config.name or getattr(found, "name", None) or getattr(found, "__name__", type(found).__name__)
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in {*GENERATORS, "baseline"}:
        why = f"{config.callable} would make the conditions `{name}.1`, which stand for something else or can't be told"
        raise refusal(f"{why}; give it another `name` of letters, digits, `_` and `-`")
    return name


def version_of(config: PythonGeneratorConfig, made: object) -> int:
    """The version that a class names."""
    version = getattr(made, "version", 1)
    if not isinstance(version, int) or isinstance(version, bool):
        raise refusal(f"`version` of {config.callable} is {version!r}; a whole number is allowed")
    return version


def tier_of(config: PythonGeneratorConfig, made: object) -> Tier:
    """How far the same meaning is warranted: as the config says, else as a class says of itself."""
    tier = config.tier or getattr(made, "tier", "checked")
    if tier not in TIERS:
        why = "a control changes what is right, which no generator of your own may" if tier == "control" else ""
        allowed = f"allowed are {', '.join(TIERS)}"
        raise refusal(f"`tier` of {config.callable} is {tier!r}; {'; '.join(filter(None, (why, allowed)))}")
    found: Tier = tier
    return found


def variants_of(config: PythonGeneratorConfig, made: object) -> int | None:
    """How many variants of each item: as the config says, else as a class says of itself, else one."""
    variants = config.variants if config.variants is not None else getattr(made, "variants", 1)
    if variants is None or (type(variants) is int and 1 <= variants <= MOST_VARIANTS):
        return variants
    allowed = f"a whole number from 1 to {MOST_VARIANTS} is allowed, or None for as many as an item has options"
    raise refusal(f"`variants` of {config.callable} is {variants!r}; {allowed}")


def source_of(found: Callable[..., object]) -> str:
    """The file that a function or class stands in; empty where there is none."""
    try:
        return inspect.getsourcefile(inspect.unwrap(found)) or ""
    except TypeError:
        return ""
