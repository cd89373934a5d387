"""Plural rules: the CLDR category of a whole number in each language.

`Intl.PluralRules` says the same to the page; a test compares both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

Category = Literal["zero", "one", "two", "few", "many", "other"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

Plural = Callable[[int], Category]


def _other(number: int) -> Category:
    """Chinese, Japanese, Korean: nouns have one form."""
    return "other"


def _one(number: int) -> Category:
    """English, German, Italian, Spanish, as far as small numbers go."""
    return "one" if number == 1 else "other"


def _polish(number: int) -> Category:
    if number == 1:
        return "one"
    few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
    return "few" if few else "many"


def _russian(number: int) -> Category:
    """Russian and Ukrainian."""
    if number % 10 == 1 and number % 100 != 11:
        return "one"
    few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
    return "few" if few else "many"


def _arabic(number: int) -> Category:
    if number <= 2:
        return ("zero", "one", "two")[number]
    rest = number % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"


PLURALS: Mapping[str, Plural] = {
    "ar": _arabic,
    "de": _one,
    "en": _one,
    "ja": _other,
    "ko": _other,
    "pl": _polish,
    "ru": _russian,
    "uk": _russian,
    "zh": _other,
}
"""By the language without script and region."""


def plural_of(tag: str) -> Plural:
    """The rule of a language such as `zh-Hans`. Raises KeyError where there is none."""
    return PLURALS[tag.partition("-")[0]]
