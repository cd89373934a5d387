"""The questions of the pad in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilerummy.cli.pad.inputs import parse_score, split_words
from tilerummy.cli.pad.words import Words
from tilerummy.locales.typed import in_notation
from tilerummy.play.scorepad import (
    Counted,
    Entry,
    Left,
    PadError,
    ScorePad,
    Written,
    checked_names,
    name_key,
)
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.errors import TileRummyError, quoted

COMMANDS = ("blocked", "scores", "undo", "correct", "rename", "rounds", "show", "new")
ENDINGS = ("blocked", "scores")
ANYWHERE = ("back", "help", "quit")

T = TypeVar("T")


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """The player leaves the pad."""


class Back(Exception):  # noqa: N818 - nothing went wrong
    """The player gives up what is being entered."""


class Prompts:
    """Asks until an answer makes sense. Any question may raise Back or Leave instead."""

    def __init__(self, words: Words, console: Console) -> None:
        self.words = words
        self.console = console

    def say(self, key: str, style: str = "", **params: object) -> None:
        self.console.print(Text(self.words(key, **params), style=style))

    def complain(self, error: TileRummyError) -> None:
        self.console.print(Text(self.words.error(error), style="red"))

    def line(
        self,
        prompt: str,
        *,
        players: Iterable[str] = (),
        at_top: bool = False,
        help_key: str = "help",
    ) -> str:
        """One line of input; help, back and quit are answered here unless a player is called so.

        Ctrl-D leaves. Ctrl-C gives up what is being entered, and leaves from the top.
        """
        while True:
            try:
                answer = " ".join(input(prompt).split())
            except EOFError:
                self.console.print()
                raise Leave from None
            except KeyboardInterrupt:
                self.console.print()
                raise (Leave if at_top else Back) from None
            if name_key(answer) in map(name_key, players):
                return answer
            command = self.command(answer, ANYWHERE)
            if command == "quit":
                raise Leave
            if command == "back":
                raise Back
            if command is None:
                return answer
            self.say(help_key)

    def until_valid(self, question: Callable[[], T]) -> T:
        while True:
            try:
                return question()
            except TileRummyError as error:
                self.complain(error)

    # What a word means

    def command(self, word: str, commands: Iterable[str]) -> str | None:
        """The command that a word spells, in English or in the player's language."""
        wanted = name_key(word.removeprefix("/"))
        wanted = {"?": "help", "q": "quit", "exit": "quit"}.get(wanted, wanted)
        for command in commands:
            if wanted in self._spellings(command):
                return command
        return None

    def _spellings(self, command: str) -> tuple[str, str]:
        return command, name_key(self.words.command(command))

    def seat_or_command(
        self, pad: ScorePad, line: str, commands: Iterable[str]
    ) -> tuple[int | None, str, str]:
        """What a line at the top means: a seat; or a command and the rest of the line.

        A full name comes before a command, so that a player called Undo can win a game; `/undo` is
        always the command. A beginning will do for either, where it fits only one.
        """
        names = [name_key(player) for player in pad.players]
        key = name_key(line)
        if key in names:
            return names.index(key), "", ""
        if line.isascii() and line.isdigit() and 1 <= int(line[:3]) <= len(names):
            return int(line[:3]) - 1, "", ""
        word, _, rest = line.partition(" ")
        command = self.command(word, commands)
        if command is not None:
            return None, command, rest
        seats = [seat for seat, name in enumerate(names) if key and name.startswith(key)]
        begun = [
            command
            for command in commands
            if key and any(word.startswith(key) for word in self._spellings(command))
        ]
        if len(seats) + len(begun) == 1:
            return (seats[0], "", "") if seats else (None, begun[0], "")
        if seats or begun:
            found = (*(pad.players[seat] for seat in seats), *map(self.words.command, begun))
            raise PadError("ambiguous-player", name=quoted(line), players=found)
        raise PadError("unknown-answer", name=quoted(line), players=pad.players)

    def choices(self, players: Iterable[str], commands: Iterable[str]) -> None:
        text = Text()
        for number, player in enumerate(players, start=1):
            text.append(f"{number}", style="bold cyan").append(f" {player}   ")
        text.append(" · ".join(self.words.command(name) for name in commands), style="dim")
        self.console.print(text)

    # A pad

    def names(self) -> tuple[str, ...]:
        def ask() -> tuple[str, ...]:
            return checked_names(
                split_words(self.line(self.words("ask-names") + " ", help_key="help-new"))
            )

        while True:
            given = self.until_valid(ask)
            if given:
                return given

    def edition(self, players: int) -> Edition:
        """An edition for that many players; if there is only one, it is not asked."""
        fitting = [
            name for name, e in EDITIONS.items() if e.players_min <= players <= e.players_max
        ]
        if len(fitting) < 2:
            return EDITIONS[fitting[0] if fitting else "classic"]
        table = Table.grid(padding=(0, 2))
        for name in fitting:
            table.add_row(Text(name, style="bold cyan"), self.words.blurb(name))
        self.console.print(table)

        def ask() -> Edition:
            question = f"{self.words('ask-edition')} [{fitting[0]}] "
            answer = self.line(question, help_key="help-edition").lower()
            begun = [name for name in fitting if answer and name.startswith(answer)]
            return edition(begun[0] if len(begun) == 1 else answer or fitting[0])

        return self.until_valid(ask)

    def rounds(self, default: int | None = None, given: str = "") -> int:
        if given:
            return whole(given)
        hint = "" if default is None else f" [{default}]"
        question = f"{self.words('ask-rounds')}{hint} "

        def ask() -> int:
            return whole(self.line(question, help_key="help-rounds") or str(default or ""))

        return self.until_valid(ask)

    # A game

    def game(self, pad: ScorePad, number: int) -> Entry:
        """Correct a game that is already on the pad."""

        def ask() -> Entry:
            self.say("ask-out", number=number)
            self.choices(pad.players, (*ENDINGS, *ANYWHERE))
            answer = self.line("> ", players=pad.players)
            seat, command, rest = self.seat_or_command(pad, answer, ENDINGS)
            first = pad.entries[number - 1].first
            return self.scores(pad, rest) if command == "scores" else self.left(pad, seat, first)

        return self.until_valid(ask)

    def left(self, pad: ScorePad, out: int | None, first: int | None) -> Entry:
        """The racks that are left, and all else that the score depends on."""
        if out is None:
            self.say("ask-left-blocked")
        else:
            self.say("ask-left", name=pad.players[out])
        entry = Counted((), out, first)
        for _ in pad.players:
            entry = self._with_next_left(pad, entry)
        if pad.edition.tournament_unopened_penalty:
            entry = replace(entry, unopened=self._unopened(pad, out))
        return self._settled(pad, entry)

    def scores(self, pad: ScorePad, given: str = "") -> Written:
        if given:
            entry = Written(tuple(parse_score(score) for score in given.replace(",", " ").split()))
        else:
            self.say("ask-scores")
            entry = Written(tuple(self._score_of(name) for name in pad.players))
        pad.result(entry)
        return entry

    def _with_next_left(self, pad: ScorePad, entry: Counted) -> Counted:
        seat = len(entry.left)

        def ask() -> Counted:
            answer = "" if seat == entry.out else self.line(f"  {pad.players[seat]} > ")
            grown = replace(entry, left=(*entry.left, Left.parse(in_notation(answer))))
            pad.check_left(grown)
            return grown

        return self.until_valid(ask)

    def _score_of(self, name: str) -> int:
        return self.until_valid(lambda: parse_score(self.line(f"  {name} > ")))

    def _unopened(self, pad: ScorePad, out: int | None) -> tuple[int, ...]:
        def ask() -> tuple[int, ...]:
            names = split_words(self.line(self.words("ask-unopened") + " "))
            seats = tuple(sorted({pad.seat(name) for name in names}))
            if out in seats:
                raise PadError("out-unopened", name=pad.players[out or 0])
            return seats

        return self.until_valid(ask)

    def _settled(self, pad: ScorePad, entry: Counted) -> Counted:
        """The game with what a tie still asks for: tiles counted, or who began."""
        while True:
            try:
                pad.result(entry)
            except PadError as error:
                if error.code == "needs-first":
                    self.say("ask-first", players=error.params["players"])
                    self.choices(pad.players, ANYWHERE)
                    seat = self.until_valid(lambda: self._seat(pad))
                    entry = replace(entry, first=seat)
                elif error.code == "needs-tiles":
                    entry = self._counted_tiles(pad, entry, str(error.params["name"]))
                else:
                    raise
            else:
                return entry

    def _seat(self, pad: ScorePad) -> int | None:
        return self.seat_or_command(pad, self.line("> ", players=pad.players), ())[0]

    def _counted_tiles(self, pad: ScorePad, entry: Counted, name: str) -> Counted:
        seat = pad.players.index(name)

        def ask() -> Counted:
            count = whole(self.line(self.words("ask-tiles", name=name) + " "))
            left = list(entry.left)
            left[seat] = replace(left[seat], count=count)
            counted = replace(entry, left=tuple(left))
            pad.check_left(counted)
            return counted

        return self.until_valid(ask)


def whole(text: str) -> int:
    if text.isascii() and text.isdigit():
        return int(text[:9])
    raise PadError("bad-number", given=quoted(text))
