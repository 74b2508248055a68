"""Signs of life of a run while nothing is stored: a model is fetched or loaded, or its answers are judged."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from ..errors import StoreError
from ..store.database import Store
from ..store.lease import SIGN_OF_LIFE_S, give_sign_of_life
from ..store.runs import RunRecord


@contextmanager
def kept_alive(store: Store, run: RunRecord, *, every_s: float = SIGN_OF_LIFE_S) -> Iterator[None]:
    """Give signs of life by a thread of its own as long as a block takes, whatever it waits for.

    Args:
        store: The results database.
        run: The run.
        every_s: Seconds from one sign to the next.
    """
    over = Event()

    def give() -> None:
        while not over.wait(every_s):
            # Whoever stores something next meets the same error, and tells of it.
            with suppress(StoreError), store.writing() as connection:
                give_sign_of_life(connection, store, run.number)

    thread = Thread(target=give, name="prt-alive", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
