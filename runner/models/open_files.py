"""How many connections this process may have open at once."""

import sys
from contextlib import suppress

KEPT_FREE = 64
"""Files that the rest of a run may need: the store, the data, the log, standard streams, name look-ups."""

if sys.platform == "win32":

    def allowed_connections(wanted: int) -> int:
        """As many as wanted: Windows counts no open files."""
        return wanted

else:
    import resource

    def allowed_connections(wanted: int) -> int:
        """As many connections as wanted, or as the system allows; its soft limit is raised where that helps.

        Args:
            wanted: How many connections shall be open at once.

        Returns:
            At least 1 and at most `wanted`.
        """
        needed = wanted + KEPT_FREE
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY or soft >= needed:
            return wanted
        raised = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(OSError, ValueError):  # some systems have another limit of their own; then the old one holds
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return max(1, min(wanted, soft - KEPT_FREE))
