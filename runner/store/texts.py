"""The texts of a run, for searching all of them: of its items as they stand in the dataset, and of its replies."""

from collections.abc import Iterator

from sqlalchemy import select

from .read import StoredRun
from .rows import cells, replies
from .schema import restored

ROWS = 10_000


def reply_texts(run: StoredRun) -> Iterator[tuple[int, str]]:
    """The position of each replied cell's variant in the run's suite, and the text of the reply.

    Args:
        run: The run; its store must be open.
    """
    chosen = (
        select(cells.c.variant, replies.c.text)
        .select_from(cells)
        .join(replies, replies.c.id == cells.c.reply_id)
        .where(cells.c.run == run.record.number)
    )
    with run.store.reading() as connection:
        for rows in connection.execution_options(yield_per=ROWS).execute(chosen).partitions():
            for variant, text in rows:
                yield variant, restored(text)
