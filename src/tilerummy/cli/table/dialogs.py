"""What lies over the table for a moment: questions, the cover between players, long texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

BACK_KEYS = ("enter", "escape", "q")
Keys: TypeAlias = Mapping[str, Callable[[], None]]
"""What single characters do while something lies over the table."""


class Question(ModalScreen[str]):
    """Asks something that one key answers; Enter gives the first answer, and so does Escape
    unless given another."""

    CSS = """
    Question { align: center middle; }
    Question > Vertical {
        width: auto; max-width: 76; height: auto; max-height: 90%; padding: 1 3;
        background: $panel; border: round $primary;
    }
    Question Static { width: auto; max-width: 68; }
    Question .hint { color: $text-muted; margin-top: 1; }
    """

    def __init__(
        self,
        text: RenderableType,
        answers: Sequence[tuple[str, str]],
        *,
        escape: str | None = None,
        of_turn: bool = False,
        hint: str = "",
        keys: Keys | None = None,
    ) -> None:
        """`of_turn` marks a question that has no meaning once the turn is over; `keys` do
        something else and leave the question open, and `hint` tells of them."""
        super().__init__()
        self.escape = answers[0][0] if escape is None else escape
        self.text = text
        self.of_turn = of_turn
        self.answers = tuple(answers)
        self.hint = hint
        self.keys = keys or {}

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.text)
            for key, label in self.answers:
                yield Answer(key, label)
            if self.hint:
                yield Static(Text(self.hint), classes="hint")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        keys = [key for key, _ in self.answers]
        if event.key == "enter":
            self.dismiss(keys[0])
        elif event.key == "escape":
            self.dismiss(self.escape)
        elif event.character and event.character.lower() in keys:
            self.dismiss(event.character.lower())
        else:
            press(event, self.keys)


class Answer(Static):
    """One answer of a question, for those who prefer to click."""

    def __init__(self, key: str, label: str) -> None:
        text = Text("  ").append(f" {key} ", "reverse bold") if key != "enter" else Text("  ")
        super().__init__(text.append(f" {label}"))
        self.key = key

    def on_click(self) -> None:
        if isinstance(self.screen, Question):
            self.screen.dismiss(self.key)


class Cover(ModalScreen[None]):
    """Hides everything while the keyboard goes from one person to the next."""

    CSS = """
    Cover { align: center middle; background: $surface; }
    Cover Static { width: 100%; max-width: 76; text-align: center; text-style: bold; }
    Cover .hint { color: $text-muted; text-style: none; margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "go", show=False)]

    def __init__(self, text: str, hint: str, keys: Keys) -> None:
        super().__init__()
        self.text, self.hint, self.keys = text, hint, keys

    def compose(self) -> ComposeResult:
        yield Static(self.text, markup=False)
        yield Static(self.hint, markup=False, classes="hint")

    def on_key(self, event: events.Key) -> None:
        press(event, self.keys)

    def on_click(self) -> None:
        self.action_go()

    def action_go(self) -> None:
        self.dismiss(None)


def press(event: events.Key, keys: Keys) -> None:
    action = keys.get((event.character or "").lower())
    if action is not None:
        event.stop()
        action()


class Sheet(ModalScreen[None]):
    """A text that may be longer than the screen: rules, scores, the end of a game."""

    CSS = """
    Sheet { align: center middle; }
    Sheet > Vertical {
        width: 100%; max-width: 100; height: auto; max-height: 100%;
        background: $panel; border: round $primary; padding: 0 2;
    }
    Sheet VerticalScroll { height: auto; max-height: 100%; }
    Sheet .title { text-style: bold; }
    Sheet .hint { color: $text-muted; dock: bottom; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, "close", show=False) for key in BACK_KEYS),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, title: str, parts: Sequence[RenderableType], hint: str) -> None:
        super().__init__()
        self.heading, self.parts, self.hint = title, tuple(parts), hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Text(self.heading), classes="title")
            with VerticalScroll(can_focus=False):
                yield Static(Group(*self.parts))
            yield Static(Text(self.hint), classes="hint")

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        pane = self.query_one(VerticalScroll)
        pane.scroll_relative(y=step * max(pane.size.height - 2, 1), animate=False)
