"""Gates on the change from one run to another."""

from collections.abc import Sequence

from ..analysis import gate_results, read_results_of
from ..config.gates import COMPARED, GateConfig
from ..findings import GateResult
from ..gating.of_run import own_gates
from ..store.read import StoredRun


def pair_gates(
    before: StoredRun, after: StoredRun, gates: Sequence[GateConfig] | None = None
) -> tuple[GateResult, ...]:
    """Decide gates on the change from one run to another.

    Args:
        before: The earlier run; its store must be open.
        after: The later.
        gates: The gates; those of the later run's config that are against `compared` where not given.

    Raises:
        ConfigError: They name what the later run does not have.
    """
    if gates is None:
        gates = [gate for gate in own_gates(after.record) if gate.against == COMPARED]
    if not gates:
        return ()
    results = read_results_of(after)
    return gate_results(after, results, gates, before)
