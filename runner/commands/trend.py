"""`prt trend`: the history of a series of nights."""

import json
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..nightly.summary import read_history
from ..problems import did_you_mean, quoted
from ..reports.text import visible
from ..reports.trend import print_trend, trend_json
from ..store.database import Store, open_store
from ..store.nights import list_nights, list_series
from .printing import output_console


def trend_command(series: str | None, *, store: str, as_json: bool, html: Path | None) -> None:
    """Show the history of a series.

    Args:
        series: Its name; the only one there is where not given.
        store: The results database.
        as_json: Print it as JSON.
        html: Write a page of HTML there, too.

    Raises:
        UsageError: There is no such series.
    """
    with open_store(store, may_create=False) as opened:
        name = series_of(opened, series)
        nights = read_history(list_nights(opened, name)).nights
    if html is not None:
        from ..reports.night_pages import trend_page  # noqa: PLC0415 - what draws charts takes long to load

        written(html, trend_page(name, nights))
    if as_json:
        sys.stdout.write(json.dumps(trend_json(name, nights), indent=2, allow_nan=False) + "\n")
    else:
        print_trend(name, nights, output_console())


def written(path: Path, text: str) -> None:
    """Write a page, and say where.

    Raises:
        UsageError: It can't be written there.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: the page can't be written ({error.strerror}); name another file") from None
    Console(stderr=True, highlight=False).print(Text(f"{visible(str(path))}: the trend as a page"), soft_wrap=True)


def series_of(store: Store, wanted: str | None) -> str:
    """The series that a person means.

    Raises:
        UsageError: There is none of this name, or several and none is named.
    """
    known = list_series(store)
    if not known:
        raise UsageError(f"{store.place}: there are no nights in it yet; `prt night` makes one")
    if wanted is None and len(known) == 1:
        return known[0]
    listed = ", ".join(quoted(name) for name in known[:10]) + (", …" if len(known) > 10 else "")
    if wanted is None:
        raise UsageError(f"{store.place}: there are several series of nights ({listed}); name one")
    if wanted not in known:
        hint = did_you_mean(wanted, known) or f"; there are {listed}"
        raise UsageError(f"{store.place}: there is no series of nights {quoted(wanted)}{hint}")
    return wanted
