"""The table on the screen: whose turn it is, what they do, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tilerummy.cli.recordfile import RecordFileError
from tilerummy.cli.session import Session
from tilerummy.cli.table import sheets
from tilerummy.cli.table.dialogs import Cover, Question, Sheet
from tilerummy.cli.table.draft import Draft, by_colour, by_number
from tilerummy.cli.table.editor import RACK, Editor, Unmoved
from tilerummy.cli.table.news import deed
from tilerummy.cli.table.notes import turn_reasons, undeclared_rows
from tilerummy.cli.table.paint import tiles_markup
from tilerummy.cli.table.status import Picture
from tilerummy.cli.table.views import RackView, TableView
from tilerummy.locales import catalogue, kind_name
from tilerummy.play.commands import Command, Draw, Pass, Play, TimeOut
from tilerummy.play.events import Drew
from tilerummy.play.game import Game, Phase, Refused
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Tile

TICK = 0.2
SORTS = {"colour": by_colour, "number": by_number}


class GameScreen(Screen[None]):
    """Plays a session to its end. All state of the turn is in `editor`."""

    CSS = """
    GameScreen { layout: vertical; }
    #head { height: 1; background: $primary; color: $text; }
    #players { height: auto; background: $panel; }
    #table { height: 1fr; min-height: 4; }
    #title { height: 1; background: $panel; }
    #rack { height: auto; max-height: 6; background: $panel; }
    #status { height: auto; min-height: 2; max-height: 4; }
    #keys { height: 1; background: $primary-muted; color: $text; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("up", "line(-1)", show=False),
        Binding("down", "line(1)", show=False),
        Binding("home", "ends(-1)", show=False),
        Binding("end", "ends(1)", show=False),
        Binding("tab", "switch", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("space", "edit('toggle')", show=False),
        Binding("a", "edit('select_row')", show=False),
        Binding("escape", "edit('select_none')", show=False),
        Binding("enter", "edit('place')", show=False),
        Binding("n", "edit('lay')", show=False),
        Binding("backspace,delete,b", "edit('take_back')", show=False),
        Binding("u,ctrl+z", "edit('undo')", show=False),
        Binding("y,ctrl+y", "edit('redo')", show=False),
        Binding("x", "edit('reset')", show=False),
        Binding("less_than_sign,comma,shift+left", "shift(-1)", show=False),
        Binding("greater_than_sign,full_stop,shift+right", "shift(1)", show=False),
        Binding("s", "sort", show=False),
        Binding("c", "commit", show=False),
        Binding("d", "draw", show=False),
        Binding("p", "scores", show=False),
        Binding("question_mark,f1,h", "help", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, session: Session, lang: str, pause: float) -> None:
        super().__init__()
        self.session = session
        self.lang = lang
        self.words = catalogue(lang)
        self.pause = pause
        self.editor: Editor | None = None
        """None while it is not the turn of a person."""
        self.viewer: int | None = None
        """Whose rack is in sight."""
        self.message = ""
        self.armed = ""
        """A key that needs a second press."""
        self.sorts: dict[int, str] = {}
        self.orders: dict[int, tuple[Tile, ...]] = {}

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def hot_seat(self) -> bool:
        return len(self.session.humans) > 1

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="players")
        yield TableView(id="table")
        yield Static(id="title")
        yield RackView(id="rack")
        yield Static(id="status")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.deal()
        self.set_interval(TICK, self.tick)

    def on_resize(self) -> None:
        self.call_after_refresh(self.redraw)

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
        """Whatever comes next: the end, somebody's turn, or a bot's."""
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
            self.app.push_screen(Cover(text), lambda _: self.start_turn())
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
            self.message = ""
            self.proceed()

    def start_turn(self) -> None:
        self.session.clock.go()
        game = self.game
        self.viewer = seat = game.current
        draft = Draft.of(game.edition, game.table, self.arranged(seat))
        self.editor = Editor(draft, declared=dict(game.declared))
        self.redraw()

    def arranged(self, seat: int) -> tuple[Tile, ...]:
        """The rack as its owner left it, with new tiles where they belong."""
        rack = self.game.racks[seat]
        sort = SORTS.get(self.sorts.get(seat, "colour"))
        if sort is not None:
            return sort(rack)
        kept = tuple(tile for tile in self.orders.get(seat, ()) if tile in rack)
        return (*kept, *(tile for tile in rack if tile not in kept))

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
        if self.hot_seat and isinstance(event, Drew) and self.game.phase is Phase.PLAYING:
            self.show_drawn(event)
        else:
            self.hide_rack()
            self.proceed()

    def show_drawn(self, event: Drew) -> None:
        """On a shared keyboard nobody else may see it, so it is shown before the rack is hidden."""
        self.session.clock.stop()
        self.redraw()
        text = Text(self.words.text("play.you-did", deed=deed(event, self.lang)))
        text.append("\n\n").append_text(tiles_markup(event.tiles)).append("\n")

        def go_on(_: str | None) -> None:
            self.session.clock.go()
            self.hide_rack()
            self.proceed()

        answer = ("enter", self.words.text("play.enter-goes-on"))
        self.app.push_screen(Question(text, [answer]), go_on)

    def hide_rack(self) -> None:
        if self.hot_seat:
            self.viewer = None

    def refuse(self, refused: Refused) -> None:
        """Say why, every reason; the draft stays as it is."""
        if refused.verdict is not None:
            self.message = " ".join(turn_reasons(refused.verdict, self.lang, self.game.edition))
        else:
            self.message = self.words.text(f"refusal.{refused.code}")
        self.redraw()

    def saving(self, action: Callable[[], object]) -> None:
        """A record that cannot be written must not end the game."""
        try:
            action()
        except RecordFileError as error:
            self.notify(str(error), severity="error", timeout=15)

    def end_game(self) -> None:
        self.session.clock.stop()
        match = self.session.host.match
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
        if self.session.host.match.is_over:
            self.app.exit()
        else:
            self.deal()

    def tick(self) -> None:
        if self.session.host.game is None or self.game.phase is not Phase.PLAYING:
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

    # Keys

    def action_edit(self, name: str) -> None:
        if self.editor is None:
            return
        self.message, self.armed = "", ""
        try:
            self.editor = getattr(self.editor, name)()
        except Unmoved as unmoved:
            self.message = self.words.text(str(unmoved))
        self.redraw()

    def moved(self, editor: Editor) -> None:
        self.editor, self.armed = editor, ""
        self.redraw()

    def action_move(self, step: int) -> None:
        if self.editor is not None:
            self.moved(self.editor.move(step))

    def action_line(self, step: int) -> None:
        table, rack = self.query_one(TableView), self.query_one(RackView)
        if self.editor is None:
            table.scroll_relative(y=2 * step, animate=False)
        elif step < 0:
            self.moved(self.editor.up(table.flow, rack.per_line))
        else:
            self.moved(self.editor.down(table.flow, rack.per_line))

    def action_page(self, step: int) -> None:
        table = self.query_one(TableView)
        table.scroll_relative(y=step * max(table.size.height - 2, 1), animate=False)

    def action_ends(self, step: int) -> None:
        if self.editor is not None:
            self.moved(self.editor.ends(step))

    def action_switch(self) -> None:
        if self.editor is not None:
            on_rack = self.editor.on_rack
            self.moved(self.editor.to_table() if on_rack else self.editor.to_rack())

    def action_shift(self, step: int) -> None:
        if self.editor is None or self.viewer is None:
            return
        try:
            self.sorts[self.viewer] = "free"
            self.moved(self.editor.shift(step))
        except Unmoved as unmoved:
            self.message = self.words.text(str(unmoved))
            self.redraw()

    def action_sort(self) -> None:
        if self.editor is None or self.viewer is None:
            return
        now = self.sorts.get(self.viewer, "colour")
        sort = "number" if now == "colour" else "colour"
        self.sorts[self.viewer] = sort
        draft = self.editor.draft
        self.editor = self.editor.with_order(
            draft.by_number() if sort == "number" else draft.by_colour()
        )
        self.redraw()

    def action_commit(self) -> None:
        editor, game = self.editor, self.game
        if editor is None:
            return
        rows, declared = editor.draft.rows, editor.declarations()
        open_rows = undeclared_rows(game, rows, declared)
        if open_rows:
            self.ask_kind(*open_rows[0])
            return
        legal = game.judge(rows, declared).legal
        if game.edition.strict_submit and not legal and editor.draft.changed:
            if self.armed != "c":
                self.armed, self.message = "c", self.words.text("play.strict-again")
                self.redraw()
                return
        elif game.edition.strict_submit and not legal:
            self.message = self.words.text("reason.nothing-played")
            self.redraw()
            return
        self.finish(Play(game.current, rows, declared))

    def ask_kind(self, row: Row, kinds: list[Kind]) -> None:
        """An ambiguous row: its player says what it is."""
        text = Text(self.words.text("play.which-kind")).append("\n\n")
        text.append_text(tiles_markup(row)).append("\n")
        answers = [(str(n), kind_name(kind, self.lang)) for n, kind in enumerate(kinds, 1)]
        answers.append(("0", self.words.text("play.go-back")))
        turn = self.game.turn

        def answered(answer: str | None) -> None:
            if answer in (None, "0") or self.editor is None or self.game.turn != turn:
                return
            self.editor = self.editor.declare(row, kinds[int(str(answer)) - 1])
            self.action_commit()

        self.app.push_screen(Question(text, answers, of_turn=True), answered)

    def action_draw(self) -> None:
        if self.editor is None:
            return
        if self.editor.draft.changed and self.armed != "d":
            self.armed, self.message = "d", self.words.text("play.draw-again")
            self.redraw()
            return
        seat = self.game.current
        self.finish(Draw(seat) if self.game.pool else Pass(seat))

    def action_scores(self) -> None:
        parts = sheets.score_parts(self.session.host.match, self.lang)
        title, hint = self.words.text("play.scores"), self.words.text("play.enter-closes")
        self.app.push_screen(Sheet(title, parts, hint))

    def action_help(self) -> None:
        parts = sheets.help_parts(self.game.edition, self.lang)
        title, hint = self.words.text("play.help"), self.words.text("play.enter-closes")
        self.app.push_screen(Sheet(title, parts, hint))

    def action_leave(self) -> None:
        if isinstance(self.app.screen, Question):
            return
        text = self.words.text("play.leave-match")
        if self.session.saves:
            text += "\n" + self.words.text("play.leave-saves")
        answers = [("y", self.words.text("play.yes-leave")), ("n", self.words.text("play.no-stay"))]

        def answered(answer: str | None) -> None:
            if answer == "y":
                self.saving(self.session.save)
                self.app.exit()

        self.app.push_screen(Question(Text(text), answers), answered)

    # Clicks

    def on_table_view_clicked(self, click: TableView.Clicked) -> None:
        editor = self.editor
        if editor is None:
            return
        rows = editor.draft.rows
        row = rows[click.row] if click.row < len(rows) else ()
        tile = None if click.tile is None else row[click.tile]
        from_here = any(one in row for one in editor.selected)
        if tile is not None and (not editor.selected or from_here):
            self.editor = editor.goto(click.row, click.tile or 0)
            self.action_edit("toggle")
        elif editor.selected:
            self.moved(editor.put(click.row, click.place))
        else:
            self.moved(editor.goto(click.row, click.place))

    def on_rack_view_clicked(self, click: RackView.Clicked) -> None:
        editor = self.editor
        if editor is None:
            return
        if any(editor.draft.row_of(tile) is not None for tile in editor.selected):
            self.action_edit("take_back")
        elif click.place is not None:
            self.editor = editor.goto(RACK, click.place)
            self.action_edit("toggle")

    # Drawing

    def picture(self) -> Picture:
        return Picture(self.session, self.lang, self.editor, self.viewer, self.message)

    def show_head(self) -> None:
        self.query_one("#head", Static).update(self.picture().head(self.size.width))

    def redraw(self) -> None:
        if self.session.host.game is None or not self.is_mounted:
            return
        picture, width = self.picture(), self.size.width
        sort = self.sorts.get(self.viewer, "colour") if self.viewer is not None else "colour"
        self.show_head()
        self.query_one("#players", Static).update(picture.players(width))
        self.query_one(TableView).show(picture.scene())
        self.query_one("#title", Static).update(picture.title(sort))
        tiles, cursor = picture.rack()
        if self.editor is None and self.viewer is not None:
            tiles = self.arranged(self.viewer)
        self.query_one(RackView).show(tiles, cursor, picture.marks(), picture.hidden())
        self.query_one("#status", Static).update(picture.status())
        self.query_one("#keys", Static).update(picture.keys(width))
