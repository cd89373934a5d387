"""The program behind `tilerummy play`: the set-up screen, then the table."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tilerummy.cli.plan import Plan
from tilerummy.cli.recordfile import RecordFile, RecordFileError
from tilerummy.cli.session import Session, StopClock
from tilerummy.cli.signals import heeded
from tilerummy.cli.table.screen import GameScreen
from tilerummy.cli.table.setup import SetupScreen
from tilerummy.locales import catalogue

PAUSE = 0.8
DARK, LIGHT = "textual-dark", "textual-light"


class TableApp(App[None]):
    """Plays a plan; with `ask` the set-up screen comes first."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave", show=False, priority=True),
        Binding("t", "turn_lights", show=False),
    ]

    def __init__(
        self,
        plan: Plan,
        lang: str,
        secrets: Callable[[], str],
        *,
        ask: bool = False,
        file: RecordFile | None = None,
        pause: float = PAUSE,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.plan = plan
        self.lang = lang
        self.ask = ask
        self.pause = pause
        self.session: Session | None = None
        self._secrets = secrets
        self._file = file
        self._seconds = seconds

    def on_mount(self) -> None:
        self.title = catalogue(self.lang).text("play.title")
        if not self.is_headless:
            self.heed_signals()
        self.theme = LIGHT if background_is_light(os.environ.get("COLORFGBG", "")) else DARK
        if self.ask:
            self.push_screen(SetupScreen(self.plan, self.lang), self.play)
        else:
            self.play(self.plan)

    def play(self, plan: Plan | None) -> None:
        if plan is None:
            self.exit()
            return
        clock = StopClock(self._seconds)
        self.session = Session(plan, clock, self._secrets, self._file)
        self.push_screen(GameScreen(self.session, self.lang, self.pause))

    def heed_signals(self) -> None:
        """On a signal, save the record and restore the terminal."""
        loop = asyncio.get_running_loop()
        for number in heeded():
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, self.stop, 128 + number)

    def stop(self, code: int) -> None:
        if self.session is not None:
            with contextlib.suppress(RecordFileError):  # there is no screen left to report it
                self.session.save()
        self.exit(return_code=code)

    def action_turn_lights(self) -> None:
        self.theme = DARK if self.theme == LIGHT else LIGHT
        if isinstance(self.screen, GameScreen):
            self.screen.redraw()

    def action_leave(self) -> None:
        """Ask in the middle of a match, else just go."""
        table = next((one for one in self.screen_stack if isinstance(one, GameScreen)), None)
        if table is None or self.session is None or self.session.driver.match.is_over:
            self.exit()
        else:
            table.action_leave()


def background_is_light(colorfgbg: str) -> bool:
    """What some terminals say about themselves: `0;15` is black on white."""
    ground = colorfgbg.rpartition(";")[2]
    return ground in ("7", "15")
