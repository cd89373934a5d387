"""Which languages there are, and which of them a wish such as `zh_TW.UTF-8` means."""

from __future__ import annotations

from collections.abc import Mapping

from tilerummy.rules.errors import TileRummyError, quoted

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
_ENVIRONMENT = ("LC_ALL", "LC_MESSAGES", "LANG")


class LanguageError(TileRummyError):
    """A language nobody has written words for."""

    code = "bad-language"


def match_language(wanted: object) -> str:
    """The nearest language we have: `zh_TW.UTF-8` → `zh-Hant`, `C` → `en`.

    Raises LanguageError when none is near.
    """
    if isinstance(wanted, str):
        name = wanted.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
        language, *rest = name.split("-")
        if language in ("en", "c", "posix"):
            return "en"
        if language == "zh":
            if "hans" in rest:
                return "zh-Hans"
            return "zh-Hant" if _TRADITIONAL.intersection(rest) else "zh-Hans"
    raise LanguageError(
        "unknown language '{language}': there are {languages}",
        key="error.language.unknown",
        language=quoted(wanted),
        languages=LANGUAGES,
    )


def system_language(environ: Mapping[str, str]) -> str:
    """What the environment asks for; English where it asks for nothing we have."""
    wanted = next((environ[name] for name in _ENVIRONMENT if environ.get(name)), "en")
    try:
        return match_language(wanted)
    except LanguageError:
        return "en"
