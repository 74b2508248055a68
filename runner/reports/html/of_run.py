"""What the page of a stored run shows: its report, the map of all its items, and the texts of as many as it holds."""

from pydantic import ValidationError

from ...analysis import Results, read_results_of
from ...config.report import ReportConfig
from ...explorer import map_of_results
from ...explorer_texts import texts_of
from ...findings import Report
from ...store.read import StoredRun
from .report import ReportView

MILLION = 1_000_000


def view_of_run(run: StoredRun, report: Report, results: Results | None = None) -> ReportView:
    """What the page of a run shows, with the texts of as many items as its config allows.

    Args:
        run: The run; its store must be open.
        report: Its report.
        results: Its results, where they are read already.
    """
    results = results or read_results_of(run, usage=False)
    cells = map_of_results(results)
    return ReportView(report, cells, texts_of(run, results, cells, characters=round(MILLION * config_of(run).texts_mb)))


def config_of(run: StoredRun) -> ReportConfig:
    """What the config of a run says of its page; the defaults where it was run by a version that knew other keys."""
    try:
        return ReportConfig.model_validate(run.record.config.get("report", {}))
    except ValidationError:
        return ReportConfig()
