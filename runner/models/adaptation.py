"""Parameters that a model does not take, changed where the config allows it, and never in silence."""

from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue as Json

RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""Two names of one thing: newer models take the one, older servers the other."""
LEFT_OUT = frozenset({"temperature", "top_p", "seed", "presence_penalty", "frequency_penalty"})
"""What steers the sampling, and has a default where it is not sent."""
ADAPTABLE = LEFT_OUT | RENAMED.keys()


class Adaptation:
    """What a model turned out not to take.

    Attributes:
        notes: What was changed, a sentence each.
    """

    def __init__(self, model: str, tell: Callable[[str], None]) -> None:
        """Begin with nothing changed.

        Args:
            model: How notes call the model.
            tell: Told of each change.
        """
        self.notes: tuple[str, ...] = ()
        self._model = model
        self._tell = tell
        self._changes: dict[str, str] = {}

    def applied(self, params: Mapping[str, Json]) -> Mapping[str, Json]:
        """The parameters as the model takes them; unchanged as long as it refused none."""
        if not self._changes:
            return params
        names = ((self._changes.get(name, name), value) for name, value in params.items())
        return {name: value for name, value in names if name}

    def learn(self, refused: Iterable[str]) -> None:
        """Note parameters that the model refused; those that can't be done without stay."""
        for name in refused:
            if name in ADAPTABLE and name not in self._changes and name not in self._changes.values():
                self._changes[name] = RENAMED.get(name, "")
                new = f"{self._changes[name]} is sent in its place" if self._changes[name] else "it is not sent"
                note = f"{self._model} does not take the parameter {name}: {new}"
                self.notes += (note,)
                self._tell(note)
