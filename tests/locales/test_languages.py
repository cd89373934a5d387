import pytest

from tilerummy.locales import LANGUAGES, LanguageError, match_language, system_language
from tilerummy.rules.errors import TileRummyError


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("en_US", "en"),
        ("en_GB.UTF-8", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh_SG.UTF-8", "zh-Hans"),
        ("zh_CN@pinyin", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh_TW.UTF-8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-mo", "zh-Hant"),
        ("zh-hant", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        (" zh-TW ", "zh-Hant"),
    ],
)
def test_a_wish_finds_the_nearest_language(wanted: str, language: str) -> None:
    assert match_language(wanted) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_matches_itself(language: str) -> None:
    assert match_language(language) == language


@pytest.mark.parametrize("wanted", ["fr", "", "english", "zhh", "1", None, 7])
def test_an_unknown_language_is_an_error_that_lists_what_there_is(wanted: object) -> None:
    with pytest.raises(LanguageError) as caught:
        match_language(wanted)
    assert isinstance(caught.value, TileRummyError)
    assert caught.value.code == "bad-language"
    assert all(language in str(caught.value) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "zh_TW.UTF-8", "LC_MESSAGES": "en_US"}, "en"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": ""}, "zh-Hant"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_environment_says_which_language(environ: dict[str, str], language: str) -> None:
    assert system_language(environ) == language
