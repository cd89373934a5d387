"""Localisation: message catalogues, names of tiles, sentences and the rule book.

`catalogue(lang).text(key, …)` gives a message; the functions beside it name tiles, reasons and
options. The rule book lives in `tilerummy.locales.rulebook`.
"""

from tilerummy.locales.catalogues import Catalogue, catalogue
from tilerummy.locales.errors import error_text, system_reason
from tilerummy.locales.languages import LANGUAGES, LanguageError, match_language, system_language
from tilerummy.locales.names import (
    choice_text,
    colour_name,
    declaration_name,
    join,
    kind_name,
    option_text,
    possible_text,
    refusal_text,
    tile_name,
    tiles_text,
    value_text,
)
from tilerummy.locales.sentences import Named, Sentence, sentence_text

__all__ = [
    "LANGUAGES",
    "Catalogue",
    "LanguageError",
    "Named",
    "Sentence",
    "catalogue",
    "choice_text",
    "colour_name",
    "declaration_name",
    "error_text",
    "join",
    "kind_name",
    "match_language",
    "option_text",
    "possible_text",
    "refusal_text",
    "sentence_text",
    "system_language",
    "system_reason",
    "tile_name",
    "tiles_text",
    "value_text",
]
