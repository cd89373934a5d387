"""The table on the screen: whose turn it is, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from tilerummy.cli.recordfile import RecordFileError
from tilerummy.cli.session import Session, TurnEvent
from tilerummy.cli.table import sheets
from tilerummy.cli.table.dialogs import Cover, Question, Sheet
from tilerummy.cli.table.draft import Draft
from tilerummy.cli.table.editor import Editor
from tilerummy.cli.table.hand import HandScreen
from tilerummy.cli.table.news import deed
from tilerummy.cli.table.paint import tiles_markup
from tilerummy.locales import error_text
from tilerummy.play.commands import Command, TimeOut
from tilerummy.play.events import Drew, Passed
from tilerummy.play.game import Phase
from tilerummy.play.refusals import Refused
from tilerummy.solver.turns.best_turn import solve

TICK = 0.2
SHOW_SECONDS = 5.0
"""To find a play for a player who must play."""


class GameScreen(HandScreen):
    """Plays a session to its end."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("m", "show", show=False)]

    def __init__(self, session: Session, lang: str, pause: float) -> None:
        super().__init__(session, lang)
        self.pause = pause
        self.leaving = False
        """The question whether to leave is open."""
        self.unsaved = ""
        """What was said about a record that cannot be written."""

    @property
    def hot_seat(self) -> bool:
        return len(self.session.humans) > 1

    def on_mount(self) -> None:
        self.deal()
        self.set_interval(TICK, self.tick)

    # The course of the match

    def deal(self) -> None:
        self.session.clock.go()
        game = self.session.deal()
        self.orders.clear()
        self.viewer = None if self.hot_seat else next(iter(self.session.humans), None)
        starter = game.players[game.current]
        self.message = self.words.text("play.begins", name=starter, game=game.number)
        self.proceed()

    def proceed(self) -> None:
        """Advance to what comes next: the end, a person's turn, or a bot's."""
        game = self.game
        self.editor, self.armed = None, ""
        if game.phase is Phase.OVER:
            self.end_game()
        elif not self.session.is_human(game.current):
            self.redraw()
            self.after_pause(self.bot_turn)
        elif self.hot_seat and self.viewer != game.current:
            self.viewer = None
            self.session.clock.stop()
            self.redraw()
            name = game.players[game.current]
            text = self.words.text("play.pass-keyboard", name=name)
            hint = self.words.text("play.hint-wait")
            cover = Cover(text, hint, self.keys_anytime())
            self.app.push_screen(cover, lambda _: self.start_turn())
        else:
            self.start_turn()

    def after_pause(self, action: Callable[[], None]) -> None:
        if self.pause > 0:
            seconds = self.game.edition.timer_seconds
            self.set_timer(min(self.pause, seconds / 2) if seconds else self.pause, action)
        else:
            self.call_later(action)

    def bot_turn(self) -> None:
        if self.game.phase is Phase.PLAYING and not self.session.is_human(self.game.current):
            self.saving(self.session.bot_turn)
            self.proceed()

    def start_turn(self) -> None:
        self.session.clock.go()
        game = self.game
        if self.hot_seat and game.turn > 1:
            self.message = ""  # it was for another player
        self.viewer = seat = game.current
        draft = Draft.of(game.edition, game.table, self.arranged(seat))
        self.editor = Editor(draft, declared=dict(game.declared))
        self.redraw()

    def finish(self, command: Command) -> None:
        """Hand a person's turn to the game."""
        if self.editor is None:
            return
        seat = self.game.current
        try:
            self.saving(lambda: self.session.apply(command))
        except Refused as refused:
            self.refuse(refused)
            return
        self.orders[seat] = self.editor.draft.order
        self.editor = None
        event = self.session.turns()[-1]
        self.message = self.words.text(
            "play.you-did", deed=deed(event, self.lang, own=not self.hot_seat)
        )
        is_shown = isinstance(event, Drew) or (isinstance(event, Passed) and event.why != "choice")
        if self.hot_seat and is_shown and self.game.phase is Phase.PLAYING:
            self.show_outcome(event)
        else:
            self.hide_rack()
            self.proceed()

    def action_show(self) -> None:
        """Lay a play on the table for a player who must play. The clock stands meanwhile."""
        editor, game = self.editor, self.game
        if editor is None:
            return
        if not game.pass_is_forced:
            self.say(self.words.text("play.show-not-now"))
            return
        clock = self.session.clock
        clock.stop()
        found = solve(game.position(game.current), time_limit=SHOW_SECONDS)
        clock.go()
        if not found.plays:
            missing = "play.nothing-to-play" if found.exact else "play.nothing-shown"
            self.say(self.words.text(missing))
            return
        self.editor = editor.show(found.table, found.declared)
        self.say(self.words.text("play.shown"))

    def refuse(self, refused: Refused) -> None:
        if refused.code == "must-play":
            self.say(self.words.text("play.show-me"))
        else:
            super().refuse(refused)

    def show_outcome(self, event: TurnEvent) -> None:
        """On a shared keyboard others must not see it, so it is shown before the rack is hidden."""
        self.session.clock.stop()
        self.redraw()
        text = Text(self.words.text("play.you-did", deed=deed(event, self.lang)))
        if isinstance(event, Drew) and event.tiles:
            text.append("\n\n").append_text(tiles_markup(event.tiles))
        text.append("\n")

        def go_on(_: str | None) -> None:
            self.session.clock.go()
            self.hide_rack()
            self.proceed()

        answer = ("enter", self.words.text("play.enter-goes-on"))
        hint = self.words.text("play.hint-wait")
        self.app.push_screen(Question(text, [answer], hint=hint, keys=self.keys_anytime()), go_on)

    def keys_anytime(self) -> dict[str, Callable[[], None]]:
        """What the keys do that always work, also while something lies over the table."""
        return {"?": self.action_help, "p": self.action_scores, "q": self.action_leave}

    def hide_rack(self) -> None:
        if self.hot_seat:
            self.viewer = None

    def saving(self, action: Callable[[], object]) -> None:
        """A record that cannot be written must not end the game; the error is shown once."""
        try:
            action()
        except RecordFileError as error:
            said = error_text(error, self.lang)
            if said != self.unsaved:
                self.notify(said, severity="error", timeout=15, markup=False)
            self.unsaved = said
        else:
            self.unsaved = ""

    def end_game(self) -> None:
        self.session.clock.stop()
        match = self.session.driver.match
        self.viewer = None if self.hot_seat else self.viewer
        self.redraw()
        if not self.session.humans and not match.is_over:
            self.after_pause(self.deal)
            return
        over = "play.match-over" if match.is_over else "play.game-over"
        hint = "play.enter-leaves" if match.is_over else "play.enter-next-game"
        title = self.words.text(over, number=self.game.number)
        parts = sheets.end_parts(self.game, match, self.lang)
        self.app.push_screen(Sheet(title, parts, self.words.text(hint)), lambda _: self.next_game())

    def next_game(self) -> None:
        if self.session.driver.match.is_over:
            self.app.exit()
        else:
            self.deal()

    def tick(self) -> None:
        if self.session.driver.game is None or self.game.phase is not Phase.PLAYING:
            return
        if self.editor is not None and self.session.clock.running and self.session.time_is_up:
            self.time_out(self.editor)
        else:
            self.show_head()

    def time_out(self, editor: Editor) -> None:
        if isinstance(self.app.screen, Question) and self.app.screen.of_turn:
            self.app.pop_screen()
        draft = editor.draft.rows if editor.draft.changed else None
        self.finish(TimeOut(self.game.turn, draft, editor.declarations()))

    def action_scores(self) -> None:
        parts = sheets.score_parts(self.session.driver.match, self.lang)
        title, hint = self.words.text("play.scores"), self.words.text("play.enter-closes")
        self.app.push_screen(Sheet(title, parts, hint))

    def action_help(self) -> None:
        parts = sheets.help_parts(self.game.edition, self.lang)
        title, hint = self.words.text("play.help"), self.words.text("play.enter-closes")
        self.app.push_screen(Sheet(title, parts, hint))

    def action_leave(self) -> None:
        if self.leaving:
            return
        self.leaving = True
        text = self.words.text("play.leave-match")
        if self.session.file is not None:
            text += "\n" + self.words.text("play.leave-saves")
        answers = [("n", self.words.text("play.no-stay")), ("y", self.words.text("play.yes-leave"))]

        def answered(answer: str | None) -> None:
            self.leaving = False
            if answer == "y":
                self.saving(self.session.save)
                self.app.exit()

        self.app.push_screen(Question(Text(text), answers), answered)
