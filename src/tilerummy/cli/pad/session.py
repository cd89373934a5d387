"""The pad in the terminal: asks for one game after the other, and saves each at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from tilerummy.cli.pad import files as padfile
from tilerummy.cli.pad.inputs import split_words
from tilerummy.cli.pad.prompts import COMMANDS, Back, Leave, Prompts, whole
from tilerummy.cli.pad.screen import print_pad
from tilerummy.cli.pad.words import Words
from tilerummy.play.scorepad import Entry, PadError, ScorePad, new_pad
from tilerummy.rules.errors import TileRummyError


def sit_down(words: Words, console: Console, path: Path | None, new_path: Path | None) -> None:
    """Open the pad at `path`, or set one up at `new_path`, and go on until the player leaves."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives every prompt line editing
    prompts = Prompts(words, console)
    try:
        pad_path = set_up(prompts, new_path) if path is None else path
    except Leave:
        prompts.say("nothing-begun")
        return
    PadSession(prompts, pad_path).run()


def set_up(prompts: Prompts, path: Path | None) -> Path:
    """Ask who plays what, and write the new pad: to `path`, or among the others."""
    prompts.say("welcome", style="bold")
    prompts.say("welcome-how")
    while True:
        with contextlib.suppress(Back):
            try:
                names = prompts.names()
                rules = prompts.edition(len(names))
                return padfile.add_pad(new_pad(names, rules, prompts.rounds(default=1)), path)
            except PadError as error:
                if error.code.startswith("file-"):
                    raise  # no other answer would help
                prompts.complain(error)


class PadSession:
    """One sitting at a pad. What `self.pad` holds is what the file holds."""

    def __init__(self, prompts: Prompts, path: Path) -> None:
        self.prompts = prompts
        self.path = path
        self.pad = padfile.read_pad(path)

    def run(self) -> None:
        self.show()
        with contextlib.suppress(Leave):
            while True:
                self.step()
        self.say_goodbye()

    def step(self) -> None:
        """One question at the top, and all that follows from its answer."""
        prompts, over = self.prompts, self.pad.match.is_over
        prompts.console.print()
        if over:
            prompts.say("ask-over")
            prompts.choices((), ("new", "rounds", "undo", "help", "quit"))
        else:
            prompts.say("ask-out", style="bold", number=len(self.pad.entries) + 1)
            prompts.choices(self.pad.players, ("blocked", "undo", "help", "quit"))
        try:
            line = prompts.line("> ", players=self.pad.players, at_top=True)
            if line:
                seat, command, rest = prompts.seat_or_command(self.pad, line, COMMANDS)
                if command:
                    self.obey(command, rest)
                else:
                    self.enter(lambda first: prompts.left(self.pad, seat, first))
        except Back:
            prompts.say("nothing-entered", style="yellow")
        except TileRummyError as error:
            prompts.complain(error)

    def obey(self, command: str, rest: str) -> None:
        prompts = self.prompts
        if command == "show":
            self.show()
        elif command == "blocked":
            self.enter(lambda first: prompts.left(self.pad, None, first))
        elif command == "scores":
            self.enter(lambda first: prompts.scores(self.pad, rest))
        elif command == "undo":
            self.change(ScorePad.without_last)
            prompts.say("taken-back", style="yellow", number=len(self.pad.entries) + 1)
            self.show()
        elif command == "correct":
            number = whole(rest or prompts.line(prompts.words("ask-number") + " "))
            self.pad.check_number(number)
            entry = prompts.game(self.pad, number)
            self.change(lambda pad: pad.corrected(number, entry))
            self.show(number)
        elif command == "rename":
            names = split_words(rest or prompts.line(prompts.words("ask-rename") + " "))
            if len(names) != 2:
                raise PadError("rename-what")
            self.change(lambda pad: pad.renamed(*names))
            self.show()
        elif command == "rounds":
            rounds = prompts.rounds(given=rest)
            self.change(lambda pad: pad.with_rounds(rounds))
            self.show()
        else:
            self.path = padfile.add_pad(
                new_pad(self.pad.players, self.pad.edition, self.pad.rounds), None
            )
            self.pad = padfile.read_pad(self.path)
            self.show()

    def enter(self, ask: Callable[[int | None], Entry]) -> None:
        self.pad.check_open()
        entry = ask(self.pad.match.next_starter())
        self.change(lambda pad: pad.with_game(entry))
        self.show(len(self.pad.entries))

    def change(self, change: Callable[[ScorePad], ScorePad]) -> None:
        """Change the pad and its file together, or neither."""

        def change_what_is_shown(pad: ScorePad) -> ScorePad:
            if pad != self.pad:
                raise PadError("changed-elsewhere")
            return change(pad)

        try:
            self.pad = padfile.change_pad(self.path, change_what_is_shown)[1]
        except PadError as error:
            if error.code == "file-missing":  # the file was removed: this copy is the only one
                padfile.create_pad(self.path, change(self.pad))
            elif error.code != "changed-elsewhere":
                raise
            self.pad = padfile.read_pad(self.path)
            if error.code == "changed-elsewhere":
                self.show()
                raise

    def say_goodbye(self) -> None:
        folder = padfile.pads_dir()
        if self.path.parent != folder:
            key = "goodbye-file"
        else:
            key = "goodbye" if padfile.current_pad(folder) == self.path else "goodbye-pad"
        self.prompts.say(key, path=padfile.shown(self.path), name=self.path.stem)

    def show(self, number: int | None = None) -> None:
        print_pad(self.prompts.console, self.prompts.words, self.path, self.pad, number)
