"""Languages: the list of them, and language negotiation (`zh_TW.UTF-8` means `zh-Hant`).

A new language is one more tag in `Language`, its own name, and its catalogues: `TAG.toml` here, in
`page/` and in `terminal/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from tilerummy.rules.errors import TileRummyError, quoted

Language = Literal["en", "zh-Hans", "zh-Hant"]
"""Of the same language, the first is the default."""

OWN_NAMES: Mapping[Language, str] = {
    "en": "English",
    "zh-Hans": "简体中文",
    "zh-Hant": "繁體中文",
}
"""The name of each language in that language."""

LANGUAGES: tuple[Language, ...] = get_args(Language)
"""The tags of all languages, English first."""

SCRIPTS: Mapping[str, str] = {"tw": "hant", "hk": "hant", "mo": "hant"}
"""The script of a region, where it is not the default of the language."""

_UNSET = ("c", "posix")
"""Locales of systems without a language setting: English."""
_ENVIRONMENT = ("LC_ALL", "LC_MESSAGES", "LANG")


class LanguageError(TileRummyError):
    """A language without catalogues."""

    code = "bad-language"


def match_language(wanted: object) -> Language:
    """Language negotiation: `zh_TW.UTF-8` → `zh-Hant`, `C` → `en`.

    Raises LanguageError if no language matches.
    """
    if isinstance(wanted, str):
        name = wanted.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
        base, *rest = name.split("-")
        if base in _UNSET:
            return "en"
        found = [tag for tag in LANGUAGES if tag.partition("-")[0] == base]
        # A script in the wish counts before one that follows from the region.
        scripts = [*rest, *(SCRIPTS[part] for part in rest if part in SCRIPTS)]
        for script in scripts:
            for tag in found:
                if tag.partition("-")[2].lower() == script:
                    return tag
        if found:
            return found[0]
    raise LanguageError(
        "unknown language '{language}': there are {languages}",
        key="error.language.unknown",
        language=quoted(wanted),
        languages=LANGUAGES,
    )


def system_language(environ: Mapping[str, str]) -> Language:
    """The language of `LC_ALL`, `LC_MESSAGES` or `LANG`; English if none matches."""
    wanted = next((environ[name] for name in _ENVIRONMENT if environ.get(name)), "en")
    try:
        return match_language(wanted)
    except LanguageError:
        return "en"
