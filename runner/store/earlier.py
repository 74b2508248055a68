"""Whether there is anything in a store that a run could use instead of asking."""

from sqlalchemy import exists, select

from .database import Store
from .runs import RunRecord
from .schema import replies


def has_replies_for(store: Store, run: RunRecord) -> bool:
    """Whether any reply could serve a run: one of its own, or of another run where it is not fresh.

    Args:
        store: The results database.
        run: The run.
    """
    usable = exists().where(replies.c.run == run.number) if run.fresh else exists(select(replies.c.id))
    with store.reading() as connection:
        return bool(connection.execute(select(usable)).scalar_one())
