"""Pages: one self-contained file each, which opens from disk or a mail, without network, and with scripts off."""

from .report import ReportView, report_page
from .shell import page

__all__ = ["ReportView", "page", "report_page"]
