"""What the screen says around the tiles: the head, the players, the turn in the making."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from tilerummy.cli.pad.words import signed
from tilerummy.cli.session import Session
from tilerummy.cli.table.editor import Editor
from tilerummy.cli.table.news import deed
from tilerummy.cli.table.notes import opening_points, row_note, row_notes
from tilerummy.cli.table.paint import DARK, Mark, Palette, fit, pad
from tilerummy.cli.table.views import Scene
from tilerummy.cli.wrap import wrap
from tilerummy.locales import Catalogue, catalogue
from tilerummy.play.events import Drew, Played
from tilerummy.play.game import Game, Phase
from tilerummy.queries import reason_text
from tilerummy.rules.scores import rack_points
from tilerummy.rules.tiles import Tile

LONGEST_NAME = 14
SORT_KEYS = {
    "colour": "play.sorted-colour",
    "number": "play.sorted-number",
    "free": "play.sorted-free",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One moment of a session as the player before the screen sees it."""

    session: Session
    lang: str
    editor: Editor | None
    viewer: int | None
    message: str = ""
    palette: Palette = DARK

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def words(self) -> Catalogue:
        return catalogue(self.lang)

    # Above the table

    def head(self, width: int) -> Text:
        game, match, words = self.game, self.session.driver.match, self.words
        parts = [
            words.text(f"edition.{game.edition.name}.name"),
            words.text("play.game-of", number=game.number, count=match.games_agreed),
            words.text("play.pool", count=len(game.pool)),
        ]
        clock = self.clock()
        left = f" {' · '.join(parts)}"
        text = Text(pad(left, max(width - clock.cell_len, 0)), "bold", no_wrap=True)
        if game.final_turns is not None and game.phase is Phase.PLAYING:
            banner = words.text("play.final-round", count=max(game.final_turns, 0))
            text = Text(left, "bold", no_wrap=True).append("  ")
            text.append(f" {banner} ", "bold white on dark_red")
            text.append(" " * max(width - clock.cell_len - text.cell_len, 0))
        return text.append_text(clock)

    def clock(self) -> Text:
        left = self.session.time_left if self.game.phase is Phase.PLAYING else None
        if left is None:
            return Text("")
        seconds = -(-left // 1000)
        whole = self.game.edition.timer_seconds
        share = seconds / whole
        style = "bold white on dark_green"
        if seconds <= 10 or share <= 0.15:
            style = "bold white on dark_red"
        elif share <= 0.4:
            style = "bold black on yellow"
        return Text(f" {seconds // 60}:{seconds % 60:02} ", style)

    def players(self, width: int) -> Text:
        game, words = self.game, self.words
        totals = self.session.driver.match.standing.totals
        last = self.session.last_turns()
        names = [fit(name, LONGEST_NAME) for name in game.players]
        counts = [words.text("play.tiles", count=len(rack)) for rack in game.racks]
        opened = [words.text("play.opened" if one else "play.unopened") for one in game.opened]
        lines = []
        for seat, name in enumerate(names):
            turn = game.phase is Phase.PLAYING and seat == game.current
            line = Text(no_wrap=True)
            line.append(" ▸ " if turn else "   ", "bold")
            line.append(pad(name, _widest(names) + 2), "bold" if turn else "")
            line.append(_right(counts[seat], _widest(counts)) + "  ")
            line.append(pad(opened[seat], _widest(opened) + 1), "" if game.opened[seat] else "dim")
            line.append(f"{signed(totals[seat]):>5}  ")
            event = last.get(seat)
            if event is not None:
                plain = not isinstance(event, Drew) or event.why in ("choice", "clock")
                own = seat == self.viewer and plain  # a penalty is explained below
                done = deed(event, self.lang, own=own)
                if seat in self.session.remarks:
                    said = self.session.remarks[seat]
                    done = f"{done} · {words.text(said.key, count=said.count)}"
                line.append(fit(done, width - line.cell_len - 1), "dim")
            elif turn and not self.session.is_human(seat):
                line.append(words.text("play.thinking"), "dim")
            lines.append(line)
        return Text("\n").join(lines)

    # The tiles

    def scene(self) -> Scene:
        editor, game = self.editor, self.game
        rows = game.table if editor is None else editor.draft.rows
        declared = game.declared if editor is None else editor.declarations()
        cursor = editor.cursor if editor is not None and not editor.on_rack else None
        new_row = self.words.text("play.new-row") if editor is not None else ""
        notes = row_notes(game, rows, declared, self.lang)
        return Scene(rows, notes, new_row, cursor, self.marks(), self.palette)

    def marks(self) -> dict[Tile, Mark]:
        marks: dict[Tile, Mark] = {}
        if self.viewer is not None:
            marks |= dict.fromkeys(self.session.fresh_tiles(self.viewer), Mark.FRESH)
            marks |= dict.fromkeys(self.session.own_draw(self.viewer), Mark.DRAWN)
        elif (turns := self.session.turns()) and isinstance(turns[-1], Played):
            marks |= dict.fromkeys(turns[-1].tiles, Mark.FRESH)
        if self.editor is not None:
            marks |= dict.fromkeys(self.editor.draft.placed, Mark.PLACED)
            marks |= dict.fromkeys(self.editor.selected, Mark.SELECTED)
        return marks

    def rack(self) -> tuple[tuple[Tile, ...], int | None]:
        """The tiles of the rack in sight and the cursor on them."""
        if self.editor is not None:
            place = self.editor.cursor.place if self.editor.on_rack else None
            return self.editor.draft.rack, place
        return (() if self.viewer is None else self.game.racks[self.viewer]), None

    def hidden(self) -> int:
        """How many backs to show instead."""
        humans = self.session.humans
        if self.viewer is not None or not humans:
            return 0
        seat = self.game.current if self.game.current in humans else humans[0]
        return len(self.game.racks[seat])

    def title(self, sort: str) -> Text:
        if self.viewer is None:
            return Text(
                " " + self.words.text("play.rack-hidden" if self.hidden() else "play.watch")
            )
        tiles, _ = self.rack()
        text = self.words.text(
            "play.rack-title",
            name=self.game.players[self.viewer],
            tiles=self.words.text("play.tiles", count=len(tiles)),
            points=self.words.text("count.points", count=rack_points(self.game.edition, tiles)),
            sort=self.words.text(SORT_KEYS[sort]),
        )
        return Text(f" {text}", "bold", no_wrap=True)

    # Below the tiles

    def status(self, width: int) -> Text:
        """First the turn in the making, then what there is to say about the last key."""
        said, style = "", ""
        if self.message:
            said, style = self.message, "bold"
        elif (reason := self._row_reason()) is not None:
            said, style = f"✗ {reason}", self.palette.bad
        elif self.editor is not None and (wrong := self._turn_reason()) is not None:
            said, style = f"✗ {wrong}", self.palette.warn
        lines = [Text(line, style) for line in wrap(said, width)]
        return Text("\n").join([self._turn_line(), *lines])

    def _turn_line(self) -> Text:
        words, game, editor = self.words, self.game, self.editor
        if game.phase is not Phase.PLAYING:
            return Text("")
        if editor is None:
            return Text(words.text("play.turn-of", name=game.players[game.current]))
        placed = len(editor.draft.placed)
        text = Text()
        if not game.opened[game.current]:
            points = opening_points(game.edition, editor.draft)
            minimum = game.edition.initial_min
            if minimum:
                said = words.text("play.opening", points=points, minimum=minimum)
            else:
                said = words.text("play.opening-any", count=points)
            text.append(said, self.palette.good if points >= minimum and placed else "")
        elif placed or game.pool:
            text.append(words.text("play.placed", count=placed))
        else:
            forced = game.pass_is_forced
            text.append(words.text("play.must-play-turn" if forced else "play.may-pass-turn"))
        if editor.selected:
            text.append("  " + words.text("play.selected", count=len(editor.selected)), "bold")
        if editor.draft.changed and game.judge(editor.draft.rows, editor.declarations()).legal:
            text.append("  ✓ " + words.text("play.ready"), f"bold {self.palette.good}")
        return text

    def _row_reason(self) -> str | None:
        """What is wrong with the row under the cursor, else with the first wrong one."""
        if self.editor is None:
            return None
        rows, edition = self.editor.draft.rows, self.game.edition
        here = self.editor.cursor.row
        order = [here, *range(len(rows))] if 0 <= here < len(rows) else range(len(rows))
        for row in order:
            note = row_note(edition, rows[row], None, self.lang)
            if not note.good:
                return note.reason
        return None

    def _turn_reason(self) -> str | None:
        """What is wrong with the turn although every row is a set."""
        editor, game = self.editor, self.game
        if editor is None or not editor.draft.changed:
            return None
        reasons = game.judge(editor.draft.rows, editor.declarations()).reasons
        shown = [reason for reason in reasons if reason.code != "undeclared"]
        return reason_text(shown[0], self.lang, game.edition) if shown else None

    def keys(self, width: int) -> Text:
        words = self.words
        if self.editor is None:
            return Text(fit(" " + words.text("play.hint-wait"), width))
        draw = "play.hint-draw" if self.game.pool else "play.hint-pass"
        hints = [words.text("play.hint-select"), words.text("play.hint-place")]
        hints += [words.text("play.hint-new"), words.text("play.hint-undo")]
        hints += [words.text("play.hint-commit"), words.text(draw)]
        if self.game.pass_is_forced:
            hints.append(words.text("play.hint-show"))
        hints += [words.text("play.hint-sort"), words.text("play.hint-help")]
        last = cell_len(hints[-1]) + 2
        text = Text(no_wrap=True)
        for hint in hints:
            key, _, meaning = hint.partition("|")
            room = width if hint is hints[-1] else width - last
            if text.cell_len + cell_len(hint) + 2 <= room:
                text.append("  " if text else " ").append(key, "bold").append(f" {meaning}")
        return text


def _widest(texts: list[str]) -> int:
    return max((cell_len(text) for text in texts), default=0)


def _right(text: str, width: int) -> str:
    return " " * max(width - cell_len(text), 0) + text
