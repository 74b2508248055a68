"""The report of results that were made elsewhere as a page."""

from ..findings import Report
from ..results.table import ResultsTable


def page_of_table(table: ResultsTable, report: Report) -> str:
    """The report of results that were made elsewhere as a page, with the map of all their items."""
    from ..explorer import map_of_table  # noqa: PLC0415 - only a page needs what draws and fills templates
    from ..reports.html import ReportView, report_page  # noqa: PLC0415

    return report_page(ReportView(report, map_of_table(table)))
