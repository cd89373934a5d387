"""Settings of a room, chosen once by the guest who opens it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from tilerummy.play.match import Match
from tilerummy.rules.editions import EDITIONS, SPECS, Edition, edition, option_value
from tilerummy.rules.options import ALIASES, Spec

LONGEST_DELAY = 600
"""The longest spectator delay, in seconds."""
MOST_SEATS = 6
MOST_ROUNDS = 100


def _schema(spec: Spec) -> dict[str, Any]:
    """The values of an option as JSON Schema."""
    if spec.kind == "bool":
        return {"type": "boolean"}
    if spec.kind == "jokers":
        return {"type": ["string", "object"], "description": spec.possible()}
    words: list[str | None] = [*spec.choices]
    words += [alias for key, alias in ALIASES if key == spec.key]
    if spec.nullable:
        words += ["none", None]
    kinds: list[dict[str, Any]] = [{"enum": words}] if words else []
    if spec.kind == "int":
        kinds.append({"type": "integer", "minimum": spec.low, "maximum": spec.high})
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


# The rules validate these two themselves, with messages that list the alternatives.
Name = Annotated[str, msgspec.Meta(extra_json_schema={"enum": [*EDITIONS]})]
Options = Annotated[
    dict[str, Any],
    msgspec.Meta(
        extra_json_schema={
            "properties": {key: _schema(spec) for key, spec in SPECS.items()},
            "additionalProperties": False,
        }
    ),
]


BotPace: TypeAlias = Literal["at-once", "fast", "normal", "slow"]
"""How long bots think before they move."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The turn clock is an option of the edition, `timer.seconds`; 0 means no clock."""

    edition: Name = "classic"
    options: Options = {}
    seats: Annotated[int, msgspec.Meta(ge=2, le=MOST_SEATS)] = 4
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 1
    public: bool = False
    """Listed for everybody; otherwise only people with the link find the room."""
    spectators: bool = True
    spectator_delay: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DELAY)] = 0
    stand_in: bool = True
    """Whether a bot plays for a guest who is away for too long."""
    hints: bool = False
    """Whether players may ask for hints."""
    bot_pace: BotPace = "normal"
    """How long bots think before they move, within the clock."""

    def rules(self) -> Edition:
        """The edition with its options. Raises OptionError."""
        return edition(self.edition, self.options)

    def plain(self) -> Settings:
        """The same settings with every option in its canonical form: `J2` for `{"J": 2}`."""
        rules = self.rules()
        options = {key: option_value(rules, key) for key in self.options}
        return msgspec.structs.replace(self, options=options)

    def check(self) -> None:
        """Raises OptionError or MatchError if these settings cannot be played."""
        Match(self.rules(), tuple(f"seat {seat + 1}" for seat in range(self.seats)), self.rounds)
