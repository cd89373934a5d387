"""Errors in the player's language."""

from __future__ import annotations

import errno

from tilerummy.locales.catalogues import Catalogue, Message, catalogue, terminal_words
from tilerummy.locales.names import possible_text
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.options import Spec


def error_text(error: TileRummyError, lang: str) -> str:
    """The message of an error in a language; in English if there is no translation.

    Raises LanguageError for an unknown language.
    """
    params = {name: _shown(name, value, lang) for name, value in error.params.items()}
    message = _message(error.key, lang)
    if message is None:
        return error.template.format_map(params) if params else str(error)
    return message.format(params)


def system_reason(error: OSError, lang: str) -> str:
    """The reason of an operating system error: `No such file or directory`.

    Raises LanguageError for an unknown language.
    """
    words, key = terminal_words(lang), f"system.{errno.errorcode.get(error.errno or 0)}"
    return words.text(key) if key in words.messages else error.strerror or type(error).__name__


def _message(key: str | None, lang: str) -> Message | None:
    if key is None:
        return None
    sources: tuple[Catalogue, ...] = (terminal_words(lang), catalogue(lang))
    return next((words.messages[key] for words in sources if key in words.messages), None)


def _shown(name: str, value: object, lang: str) -> object:
    match value:
        case TileRummyError():
            return error_text(value, lang)
        case OSError():
            return system_reason(value, lang)
        case Spec():
            return possible_text(value, lang) if _translated(lang) else str(value)
        case tuple():
            return catalogue(lang).text("list.comma").join(map(str, value))
    if name == "edition" and value in EDITIONS and _translated(lang):
        return catalogue(lang).text(f"edition.{value}.name")
    return value


def _translated(lang: str) -> bool:
    return bool(terminal_words(lang).messages)
