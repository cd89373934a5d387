"""Reports as one HTML file each: no scripts, nothing loaded from elsewhere."""

from tilerummy.lab.report.page import report_page

__all__ = ["report_page"]
