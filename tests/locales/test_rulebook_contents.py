"""The rule book covers everything in the printed rule books of the boxes, in every language.

`CONTENTS` names, for each thing that a book must tell, the blocks that tell it and the editions to
which it applies. Without one of these blocks a test fails.
"""

from __future__ import annotations

import pytest

from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import (
    Block,
    Paragraph,
    ScoreSheet,
    TurnExample,
    Variations,
    rulebook,
)
from tilerummy.rules.editions import EDITIONS, Edition, edition, parse_option
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Table, Tile, parse_row, parse_table
from tilerummy.rules.turns import judge_turn

ALL = tuple(EDITIONS)
BUT_SABRA = ("classic", "taiwan", "sixplayer", "twist")
BOOKLET = ("taiwan", "sixplayer")
SABRA = ("sabra",)

CONTENTS: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {
    "who it is for, what is in the box, racks": {
        ALL: ("need.players", "need.box", "need.numbers", "need.rack"),
        ("sixplayer",): ("need.reduced",),
    },
    "mixing, stacks of seven, the draw for the first turn": {
        ALL: ("setup.mix", "setup.stacks", "setup.start", "setup.joker", "setup.tie", "setup.pool"),
        BUT_SABRA: ("setup.return",),
        SABRA: ("setup.keep",),
    },
    "the manipulations, each as a turn": {
        ALL: (
            "manipulation.free",
            "manipulation.add",
            "manipulation.take",
            "manipulation.swap",
            "manipulation.split",
            "manipulation.combined",
            "manipulation.multiple",
        ),
        ("classic",): ("manipulation.both-ends",),
        SABRA: ("manipulation.locked",),
    },
    "the ways to free a joker": {
        BUT_SABRA: (
            "retrieval.ways",
            "retrieval.way-group",
            "retrieval.group-one",
            "retrieval.group-other",
            "retrieval.group-both",
            "retrieval.way-split",
            "retrieval.split",
            "retrieval.split-help",
            "retrieval.way-place",
            "retrieval.place",
            "retrieval.table-tile",
            "retrieval.way-use-up",
            "retrieval.use-up",
        ),
        SABRA: (
            "retrieval.locked",
            "retrieval.locked-rack",
            "retrieval.either-colour",
            "retrieval.replace",
            "retrieval.replace-other",
            "retrieval.locked-place",
            "retrieval.not-table-tile",
            "retrieval.locked-add",
            "retrieval.locked-split",
        ),
    },
    "forgotten places, and what differs at a real table": {
        ("taiwan", "sixplayer", "twist"): ("clock.forgotten",),
        ALL: ("screen.screen", "screen.real", "screen.both"),
    },
    "going out is called aloud": {ALL: ("end.out", "end.call")},
    "the score sheet and what decides the match": {
        ALL: ("match.winner-games", "match.sheet", "scoring.zero-sum"),
    },
    "the penalty of tournaments": {("twist",): ("variations.known.leftover",)},
    "known variations": {
        ("classic",): ("variations.none",),
        BOOKLET: ("variations.known.first-unable", "variations.known.rack-only"),
        ("sixplayer",): ("variations.known.full-box",),
        ("twist",): ("variations.known.other-set", "variations.known.exchange"),
        SABRA: (
            "variations.known.counter-clockwise",
            "variations.known.both-colours",
            "variations.known.declare",
            "variations.known.joker-25",
            "variations.known.draw-until",
            "variations.known.single-set",
        ),
    },
    "strategy": {ALL: ("strategy.hold-back", "strategy.keep-fourth", "strategy.joker")},
    "names that people know the game by": {ALL: ("need.names",)},
    "the empty pool": {
        ALL: ("pool.no-draw", "pool.clock", "pool.full-round"),
        BUT_SABRA: ("pool.must-play",),
        ("classic", "twist"): ("pool.nobody-can",),
        BOOKLET: ("pool.final-round", "pool.final-round-unable", "pool.rearrange"),
        SABRA: ("pool.may-pass", "pool.all-pass"),
    },
}

WORKED: dict[str, tuple[str, str, str]] = {
    "manipulation.add": ("b3 b8", "b4 b5 b6 / r8 k8 o8", "b3 b4 b5 b6 / r8 k8 o8 b8"),
    "manipulation.both-ends": ("b3 b7", "b4 b5 b6", "b3 b4 b5 b6 b7"),
    "manipulation.take": ("b3 b5 b6", "r4 b4 k4 o4", "b3 b4 b5 b6 / r4 k4 o4"),
    "manipulation.swap": ("b11 r8 k8", "b8 b9 b10", "b9 b10 b11 / b8 r8 k8"),
    "manipulation.split": ("r6", "r4 r5 r6 r7 r8", "r4 r5 r6 / r6 r7 r8"),
    "manipulation.combined": (
        "b1",
        "o1 o2 o3 o4 / r1 b1 k1 o1",
        "o2 o3 o4 / b1 k1 o1 / b1 o1 r1",
    ),
    "manipulation.multiple": (
        "k10 b5",
        "r5 r6 r7 / o5 o6 o7 / k5 k6 k7 k8 k9",
        "r5 o5 k5 b5 / r6 o6 k6 / r7 o7 k7 / k8 k9 k10",
    ),
    "retrieval.group-one": ("k3 o3 k11 k12", "r3 b3 J", "r3 b3 k3 / k11 k12 J"),
    "retrieval.group-other": ("k3 o3 k11 k12", "r3 b3 J", "r3 b3 o3 / k11 k12 J"),
    "retrieval.group-both": ("k3 o3 k11 k12", "r3 b3 J", "r3 b3 k3 o3 / k11 k12 J"),
    "retrieval.split": (
        "k11 k12",
        "r3 r4 r5 J r7 r8 r9",
        "r3 r4 r5 / r7 r8 r9 / k11 k12 J",
    ),
    "retrieval.split-help": (
        "r9 k11 k12",
        "r3 r4 r5 J r7 r8",
        "r3 r4 r5 / r7 r8 r9 / k11 k12 J",
    ),
    "retrieval.place": ("b5 k11 k12", "b3 b4 J", "b3 b4 b5 / k11 k12 J"),
    "retrieval.use-up": (
        "o11 o12",
        "k1 k2 J / r1 b1 o1 / r2 b2 o2",
        "r1 b1 o1 k1 / r2 b2 o2 k2 / o11 o12 J",
    ),
    "retrieval.replace": ("o3 b11 b12", "r3 k3 J", "r3 k3 o3 / b11 b12 J"),
    "retrieval.replace-other": ("b3 b11 b12", "r3 k3 J", "r3 k3 b3 / b11 b12 J"),
}
"""The worked turns of the rule books: tiles of the rack that matter, table before and after."""


def blocks(rules: Edition, language: str) -> dict[str, Block]:
    return {block.id: block for part in rulebook(rules, language) for block in part.blocks}


def texts(rules: Edition, language: str) -> dict[str, str]:
    """What every block and every item of a list says, by its id."""
    found: dict[str, str] = {}
    for name, block in blocks(rules, language).items():
        found[name] = block.text if isinstance(block, Paragraph) else block.caption
        if isinstance(block, Variations):
            found |= {item.id: item.text for item in block.items}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("what", CONTENTS)
def test_every_book_tells(what: str, name: str, language: str) -> None:
    wanted = [one for names, ids in CONTENTS[what].items() if name in names for one in ids]
    shown = texts(EDITIONS[name], language)
    assert [one for one in wanted if not shown.get(one)] == []


def test_every_edition_is_meant() -> None:
    for what, rows in CONTENTS.items():
        named = {name for names in rows for name in names}
        assert named == set(ALL) or what == "the penalty of tournaments", what


def sets(table: Table) -> list[list[Tile]]:
    """A table whatever the order of its sets and of the tiles in them."""
    return sorted(sorted(row) for row in table)


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("one", WORKED)
def test_worked_turns_have_the_tiles_of_the_books_and_are_legal(one: str, name: str) -> None:
    rules = EDITIONS[name]
    wanted = any(
        one in ids and name in names for rows in CONTENTS.values() for names, ids in rows.items()
    )
    example = blocks(rules, "en").get(one)
    assert isinstance(example, TurnExample) == wanted
    if isinstance(example, TurnExample):
        rack, before, after = WORKED[one]
        assert set(parse_row(rack)) <= set(example.rack)
        assert sets(example.before) == sets(parse_table(before))
        assert sets(example.after) == sets(parse_table(after))
        verdict = judge_turn(
            Position(rules, example.before, example.rack, opened=True), example.after
        )
        assert example.legal
        assert verdict.legal, verdict.reasons


@pytest.mark.parametrize("name", EDITIONS)
def test_the_score_sheet_cancels_out_and_games_won_decide(name: str) -> None:
    (sheet,) = [
        block for block in blocks(EDITIONS[name], "en").values() if isinstance(block, ScoreSheet)
    ]
    assert [list(game.scores) for game in sheet.games] == [
        [24, -5, -16, -3],
        [-6, -11, 22, -5],
        [-32, -13, -2, 47],
        [-10, -25, 41, -6],
    ]
    assert [game.winners for game in sheet.games] == [(0,), (2,), (3,), (2,)]
    assert sheet.standing.totals == (-24, -54, 45, 33)
    assert sum(sheet.standing.totals) == 0
    assert sheet.standing.wins == (1, 0, 2, 1)
    assert sheet.standing.leaders == (2,)
    assert "goes to C, with 2 games" in sheet.caption


def test_where_points_decide_the_sheet_says_so() -> None:
    shown = texts(edition("classic", {"match.winner": "score"}), "en")
    assert "goes to C, with 45 points" in shown["match.sheet-score"]
    assert "match.sheet" not in shown


@pytest.mark.parametrize("name", EDITIONS)
def test_every_variation_can_be_switched_on_and_is_then_no_variation(name: str) -> None:
    rules = EDITIONS[name]
    for block in blocks(rules, "en").values():
        for item in block.items if isinstance(block, Variations) else ():
            key, value = parse_option(item.option)
            changed = rules.with_options({key: value})
            assert changed.changed_options() == {key: value}
            assert item.id not in texts(changed, "en"), item


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["Rummikub"]),
        ("zh-Hans", ["拉密", "以色列麻将", "魔力桥"]),
        ("zh-Hant", ["拉密", "以色列麻將", "魔力橋"]),
    ],
)
@pytest.mark.parametrize("edition_name", EDITIONS)
def test_trade_names_are_said_once(edition_name: str, language: str, names: list[str]) -> None:
    shown = "\n".join(texts(EDITIONS[edition_name], language).values())
    assert [shown.count(name) for name in names] == [1] * len(names)


@pytest.mark.parametrize(
    ("language", "call"),
    [("en", "“I'm out!”"), ("zh-Hans", "“出完了！”"), ("zh-Hant", "「出完了！」")],
)
def test_going_out_has_its_words(language: str, call: str) -> None:
    assert call in texts(EDITIONS["classic"], language)["end.call"]


@pytest.mark.parametrize(
    ("language", "own", "usual"),
    [
        ("zh-Hans", ("组牌", "顺牌"), ("群组", "顺组")),
        ("zh-Hant", ("組牌", "順牌"), ("群組", "順組")),
    ],
)
def test_twist_has_its_own_words_for_sets(
    language: str, own: tuple[str, str], usual: tuple[str, str]
) -> None:
    twist, classic = texts(EDITIONS["twist"], language), texts(EDITIONS["classic"], language)
    explained = twist.pop("sets.terms")
    assert all(word in explained for word in (*own, *usual))
    shown = "\n".join(twist.values())
    assert all(word in shown for word in own)
    assert not [word for word in usual if word in shown]
    assert not [word for word in own if word in "\n".join(classic.values())]


def test_a_language_without_anything_to_say_leaves_the_paragraph_out() -> None:
    assert "sets.terms" not in texts(EDITIONS["twist"], "en")
    assert "sets.terms" not in texts(EDITIONS["classic"], "zh-Hant")


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("name", EDITIONS)
def test_chinese_books_keep_to_words_that_cannot_be_misread(name: str, language: str) -> None:
    """A draw of mahjong has no winner, and 以上 leaves open whether the number is included."""
    shown = "\n".join(texts(EDITIONS[name], language).values())
    banned = ["流局", "僵局", "以上", "以下", "換出", "換下", "换出", "换下", "取回"]
    assert [word for word in banned if word in shown] == []


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"empty_pool.end": "nobody_can"}, {"nobody-can"}),
        ({"empty_pool.end": "all_pass"}, {"all-pass"}),
        ({"empty_pool.end": "final_round"}, {"final-round", "final-round-unable", "rearrange"}),
        ({"empty_pool.end": "first_unable"}, {"first-unable"}),
        (
            {"empty_pool.end": "first_unable", "empty_pool.pass": "voluntary"},
            {"first-unable", "pass-proves-nothing"},
        ),
    ],
)
def test_each_ending_of_the_empty_pool_is_explained(
    options: dict[str, object], shown: set[str]
) -> None:
    endings = {
        name.removeprefix("pool.")
        for name in texts(edition("classic", options), "en")
        if name.startswith("pool.")
    }
    always = {"no-draw", "clock", "full-round", "may-pass", "must-play"}
    assert endings - always == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("position", {"open-reading"}),
        ("kind", {"kind"}),
        ("explicit", {"explicit", "explicit-keeps", "explicit-special"}),
    ],
)
def test_each_way_to_declare_a_joker_is_explained(value: str, shown: set[str]) -> None:
    ids = texts(edition("twist", {"joker.declare": value}), "en")
    ways = {"open-reading", "kind", "explicit", "explicit-keeps", "explicit-special"}
    assert {way for way in ways if f"jokers.{way}" in ids} == shown


def test_a_strict_table_tells_of_the_empty_pool() -> None:
    assert "clock.strict-empty" in texts(edition("classic", {"strict_submit": True}), "en")
    assert "clock.strict-empty" not in texts(EDITIONS["classic"], "en")


@pytest.mark.parametrize(
    ("name", "block", "said"),
    [
        ("classic", "setup.return", "everyone takes one tile and stands it on the rack"),
        ("sabra", "setup.keep", "keeps the number tile they drew and stands it on the rack"),
    ],
)
def test_a_hand_of_one_tile_is_in_the_singular(name: str, block: str, said: str) -> None:
    assert said in texts(edition(name, {"hand_size": 1}), "en")[block]
