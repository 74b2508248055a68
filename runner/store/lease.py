"""Who works on a run: a sign of life every few seconds, so that no second process asks the same cells meanwhile.

Whether a process still works is decided by no clock that can be set. One on this machine is there or gone. Any other is
watched: what it signs with must change within the lease, by the time that passes here. Whoever would take a run over
does so only if the signs are still those that were watched; and who has lost a run learns of it by the next sign.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from ..errors import TakenOverError
from .database import Store
from .errors import Refused
from .processes import Process
from .schema import runs

LEASE_S = 15.0
SIGN_OF_LIFE_S = 4.0
LOOK_EVERY_S = 0.5

Signs = Mapping[int, datetime]
"""When a process last gave a sign of life, by the numbers of the runs that it works on."""


def seems_worked_on(store: Store, run: Mapping[str, Any]) -> bool:
    """Whether a process other than this one seems to work on a run, for people to see; a clock decides where need be.

    Args:
        store: The results database.
        run: The run's `state`, `owner` and `alive_at`.
    """
    if run["state"] != "running" or run["owner"] == store.owner:
        return False
    there = Process.read(run["owner"]).is_there()
    return (store.now() - run["alive_at"]).total_seconds() <= LEASE_S if there is None else there


def is_worked_on(connection: Connection, store: Store, run: Mapping[str, Any]) -> bool:
    """Whether a process other than this one may still work on a run; True for one that should have been watched first.

    Args:
        connection: A transaction on the store.
        store: The results database.
        run: The run's `state` and `owner`, as that transaction sees them.
    """
    if run["state"] != "running" or run["owner"] == store.owner:
        return False
    there = Process.read(run["owner"]).is_there()
    return not is_silent(store, run["owner"], signs_of(connection, run["owner"])) if there is None else there


def refuse_if_worked_on(connection: Connection, store: Store, run: Mapping[str, Any]) -> None:
    """Refuse a run that another process works on: both would ask, and pay for, the same cells."""
    if is_worked_on(connection, store, run):
        raise Refused(
            f"the run {run['id']} is being worked on by another process ({Process.read(run['owner']).name}, last sign "
            f"of life {run['alive_at']:%Y-%m-%d %H:%M:%S} UTC); let it finish, end it, or start an independent run by "
            "`--fresh`."
        )


def watch(store: Store, found: Iterable[Mapping[str, Any]]) -> None:
    """See whether those who work on runs are still there; must not be called within a transaction.

    There is nothing to wait for where that is known at once: a run has ended, or its process is, or was, on this
    machine. A sign of life ends the wait, too.

    Args:
        store: The results database.
        found: The runs: `id`, `state` and `owner` of each.
    """
    owners = {each["owner"]: each["id"] for each in found if each["state"] == "running"}
    unknown = [each for each in owners if each != store.owner and Process.read(each).is_there() is None]
    first = all_signs(store, unknown)
    left = {owner for owner in unknown if not is_silent(store, owner, first[owner])}
    if not left:
        return
    for owner in left:
        store.watch.tell(
            f"{owners[owner]}: {Process.read(owner).name} worked on it last; waiting up to {LEASE_S:g} s for a sign of "
            "life"
        )
    ends_s = store.watch.clock() + LEASE_S
    while left and store.watch.clock() < ends_s:
        store.watch.sleep(LOOK_EVERY_S)
        now = all_signs(store, left)
        left = {owner for owner in left if now[owner] == first[owner]}
    store.silent.update((owner, first[owner]) for owner in left)


def all_signs(store: Store, owners: Iterable[str]) -> dict[str, Signs]:
    """The last signs of some processes."""
    with store.reading() as connection:
        return {owner: signs_of(connection, owner) for owner in owners}


def signs_of(connection: Connection, owner: str) -> Signs:
    """The last signs of a process."""
    chosen = select(runs.c.number, runs.c.alive_at).where(runs.c.owner == owner, runs.c.state == "running")
    return {row.number: row.alive_at for row in connection.execute(chosen)}


def is_silent(store: Store, owner: str, now: Signs) -> bool:
    """Whether a process was watched for the time of the lease, and has given no sign since."""
    before = store.silent.get(owner)
    return before is not None and all(before.get(number) == at for number, at in now.items())


def give_sign_of_life(connection: Connection, store: Store, run: int) -> bool:
    """Say that this process still works on a run; False where it has lost it to another one."""
    own = runs.c.number == run, runs.c.owner == store.owner
    return connection.execute(update(runs).where(*own).values(alive_at=store.now())).rowcount == 1


def lost(connection: Connection, store: Store, run: int, *, stored: Iterable[int] = ()) -> TakenOverError:
    """What is raised where this process has lost a run.

    Args:
        connection: A transaction on the store.
        store: The results database.
        run: The run's number.
        stored: Numbers of replies that were stored all the same.
    """
    row = connection.execute(select(runs.c.id, runs.c.owner).where(runs.c.number == run)).one()
    return TakenOverError(
        f"{store.place}: another process ({Process.read(row.owner).name}) works on the run {row.id} now, since this "
        "one gave no sign of life for a while (it was suspended, or could not reach the store); let that one finish.",
        stored,
    )
