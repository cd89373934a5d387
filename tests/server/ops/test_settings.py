"""Settings: from the command line, from variables, and what is said about bad ones."""

from __future__ import annotations

import pytest

from tilerummy.server.edge.safety import Proxies
from tilerummy.server.limits.buckets import Rate
from tilerummy.server.limits.rate_limiter import Limits
from tilerummy.server.ops.setting_types import masked, show_time, time
from tilerummy.server.ops.settings import (
    KINDS,
    Retention,
    ServerSettings,
    SettingError,
    option,
    read_settings,
    unknown_variables,
    variable,
)
from tilerummy.server.rooms.timers import Pace

NOTHING: dict[str, str] = {"XDG_DATA_HOME": "/data", "LOCALAPPDATA": "/data"}


def of(**variables: str) -> ServerSettings:
    return read_settings({}, {**NOTHING, **{variable(name): v for name, v in variables.items()}})


# Where values come from


def test_a_server_runs_without_any_settings() -> None:
    settings = of()
    assert settings.store.startswith("sqlite:///")
    assert settings.store.endswith("/tilerummy/server.sqlite")
    assert (settings.host, settings.port, settings.bus) == ("127.0.0.1", 8000, None)
    assert (settings.limits, settings.pace, settings.retention) == (Limits(), Pace(), Retention())
    assert settings.bot_workers >= 1
    assert not settings.tls
    assert not settings.warnings()


def test_the_command_line_counts_before_the_variables() -> None:
    environ = {"TILERUMMY_PORT": "9000", "TILERUMMY_HOST": "0.0.0.0"}
    settings = read_settings({"port": 9001, "host": None}, environ)
    assert (settings.port, settings.host) == (9001, "0.0.0.0")


def test_what_is_empty_is_as_by_default() -> None:
    assert of(port="", bus=" ").port == 8000
    assert read_settings({"bus": ""}, {"TILERUMMY_BUS": "redis://cache"}).bus is None
    assert read_settings(of().shown(), NOTHING) == of()


def test_values_of_the_command_line_may_have_their_types() -> None:
    values = {"tls": True, "origins": ["https://a.example", "https://b.example"], "bot_workers": 3}
    settings = read_settings(values, NOTHING)
    assert settings.tls
    assert settings.origins == ("https://a.example", "https://b.example")
    assert settings.bot_workers == 3


def test_every_setting_can_be_written_as_it_is_shown() -> None:
    settings = read_settings(
        {
            "store": "postgresql://db/game",
            "bus": "redis://cache/0",
            "public_url": "https://game.example/",
            "origins": "https://a.example https://b.example",
            "proxies": "10.0.0.0/8,::1,unix",
            "limit_joins": "7/min burst 3",
            "limit_connections": "7",
            "pace_bot": "1.5s",
            "keep_rooms": "30d",
        },
        NOTHING,
    )
    shown = settings.shown()
    assert shown.keys() == KINDS.keys()
    assert read_settings(shown, NOTHING) == settings
    assert of(**shown) == settings


@pytest.mark.parametrize("name", KINDS)
def test_every_example_is_allowed(name: str) -> None:
    for example in KINDS[name].examples:
        assert of(**{name: example}).shown()[name]


def test_groups() -> None:
    settings = of(limit_messages="5/s burst 9", pace_look="1min", keep_guests="2d", pace_bot="0s")
    assert settings.limits == Limits()._replace(messages=Rate(5, 9))
    assert settings.pace == Pace()._replace(look=60_000, bot=0)
    assert settings.retention == Retention()._replace(guests=2 * 86_400_000)


def test_a_name_that_is_none() -> None:
    with pytest.raises(SettingError, match="no such setting: prot"):
        read_settings({"prot": 1}, NOTHING)


def test_variables_that_set_nothing_are_pointed_out() -> None:
    environ = {
        "TILERUMMY_PROT": "1",
        "TILERUMMY_PORT": "1",
        "TILERUMMY_KERNEL": "c",
        "TILERUMMY_XYZZYQQQ": "",
        "HOME": "/",
    }
    assert unknown_variables(environ) == [
        "TILERUMMY_PROT is not a setting; did you mean TILERUMMY_PORT?",
        "TILERUMMY_XYZZYQQQ is not a setting",
    ]


# Values


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("port", "eighty"),
        ("port", "65536"),
        ("port", "-1"),
        ("port", "8000.0"),
        ("port", "9" * 5000),
        ("host", "a b"),
        ("public_url", "game.example"),
        ("public_url", "https://game.example/tiles"),
        ("origins", "https://a.example,null"),
        ("proxies", "10.0.0.1/8"),
        ("proxies", "everybody"),
        ("tls", "maybe"),
        ("bot_workers", "0"),
        ("log_format", "xml"),
        ("log_level", "loud"),
        ("limit_messages", "10"),
        ("limit_messages", "0/s"),
        ("limit_messages", "10/s, 5"),
        ("limit_connections", "10/s"),
        ("pace_look", "20"),
        ("pace_look", "-1s"),
        ("pace_look", "1 fortnight"),
        ("keep_rooms", "1min"),
        ("keep_rooms", "99999999999d"),
        ("largest_body", "10"),
    ],
)
def test_a_bad_value_is_named_with_what_would_do(name: str, bad: str) -> None:
    with pytest.raises(SettingError) as refusal:
        of(**{name: bad})
    message = str(refusal.value)
    assert message.startswith(f"{variable(name)} is {bad[:80]!r}; it must be ")
    assert "for example" in message
    with pytest.raises(SettingError, match=f"^{option(name)} is "):
        read_settings({name: bad}, NOTHING)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("store", "mysql://me:hidden@db/x"),
        ("store", "me:hidden@db"),
        ("store", "postgresql://me:hidden@db"),
        ("store", "postgresql://me:hid[den@db/x"),
        ("store", "sqlite://file.db"),
        ("store", "sqlite://"),
        ("bus", "http://me:hidden@cache"),
        ("bus", "redis://"),
    ],
)
def test_a_bad_url_is_refused_without_its_password(name: str, bad: str) -> None:
    with pytest.raises(SettingError, match=rf"{variable(name)} is invalid; .* for exa") as refusal:
        of(**{name: bad})
    assert "hidden" not in str(refusal.value)
    assert "hid[den" not in str(refusal.value)
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None


def test_a_port_that_kubernetes_has_set_is_explained() -> None:
    with pytest.raises(SettingError, match="Kubernetes"):
        of(port="tcp://10.0.0.1:8000")


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("10/s", Rate(10, 10)),
        ("10/s burst 40", Rate(10, 40)),
        ("6/min", Rate(0.1, 6)),
        ("0.5/s", Rate(0.5, 1)),
        ("36/h burst 2", Rate(0.01, 2)),
    ],
)
def test_rates(text: str, rate: Rate) -> None:
    assert of(limit_messages=text).limits.messages == pytest.approx(rate)


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("700ms", 700, "700ms"),
        ("1.5s", 1_500, "1500ms"),
        ("60s", 60_000, "1min"),
        ("2 h", 7_200_000, "2h"),
        ("48h", 172_800_000, "2d"),
        ("0ms", 0, "0s"),
    ],
)
def test_times(text: str, length: int, shown: str) -> None:
    assert time(0, "1s").parse(text) == length
    assert show_time(length) == shown


def test_the_address_of_the_server_says_whether_there_is_tls() -> None:
    assert of(public_url="https://game.example").tls
    assert not of(public_url="http://localhost:8000").tls
    assert of(tls="on").tls
    for url, tls in (("https://game.example", "no"), ("http://game.example", "yes")):
        with pytest.raises(SettingError, match="TILERUMMY_TLS is"):
            of(public_url=url, tls=tls)


def test_whose_pages_are_believed() -> None:
    rule = of(public_url="https://Game.example:443", origins="https://club.example").origin_rule
    assert rule.own == "https://game.example"
    assert rule.others == {"https://club.example"}
    assert rule.tls


def test_proxies() -> None:
    assert of(proxies="127.0.0.1, unix").proxies == Proxies.parse(["127.0.0.1", "unix"])


def test_what_is_probably_not_meant() -> None:
    assert "TILERUMMY_PROXIES" in of(tls="yes").warnings()[0]
    assert "TILERUMMY_BUS" in of(store="postgresql://db/x").warnings()[0]
    assert not of(tls="yes", proxies="127.0.0.1").warnings()


# Passwords


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hidden@db:5432/x", "postgresql://me:***@db:5432/x"),
        ("postgresql://me:hid@den@db/x", "postgresql://me:***@db/x"),
        ("postgresql://me@db/x", "postgresql://me@db/x"),
        ("redis://:hidden@cache:6379/0", "redis://:***@cache:6379/0"),
        ("rediss://cache/0?password=hidden&db=1", "rediss://cache/0?password=***&db=1"),
        ("sqlite:////data/server.sqlite", "sqlite:////data/server.sqlite"),
        ("unix:///run/redis.sock?db=1", "unix:///run/redis.sock?db=1"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    assert masked(url) == shown
    name = "store" if url.startswith(("postgres", "sqlite")) else "bus"
    settings = read_settings({name: url}, NOTHING)
    assert getattr(settings, name) == url
    assert settings.shown()[name] == shown
    assert "hidden" not in repr(settings)
    assert "hidden" not in str(settings)
