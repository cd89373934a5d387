"""Intake: turns an incoming message of a seat into a room command."""

from __future__ import annotations

import secrets
from typing import assert_never

from tilerummy.play import commands as moves
from tilerummy.server.protocol import incoming
from tilerummy.server.protocol.tiles import declared_in, table_in
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.commands import Command


def new_secret() -> str:
    """A new dealer's secret for a game."""
    return secrets.token_hex(32)


def command_of(message: incoming.SeatCommand, seat: int) -> Command:
    """The room command that a message of a seat stands for. Raises TileError, DeclarationError."""
    match message:
        case incoming.Play():  # the most frequent one first
            table, declared = table_in(message.table), declared_in(message.declared)
            return commands.TakeTurn(moves.Play(seat, table, declared), message.turn)
        case incoming.Draw():
            return commands.TakeTurn(moves.Draw(seat), message.turn)
        case incoming.Pass():
            return commands.TakeTurn(moves.Pass(seat), message.turn)
        case incoming.Begin():
            return commands.Begin(seat, new_secret())
        case incoming.Bot():
            return commands.AddBot(seat, message.bot, message.seat)
        case incoming.Remove():
            return commands.Remove(seat, message.seat)
        case incoming.Leave():
            return commands.Leave(seat)
        case incoming.Seed():
            return commands.Seed(seat, message.seed)
        case incoming.Ask():
            return commands.Ask(seat, message.what, message.want, new_secret())
        case incoming.Say():
            return commands.Say(seat, message.text)
        case incoming.Emote():
            return commands.Say(seat, emote=message.emote)
        case incoming.Mute():
            return commands.Mute(seat, message.seat, message.on)
        case _:
            assert_never(message)
