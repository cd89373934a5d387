"""The client's side of commit–reveal: a new seed for every deal, revealed only when it is time."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from tilerummy.client.seat import ClientState
from tilerummy.play.commit_reveal import seat_commitment

SEED_BYTES = 16


def new_seed() -> str:
    """A random seed."""
    return secrets.token_hex(SEED_BYTES)


class Seeds:
    """The seeds of one seat. They leave this object only after all commitments are fixed."""

    def __init__(self, make: Callable[[], str] = new_seed) -> None:
        self._make = make
        self._seeds: dict[str, str] = {}
        """By the transcript of the deal."""
        self._sent: set[tuple[str, str]] = set()

    def message(self, known: ClientState) -> dict[str, Any] | None:
        """The command that the state asks for, without its id; each one is returned once."""
        message = self._due(known)
        if message is None or (message["type"], known.transcript) in self._sent:
            return None
        self._sent.add((message["type"], known.transcript))
        return message

    def _due(self, known: ClientState) -> dict[str, Any] | None:
        seat, transcript = known.you, known.transcript
        if known.phase != "dealing" or known.shuffle_version == 1 or seat is None:
            return None
        if not known.sources:
            if known.commitments[seat] is not None:
                return None
            seed = self._seeds.setdefault(transcript, self._make())
            made = seat_commitment(transcript, seat, seed)
            return {"type": "commit", "transcript": transcript, "commitment": made}
        own = self._seeds.get(transcript)
        if own is None or known.seeds[seat] is not None:
            return None
        if known.commitments[seat] != seat_commitment(transcript, seat, own):
            return None  # another client of this seat has committed
        return {"type": "reveal", "transcript": transcript, "seed": own}
