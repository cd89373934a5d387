"""The first screen: what to play and who plays. Enter starts at once."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static

from tilerummy.bots.roster import BOTS, OFFERED, STAND_IN
from tilerummy.bots.spec import BotSpec
from tilerummy.bots.strengths import strength_of
from tilerummy.cli.plan import BOT, Plan, Seat, checked_seats
from tilerummy.locales import Catalogue, catalogue, choice_text, error_text
from tilerummy.rules.editions import EDITIONS, SPECS, Edition, edition, parse_option
from tilerummy.rules.errors import TileRummyError

MOST_SEATS = 6
HUMAN, NOBODY = "human", "nobody"
REUSE = "joker.reuse"


class SetupScreen(Screen[Plan]):
    """A form; its answer is the plan of a match."""

    CSS = """
    SetupScreen { align: center middle; }
    SetupScreen > VerticalScroll { width: 100%; max-width: 78; height: 100%; max-height: 24; }
    SetupScreen Horizontal { height: 1; }
    SetupScreen Label { width: 22; }
    SetupScreen #heading { width: 100%; text-style: bold; margin-bottom: 1; }
    SetupScreen #bot { margin: 0 0 0 22; height: auto; color: $text-muted; }
    SetupScreen #blurb { margin: 0 0 1 22; height: auto; color: $text-muted; }
    SetupScreen Select { width: 34; }
    SetupScreen Select.kind { width: 24; margin-right: 1; }
    SetupScreen Input { width: 1fr; }
    SetupScreen #rounds, SetupScreen #clock, SetupScreen #minimum { width: 8; }
    SetupScreen #games { width: 1fr; height: 1; margin-left: 1; color: $text-muted; }
    SetupScreen #error { color: $error; height: auto; max-height: 4; }
    SetupScreen Button { margin: 1 0 0 22; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.leave", show=False),
        Binding("f2,ctrl+s", "start", show=False),
    ]

    def __init__(self, plan: Plan, lang: str) -> None:
        super().__init__()
        self.plan = plan
        self.lang = lang
        self.words = catalogue(lang)

    def compose(self) -> ComposeResult:
        text, rules = self.words.text, self.plan.edition
        with VerticalScroll(can_focus=False):
            yield Static(text("play.setup"), id="heading", markup=False)
            with Horizontal():
                yield Label(text("play.setup-edition"))
                editions = [(text(f"edition.{name}.name"), name) for name in EDITIONS]
                yield Select(
                    editions, value=rules.name, allow_blank=False, compact=True, id="edition"
                )
            yield Static(text(f"edition.{rules.name}.blurb"), id="blurb", markup=False)
            for seat in range(MOST_SEATS):
                yield from self._seat(seat)
            yield Static("", id="bot", markup=False)
            for name, key, value in (
                ("rounds", "play.setup-rounds", self.plan.rounds),
                ("clock", "play.setup-clock", rules.timer_seconds),
                ("minimum", "play.setup-minimum", rules.initial_min),
            ):
                with Horizontal():
                    yield Label(text(key))
                    yield Input(str(value), type="integer", compact=True, id=name)
                    if name == "rounds":
                        yield Static("", id="games", markup=False)
            with Horizontal():
                yield Label(text("play.setup-reuse"))
                reuse = [
                    (choice_text(REUSE, choice, self.lang) or choice, choice)
                    for choice in SPECS[REUSE].choices
                ]
                yield Select(
                    reuse, value=rules.joker_reuse, allow_blank=False, compact=True, id="reuse"
                )
            with Horizontal():
                yield Label(text("play.setup-more"))
                more = " ".join(f"{key}={value}" for key, value in _others(rules).items())
                yield Input(more, placeholder="joker.rack_penalty=25 …", compact=True, id="more")
            yield Button(text("play.setup-start"), variant="primary", compact=True, id="start")
            yield Static("", id="error", markup=False)

    def _seat(self, number: int) -> ComposeResult:
        text = self.words.text
        seat = self.plan.seats[number] if number < len(self.plan.seats) else None
        kind = NOBODY if seat is None else _kind(seat)
        kinds = [
            (text("play.setup-human"), HUMAN),
            *((self._bot_name(spec), _bot_kind(spec.id)) for spec in self._offered()),
            (text("play.setup-nobody"), NOBODY),
        ]
        with Horizontal():
            yield Label(text("play.setup-seat", number=number + 1))
            yield Select(
                kinds,
                value=kind,
                allow_blank=False,
                compact=True,
                id=f"kind-{number}",
                classes="kind",
            )
            yield Input(seat.name if seat else "", compact=True, id=f"name-{number}")

    def _describe(self, bot: str | None) -> None:
        """Say what a bot is like and how strong it is; the latest one that was chosen."""
        about = ""
        if bot is not None:
            about = bot_text(bot, self.plan.edition.name, self.words)
        self.query_one("#bot", Static).update(about)

    def _offered(self) -> list[BotSpec]:
        """The bots to choose from: those for people, and those that were asked for by name."""
        planned = {seat.bot for seat in self.plan.seats}
        return [spec for spec in BOTS.values() if spec in OFFERED or spec.id in planned]

    def _bot_name(self, spec: BotSpec) -> str:
        name = self.words.text(spec.name_key)
        return self.words.text("bots.level", level=spec.level, name=name) if spec.level else name

    def on_mount(self) -> None:
        start = self.query_one("#start", Button)
        start.active_effect_duration = 0  # it would swallow a second Enter
        start.focus()

    @on(Select.Changed, "#edition")
    def take_edition(self, event: Select.Changed) -> None:
        """Another edition brings its own clock, opening and joker rule."""
        rules = EDITIONS[str(event.value)]
        if rules.name == self.plan.edition.name:
            return
        self.plan = Plan(rules, self.plan.seats, self.plan.rounds)
        self.query_one("#blurb", Static).update(self.words.text(f"edition.{rules.name}.blurb"))
        self.query_one("#clock", Input).value = str(rules.timer_seconds)
        self.query_one("#minimum", Input).value = str(rules.initial_min)
        self.query_one("#reuse", Select).value = rules.joker_reuse

    @on(Select.Changed, ".kind")
    def name_seat(self, event: Select.Changed) -> None:
        """A seat that is taken gets a name, one that is left loses it."""
        number = int(str(event.select.id).rpartition("-")[2])
        self._describe(BOT_KINDS.get(str(event.value)))
        field = self.query_one(f"#name-{number}", Input)
        planned = self.plan.seats[number] if number < len(self.plan.seats) else None
        usual = {
            HUMAN: self._unused("play.player-name", field),
            **{_bot_kind(bot): self._unused("play.bot-name", field) for bot in BOTS},
            NOBODY: "",
        }
        if planned is not None and event.value == _kind(planned):
            usual[str(event.value)] = planned.name
        if field.value in ("", *usual.values()) or (planned and field.value == planned.name):
            field.value = usual[str(event.value)]

    def _unused(self, key: str, field: Input) -> str:
        """The first numbered name that no other seat has."""
        others = {one.value for one in self.query(Input) if one is not field}
        names = (self.words.text(key, number=number) for number in range(1, MOST_SEATS + 2))
        return next(name for name in names if name not in others)

    @on(Input.Changed)
    @on(Select.Changed)
    def count_games(self) -> None:
        """Rounds mean little to newcomers: say how many games they are."""
        try:
            count = self._read().match().games_agreed
        except TileRummyError:
            said = ""  # shown in full at the start
        else:
            said = self.words.text("play.setup-games", count=count)
        self.query_one("#games", Static).update(said)

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        try:
            plan = self._read()
            plan.match()
        except TileRummyError as error:
            self.query_one("#error", Static).update(error_text(error, self.lang))
            return
        self.dismiss(plan)

    def _read(self) -> Plan:
        seats = []
        for number in range(MOST_SEATS):
            kind = self.query_one(f"#kind-{number}", Select).value
            if kind != NOBODY:
                name = " ".join(self.query_one(f"#name-{number}", Input).value.split())
                seats.append(Seat(name, kind == HUMAN, BOT_KINDS.get(str(kind), STAND_IN)))
        more = self.query_one("#more", Input).value.split()
        options: dict[str, object] = dict(parse_option(word) for word in more)
        options |= {
            "timer.seconds": self._number("#clock"),
            "initial.min": self._number("#minimum"),
            REUSE: self.query_one("#reuse", Select).value,
        }
        name = str(self.query_one("#edition", Select).value)
        base = EDITIONS[name].options()
        changed = {key: value for key, value in options.items() if base[key] != value}
        return Plan(edition(name, changed), checked_seats(seats), self._number("#rounds"))

    def _number(self, field: str) -> int:
        text = self.query_one(field, Input).value.strip()
        return int(text) if text.isdecimal() else -1


def bot_text(bot: str, edition_name: str, words: Catalogue) -> str:
    """What a bot is like, and how often it wins in an edition."""
    spec = BOTS[bot]
    return " ".join(
        [
            f"{words.text(spec.name_key)}:",
            words.text(spec.character_key),
            strength_text(bot, edition_name, words),
        ]
    )


def strength_text(bot: str, edition_name: str, words: Catalogue) -> str:
    """How often a bot wins at the smallest table at which it was measured."""
    for players in range(2, MOST_SEATS + 1):
        found = strength_of(bot, edition_name, players)
        if found is not None:
            name = words.text(BOTS[found.against].name_key)
            wins = round(found.wins)
            return words.text("strength.wins", percent=wins, name=name, players=players)
    return words.text("strength.unknown")


def _bot_kind(bot: str) -> str:
    """The word for a bot, as `--players` takes it."""
    return BOT if bot == STAND_IN else f"{BOT}:{bot}"


BOT_KINDS = {_bot_kind(bot): bot for bot in BOTS}


def _kind(seat: Seat) -> str:
    return HUMAN if seat.human else _bot_kind(seat.bot)


def _others(rules: Edition) -> dict[str, object]:
    """The changed options that have no field of their own."""
    own = ("timer.seconds", "initial.min", REUSE)
    return {key: value for key, value in rules.changed_options().items() if key not in own}
