"""The names of bots in records, in the language of the reader.

Records keep one name for all languages: that of the bot, with a number from the second of a kind
on. Older records number the first one, too.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tilerummy.bots.roster import ROSTER
from tilerummy.locales import Catalogue
from tilerummy.play.events import Created, Event
from tilerummy.play.record import Record

_GIVEN = re.compile(r"(\w+)(?: ([0-9]+))?")
_KEYS = {spec.title: spec.name_key for spec in ROSTER}


def shown_name(name: str, words: Catalogue) -> str:
    """The name of a player as the reader sees it; people keep theirs."""
    given = _GIVEN.fullmatch(name)
    key = None if given is None else _KEYS.get(given[1])
    if given is None or key is None:
        return name
    number = given[2] or "1"
    return words.text(key) if number == "1" else f"{words.text(key)} {number}"


def with_shown_names(record: Record, words: Catalogue) -> Record:
    """The same record with the names as the reader sees them."""
    names = tuple([shown_name(name, words) for name in record.players])

    def renamed(event: Event) -> Event:
        return replace(event, players=names) if isinstance(event, Created) else event

    games = tuple([tuple(map(renamed, game)) for game in record.games])
    return replace(record, players=names, games=games)
