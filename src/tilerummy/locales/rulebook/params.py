"""What the sentences of the rule book are filled with, from one edition."""

from __future__ import annotations

import dataclasses

from tilerummy.locales.catalogues import Catalogue, catalogue
from tilerummy.locales.names import colour_name, join, tile_name
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileError
from tilerummy.rules.tiles import COLOURS, IS_SPECIAL, JOKER, JOKER_LETTERS, parse_face


class Params(dict[str, object]):
    """The fields of the edition, and on demand the name of any tile: `{r7}` → red 7."""

    def __init__(self, edition: Edition, words: Catalogue) -> None:
        super().__init__(
            (field.name, getattr(edition, field.name)) for field in dataclasses.fields(edition)
        )
        self._edition, self._lang = edition, words.language
        general, lang = catalogue(words.language), words.language
        colours = {letter: colour_name(letter, lang, edition) for letter in COLOURS}
        counts = [
            (letter, count)
            for letter, count in zip(JOKER_LETTERS, edition.jokers, strict=True)
            if count
        ]
        low, high = edition.players_min, edition.players_max
        self |= {f"colour_{letter}": name for letter, name in colours.items()}
        self |= {
            f"title_{key.removeprefix('title.')}": words.text(key)
            for key in words.messages
            if key.startswith("title.")
        }
        self |= {
            "edition": general.text(f"edition.{edition.name}.name"),
            "players": low if low == high else general.text("count.players", low=low, high=high),
            "tiles": len(edition.box()),
            "number_tiles": JOKER * edition.copies,
            "colours": join(list(colours.values()), lang),
            "joker_list": join([self._count(general, *each) for each in counts], lang, "and-count"),
            "joker_letters": join(
                [
                    general.text("count.letter", letter=letter, name=self[letter])
                    for letter, _ in counts
                ],
                lang,
                "and-clause",
            ),
        }

    def _count(self, general: Catalogue, letter: str, count: int) -> str:
        plain = not IS_SPECIAL[parse_face(letter)] and not self._edition.has_specials
        return general.text("count.jokers" if plain else f"count.{letter}", count=count)

    def __missing__(self, name: str) -> str:
        try:
            return tile_name(parse_face(name), self._lang, self._edition)
        except TileError as error:
            raise KeyError(name) from error
