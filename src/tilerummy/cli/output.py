"""Standard output that is read in part: a reader such as `head` closes the pipe early."""

from __future__ import annotations

import os

from rich.console import Console


class Output(Console):
    """A console on standard output, for commands whose status says nothing about what they print.

    Rich ends with status 1 when the pipe is closed. Here the reader has read enough: no error.
    """

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise SystemExit(0)
