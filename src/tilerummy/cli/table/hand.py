"""The hand at the table: what keys and clicks do to the turn in the making."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tilerummy.cli.session import Session
from tilerummy.cli.table.dialogs import Question
from tilerummy.cli.table.draft import by_colour, by_number
from tilerummy.cli.table.editor import RACK, Editor, Unmoved
from tilerummy.cli.table.notes import meanings, turn_reasons, undeclared_rows
from tilerummy.cli.table.paint import DARK, LIGHT, tiles_markup
from tilerummy.cli.table.status import Picture
from tilerummy.cli.table.views import RackView, TableView
from tilerummy.locales import catalogue, declaration_name
from tilerummy.play.commands import Command, Draw, Pass, Play
from tilerummy.play.game import Game
from tilerummy.play.refusals import Refused
from tilerummy.rules.tiles import Row, Tile

SORTS = {"colour": by_colour, "number": by_number}
EDITS: dict[str, Callable[[Editor], Editor]] = {
    "toggle": Editor.toggle,
    "select_row": Editor.select_row,
    "select_none": Editor.select_none,
    "place": Editor.place,
    "lay": Editor.lay,
    "take_back": Editor.take_back,
    "undo": Editor.undo,
    "redo": Editor.redo,
    "reset": Editor.reset,
}
"""What the keys of `edit(...)` do to the turn."""
MEANING_KEYS = "12345678"
MORE_KEY, BACK_KEY = "9", "0"


class HandScreen(Screen[None]):
    """Draws a session and edits the turn of the player to move; its state is in `editor`."""

    CSS = """
    #head { height: 1; background: $primary; color: $text; }
    #players { height: auto; background: $panel; }
    #table { height: 1fr; min-height: 4; }
    #title { height: 1; background: $panel; }
    #rack { height: auto; max-height: 6; background: $panel; }
    #status { height: auto; min-height: 3; max-height: 5; padding: 0 1; }
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
        Binding("j", "name", show=False),
        Binding("c", "commit", show=False),
        Binding("d", "draw", show=False),
        Binding("p", "scores", show=False),
        Binding("question_mark,f1,h", "help", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, session: Session, lang: str) -> None:
        super().__init__()
        self.session = session
        self.lang = lang
        self.words = catalogue(lang)
        self.editor: Editor | None = None
        """None while it is not the turn of a person."""
        self.viewer: int | None = None
        """Whose rack is in sight."""
        self.message = ""
        self.armed = ""
        """A key that needs a second press."""
        self.head = Text()
        self.sorts: dict[int, str] = {}
        self.orders: dict[int, tuple[Tile, ...]] = {}

    @property
    def game(self) -> Game:
        return self.session.game

    def finish(self, command: Command) -> None:
        """Hand a person's turn to the game."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="players")
        yield TableView(id="table")
        yield Static(id="title")
        yield RackView(id="rack")
        yield Static(id="status")
        yield Static(id="keys")

    def on_resize(self) -> None:
        self.call_after_refresh(self.redraw)

    def arranged(self, seat: int) -> tuple[Tile, ...]:
        """The rack as its owner left it, with new tiles where they belong."""
        rack = self.game.racks[seat]
        sort = SORTS.get(self.sorts.get(seat, "colour"))
        if sort is not None:
            return sort(rack)
        kept = tuple(tile for tile in self.orders.get(seat, ()) if tile in rack)
        return (*kept, *(tile for tile in rack if tile not in kept))

    def refuse(self, refused: Refused) -> None:
        """Say why, every reason; the draft stays as it is."""
        if refused.verdict is not None:
            reasons = turn_reasons(refused.verdict, self.lang, self.game.edition)
            self.say(self.words.text("play.not-handed-in", reasons=" ".join(reasons)))
        else:
            self.say(self.words.text(f"refusal.{refused.code}"))

    def say(self, message: str, armed: str = "") -> None:
        self.message, self.armed = message, armed
        self.redraw()

    # Keys

    def action_edit(self, name: str) -> None:
        if self.editor is None:
            return
        self.message, self.armed = "", ""
        try:
            self.editor = EDITS[name](self.editor)
        except Unmoved as unmoved:
            self.message = self.words.text(str(unmoved))
        self.redraw()

    def moved(self, editor: Editor) -> None:
        self.editor, self.message, self.armed = editor, "", ""
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
            self.say(self.words.text(str(unmoved)))

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
            self.ask_meaning(open_rows[0], self.action_commit)
            return
        legal = game.judge(rows, declared).legal
        if game.edition.strict_submit and not legal and editor.draft.changed:
            if self.armed != "c":
                self.say(self.words.text("play.strict-again"), "c")
                return
        elif game.edition.strict_submit and not legal:
            nothing = self.words.text("reason.nothing-played")
            self.say(self.words.text("play.not-handed-in", reasons=nothing))
            return
        self.finish(Play(game.current, rows, declared))

    def action_name(self) -> None:
        """Say what a row is, or change it: the one under the cursor, else one that waits."""
        editor, game = self.editor, self.game
        if editor is None:
            return
        rows, here = editor.draft.rows, editor.cursor.row
        said = editor.declarations()
        waiting = [*undeclared_rows(game, rows, said), *said]
        if 0 <= here < len(rows):
            waiting.insert(0, rows[here])
        for row in waiting if game.edition.joker_declare != "position" else ():
            if len(meanings(game.edition, row)) > 1:
                self.ask_meaning(row, self.redraw)
                return
        self.say(self.words.text("play.nothing-to-name"))

    def ask_meaning(self, row: Row, then: Callable[[], None], first: int = 0) -> None:
        """A row that can be several things: its player says which."""
        found = meanings(self.game.edition, row)
        shown = found[first : first + len(MEANING_KEYS)]
        text = Text(self.words.text("play.which-kind")).append("\n\n")
        text.append_text(tiles_markup(row)).append("\n")
        names = [declaration_name(said, self.lang) for said in shown]
        answers = [*zip(MEANING_KEYS, names, strict=False)]
        if len(found) > len(shown):
            answers.append((MORE_KEY, self.words.text("play.more-meanings")))
        answers.append((BACK_KEY, self.words.text("play.go-back")))
        turn = self.game.turn

        def answered(answer: str | None) -> None:
            if answer in (None, BACK_KEY) or self.editor is None or self.game.turn != turn:
                return
            if answer == MORE_KEY:
                after = first + len(shown)
                self.ask_meaning(row, then, after if after < len(found) else 0)
                return
            self.editor = self.editor.declare(row, shown[MEANING_KEYS.index(str(answer))])
            then()

        self.app.push_screen(Question(text, answers, escape=BACK_KEY, of_turn=True), answered)

    def action_draw(self) -> None:
        if self.editor is None:
            return
        if self.editor.draft.changed and self.armed != "d":
            self.say(self.words.text("play.draw-again"), "d")
            return
        seat = self.game.current
        self.finish(Draw(seat) if self.game.pool else Pass(seat))

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
        palette = DARK if self.app.current_theme.dark else LIGHT
        return Picture(self.session, self.lang, self.editor, self.viewer, self.message, palette)

    def show_head(self) -> None:
        head = self.picture().head(self.size.width)
        if head != self.head:  # the clock asks five times a second
            self.head = head
            self.query_one("#head", Static).update(head)

    def redraw(self) -> None:
        if self.session.driver.game is None or not self.is_mounted:
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
        self.query_one("#status", Static).update(picture.status(width - 2))
        self.query_one("#keys", Static).update(picture.keys(width))
