"""The score pad: what goes on it, what is refused, and what the file holds."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.play.padjson import SCHEMA, pad_from_json, pad_from_text, pad_to_json, pad_to_text
from tilerummy.play.scorepad import (
    NOTHING,
    Counted,
    Entry,
    Left,
    PadError,
    ScorePad,
    Written,
    checked_names,
    new_pad,
)
from tilerummy.play.scoresheet import sheet_csv
from tilerummy.queries import ScoreQuestion
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.tiles import ALL_FACES, Face, faces_of, unidentified

BOOK_GAMES = [(24, -5, -16, -3), (-6, -11, 22, -5), (-32, -13, -2, 47), (-10, -25, 41, -6)]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def pad_for(players: int, name: str = "classic", rounds: int = 1, **options: object) -> ScorePad:
    changed = {key.replace("__", "."): value for key, value in options.items()}
    return new_pad(NAMES[:players], edition(name, changed), rounds)


def counted(*left: str, out: int | None = None, first: int | None = None) -> Counted:
    return Counted(tuple(Left.parse(text) for text in left), out, first)


def scores(pad: ScorePad, entry: Entry) -> tuple[int, ...]:
    return pad.result(entry).scores


def refusal(pad: ScorePad, entry: Entry) -> str:
    with pytest.raises(PadError) as error:
        pad.with_game(entry)
    return error.value.code


class TestBooks:
    def test_four_games_and_the_match_goes_to_c(self) -> None:
        pad = pad_for(4)
        for game in BOOK_GAMES:
            pad = pad.with_game(Written(game))
        assert pad.match.standing.totals == (-24, -54, 45, 33)
        assert pad.match.standing.wins == (1, 0, 2, 1)
        assert pad.match.winners == (2,)

    def test_three_games_are_level_and_the_score_decides_for_d(self) -> None:
        pad = pad_for(4, match__games_per_round=3)
        for game in BOOK_GAMES[:3]:
            pad = pad.with_game(Written(game))
        assert pad.match.standing.totals == (-14, -29, 4, 39)
        assert pad.match.standing.wins == (1, 0, 1, 1)
        assert pad.match.winners == (3,)

    def test_first_game_as_racks(self) -> None:
        assert scores(pad_for(4), counted("-", "r5", "r7 b9", "k3", out=0)) == (24, -5, -16, -3)

    def test_joker_on_a_rack_costs_30(self) -> None:
        assert scores(pad_for(4), counted("J r2", "b13", "k2", "-", out=3)) == (-32, -13, -2, 47)

    def test_joker_costs_25_where_the_option_says_so(self) -> None:
        pad = pad_for(2, "sabra", joker__rack_penalty=25)
        assert scores(pad, counted("J", "-", out=1)) == (-25, 25)

    def test_mirror_joker_costs_30_as_well(self) -> None:
        assert scores(pad_for(3, "twist"), counted("M", "r1", "-", out=2)) == (-30, -1, 31)

    def test_double_and_colour_change_jokers_cost_30_each(self) -> None:
        assert scores(pad_for(2, "twist"), counted("D C", "-", out=1)) == (-60, 60)

    def test_blocked_game_goes_to_the_lowest_rack(self) -> None:
        assert scores(pad_for(4), counted("10", "4", "25", "7")) == (-6, 30, -21, -3)

    def test_blocked_tie_shares_the_pot(self) -> None:
        result = pad_for(3).result(counted("4", "4", "10"))
        assert result.scores == (3, 3, -6)
        assert result.winners == (0, 1)


class TestTies:
    def test_odd_point_needs_the_player_who_began(self) -> None:
        assert refusal(pad_for(3), counted("4", "4", "11")) == "needs-first"

    @pytest.mark.parametrize(("first", "expected"), [(0, (4, 3, -7)), (1, (3, 4, -7))])
    def test_odd_point_goes_round_from_there(self, first: int, expected: tuple[int, ...]) -> None:
        assert scores(pad_for(3), counted("4", "4", "11", first=first)) == expected

    def test_rule_for_the_next_starter_answers_for_the_players(self) -> None:
        pad = pad_for(3, match__next_starter="rotate")
        pad = pad.with_game(counted("-", "1", "2", out=0, first=0))
        pad = pad.with_game(counted("4", "4", "11"))
        assert pad.match.results[1].scores == (3, 4, -7)
        assert pad.match.next_starter() == 2

    def test_fewest_tiles_asks_for_counts_where_only_points_are_known(self) -> None:
        pad = pad_for(3, blocked_tie="fewest_tiles")
        assert refusal(pad, counted("4", "r4", "11")) == "needs-tiles"

    def test_fewest_tiles_wins_with_counts_or_racks(self) -> None:
        pad = pad_for(3, blocked_tie="fewest_tiles")
        result = pad.result(counted("4/2", "r4", "11"))
        assert result.scores == (0, 7, -7)
        assert result.winners == (1,)

    def test_counts_are_not_asked_for_without_a_tie(self) -> None:
        pad = pad_for(3, blocked_tie="fewest_tiles")
        assert scores(pad, counted("4", "5", "11")) == (8, -1, -7)

    def test_no_score_where_the_table_plays_so(self) -> None:
        result = pad_for(3, blocked_tie="no_score").result(counted("4", "4", "11"))
        assert result.scores == (0, 0, 0)
        assert result.winners == ()

    def test_shared_victory(self) -> None:
        pad = pad_for(2).with_game(Written((5, -5))).with_game(Written((-5, 5)))
        assert pad.match.winners == (0, 1)

    def test_extra_game_decides_where_agreed(self) -> None:
        pad = pad_for(2, match__final_tie="extra_game")
        pad = pad.with_game(Written((5, -5))).with_game(Written((-5, 5)))
        assert not pad.match.is_over
        pad = pad.with_game(counted("-", "1", out=0))
        assert pad.match.winners == (0,)


class TestRefusals:
    @pytest.mark.parametrize(
        ("entry", "code"),
        [
            (counted("3", "r5", "-", "1", out=0), "out-with-tiles"),
            (counted("r1", "r5", "2", "1", out=0), "out-with-tiles"),
            (counted("-", "r5", "-", "1", out=0), "two-empty"),
            (counted("-", "r5", "0/0", "1", out=0), "two-empty"),
            (counted("4", "-", "3", "1"), "blocked-and-empty"),
            (counted("-", "1", "2", out=0), "value-count"),
            (counted("-", "r5 r5", "r5", "1", out=0), "not-in-box"),
            (counted("-", "J J", "J", "1", out=0), "not-in-box"),
            (counted("-", "D", "1", "1", out=0), "not-in-box"),
            (counted("-", "789", "1", "1", out=0), "too-many-points"),
            (counted("-", "9" * 5000, "1", "1", out=0), "too-many-points"),
            (counted("-", "400", "300", "100", out=0), "too-many-points-together"),
            (counted("-", "17/1", "1", "1", out=0), "points-on-tiles"),
            (counted("-", "31/1", "1", "1", out=0), "points-on-tiles"),
            (counted("-", "5/107", "1", "1", out=0), "points-on-tiles"),
            (counted("-", "1/2", "1", "1", out=0), "points-on-tiles"),
            (counted("-", "1", "1", "1", out=4), "unknown-player"),
            (counted("-", "1", "1", "1", out=0, first=-1), "unknown-player"),
            (Counted((NOTHING, *(Left.parse("1"),) * 3), 0, unopened=(1,)), "no-unopened-penalty"),
            (Written((24, -5, -16, -4)), "not-zero-sum"),
            (Written((24, -24)), "value-count"),
            (Written((10_000, -10_000, 0, 0)), "huge-score"),
            (Written((24, -24, 0, 0), winners=(1,)), "losing-winner"),
            (Written((24, -24, 0, 0), winners=(4,)), "unknown-player"),
        ],
    )
    def test_what_no_game_can_leave(self, entry: Entry, code: str) -> None:
        assert refusal(pad_for(4), entry) == code

    def test_tiles_that_the_reduced_box_leaves_aside(self) -> None:
        entry = ("r5 r5", "r5", *["1"] * 2, "1", "-")
        assert scores(pad_for(6, "sixplayer"), counted(*entry, out=5))[5] == 18
        assert refusal(pad_for(4, "sixplayer"), counted(*entry[:3], "-", out=3)) == "not-in-box"

    def test_unopened_player_pays_where_the_option_says_so(self) -> None:
        pad = pad_for(2, tournament__unopened_penalty=100)
        entry = Counted((NOTHING, Left.parse("r7")), 0, unopened=(1,))
        assert scores(pad, entry) == (107, -107)
        winner = Counted((NOTHING, Left.parse("r7")), 0, unopened=(0,))
        assert refusal(pad, winner) == "out-unopened"

    def test_free_jokers_are_tiles_all_the_same(self) -> None:
        pad = pad_for(2, joker__rack_penalty=0)
        assert scores(pad, counted("-", "J", out=0)) == (0, 0)
        assert scores(pad, counted("-", "0/1", out=0)) == (0, 0)
        assert refusal(pad, counted("J", "5", out=0)) == "out-with-tiles"
        assert refusal(pad, counted("-", "0", out=0)) == "two-empty"

    def test_game_after_the_last(self) -> None:
        pad = pad_for(2).with_game(Written((5, -5))).with_game(Written((5, -5)))
        assert refusal(pad, Written((5, -5))) == "match-over"

    @pytest.mark.parametrize(
        "text", ["r14", "NaN", "inf", "1e3", "1.5", "7r", "r7;J", "r7.1", "=1"]
    )
    def test_text_that_is_not_a_tile(self, text: str) -> None:
        with pytest.raises(PadError) as error:
            Left.parse(text)
        assert error.value.code == "unknown-tile"

    @pytest.mark.parametrize("text", ["-5", "-0", "-5/2"])
    def test_negative_points(self, text: str) -> None:
        with pytest.raises(PadError) as error:
            Left.parse(text)
        assert error.value.code == "negative-points"


class TestText:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("r7 J", "r7 J"),
            ("R7, j", "r7 J"),
            ("ｒ７　Ｊ", "r7 J"),
            ("17", "17"),
            ("１７", "17"),
            ("017", "17"),
            ("17/3", "17/3"),
            ("", "-"),
            ("0", "-"),
            ("00/0", "-"),
            ("-", "-"),
            ("0/1", "0/1"),
        ],
    )
    def test_what_is_left(self, text: str, shown: str) -> None:
        assert str(Left.parse(text)) == shown
        assert Left.parse(shown) == Left.parse(text)


class TestPoints:
    @given(st.lists(st.sampled_from(ALL_FACES), min_size=1, max_size=12), st.integers(0, 40))
    def test_any_rack_of_the_box_can_be_given_as_points_on_tiles(
        self, faces: list[Face], penalty: int
    ) -> None:
        rules = edition("twist", {"joker.rack_penalty": penalty})
        box = rules.box()
        rack = [face for n, face in enumerate(faces) if faces[:n].count(face) < box.count(face)]
        left = Left(unidentified(rack))
        points = left.worth(rules)
        pad = new_pad(("A", "B"), rules)
        assert scores(pad, Counted((NOTHING, Left(None, points, len(rack))), 0))[1] == -points


class TestPlayers:
    @pytest.mark.parametrize(
        ("names", "code"),
        [
            (("Ann",), "player-count"),
            (NAMES[:5], "player-count"),
            (("Ann", "ann"), "same-name"),
            (("Ann", " ANN "), "same-name"),
            (("Ann", "A\u200dnn"), "bad-name"),
            (("Ann", ""), "bad-name"),
            (("Ann", "  "), "bad-name"),
            (("Ann", "\u200d"), "bad-name"),
            (("Ann", "B=n"), "bad-name"),
            (("Ann", "-5"), "bad-name"),
            (("Ann", "@x"), "bad-name"),
            (("Ann", "B\x1b[31m"), "bad-name"),
            (("Ann", "\ud800"), "bad-name"),
            (("Ann", "\u202eneB"), "bad-name"),
            (("Ann", "B" * 25), "long-name"),
        ],
    )
    def test_names_that_cannot_be(self, names: tuple[str, ...], code: str) -> None:
        with pytest.raises(PadError) as error:
            new_pad(names, EDITIONS["classic"])
        assert error.value.code == code
        str(error.value).encode()  # nothing in it that cannot be printed

    def test_names_are_tidied(self) -> None:
        assert checked_names([" Ann  Lee ", "E\u0301mile", "小明"]) == ("Ann Lee", "Émile", "小明")

    @pytest.mark.parametrize("name", ["Ben", "ben", " BEN", "b", "Ｂｅｎ"])
    def test_found_by_name_in_any_case_or_by_its_beginning(self, name: str) -> None:
        assert pad_for(4).seat(name) == 1

    def test_full_name_comes_before_a_longer_one(self) -> None:
        pad = new_pad(("Anna", "Ann"), EDITIONS["classic"])
        assert pad.seat("ann") == 1
        with pytest.raises(PadError, match="ambiguous-player"):
            pad.seat("an")

    @pytest.mark.parametrize("name", ["Zoe", "", " "])
    def test_unknown(self, name: str) -> None:
        with pytest.raises(PadError, match="unknown-player"):
            pad_for(4).seat(name)

    def test_rename_keeps_the_games(self) -> None:
        pad = pad_for(2).with_game(Written((5, -5))).renamed("ben", "Benny")
        assert pad.players == ("Ann", "Benny")
        assert pad.match.standing.totals == (5, -5)

    def test_rename_may_change_only_the_case(self) -> None:
        assert pad_for(2).renamed("Ben", "BEN").players == ("Ann", "BEN")

    def test_rename_to_a_name_that_is_taken(self) -> None:
        with pytest.raises(PadError, match="same-name"):
            pad_for(2).renamed("Ben", "ANN")


class TestChanges:
    def test_undo_takes_the_last_game_back(self) -> None:
        pad = pad_for(2).with_game(Written((5, -5)))
        assert pad.with_game(Written((7, -7))).without_last() == pad

    def test_undo_without_a_game(self) -> None:
        with pytest.raises(PadError, match="no-games"):
            pad_for(2).without_last()

    def test_correction_changes_one_game_only(self) -> None:
        pad = pad_for(4)
        for game in BOOK_GAMES:
            pad = pad.with_game(Written(game))
        pad = pad.corrected(2, counted("6", "11", "-", "50", out=2))
        assert [result.scores for result in pad.match.results] == [
            BOOK_GAMES[0],
            (-6, -11, 67, -50),
            *BOOK_GAMES[2:],
        ]

    @pytest.mark.parametrize("number", [-1, 0, 2])
    def test_correction_of_a_game_that_is_not_there(self, number: int) -> None:
        pad = pad_for(2).with_game(Written((5, -5)))
        with pytest.raises(PadError, match="unknown-game"):
            pad.corrected(number, Written((7, -7)))

    def test_more_rounds_open_a_finished_match(self) -> None:
        pad = pad_for(2).with_game(Written((5, -5))).with_game(Written((5, -5)))
        assert pad.with_rounds(2).with_game(Written((-5, 5))).match.standing.wins == (2, 1)

    def test_rounds_that_have_been_begun_stay(self) -> None:
        pad = pad_for(2, rounds=3)
        for _ in range(3):
            pad = pad.with_game(Written((5, -5)))
        assert pad.with_rounds(2).rounds == 2
        with pytest.raises(PadError, match="too-few-rounds"):
            pad.with_rounds(1)

    @pytest.mark.parametrize("rounds", [0, -1, 1001])
    def test_rounds_nobody_plays(self, rounds: int) -> None:
        with pytest.raises(PadError, match="bad-rounds"):
            pad_for(2).with_rounds(rounds)


class TestWinners:
    @pytest.mark.parametrize(
        ("written", "winners"),
        [
            (Written((24, -5, -19)), (0,)),
            (Written((3, 3, -6)), (0, 1)),
            (Written((4, 3, -7)), (0, 1)),
            (Written((24, 5, -29)), (0,)),
            (Written((0, 0, 0)), ()),
            (Written((0, 0, 0), winners=(2,)), (2,)),
        ],
    )
    def test_of_finished_scores(self, written: Written, winners: tuple[int, ...]) -> None:
        assert pad_for(3).result(written).winners == winners


# The file


def valid(pad: ScorePad) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(json.dumps(pad_to_json(pad))))


class TestJson:
    def test_file_is_readable_by_people(self) -> None:
        pad = pad_for(2, "sabra", 2, joker__rack_penalty=25)
        pad = pad.with_game(counted("-", "J", out=0))
        assert pad_to_text(pad.with_game(Written((-5, 5)))) == (
            "{\n"
            '  "tilerummy": "score pad",\n'
            '  "schema": 1,\n'
            '  "edition": "sabra",\n'
            '  "options": {"joker.rack_penalty": 25},\n'
            '  "players": ["Ann", "Ben"],\n'
            '  "rounds": 2,\n'
            '  "games": [\n'
            '    {"end": "out", "out": 0, "left": ["-", "J"]},\n'
            '    {"end": "scores", "scores": [-5, 5]}\n'
            "  ]\n"
            "}\n"
        )

    def test_empty_pad_round_trips(self) -> None:
        assert pad_from_text(pad_to_text(pad_for(3)).encode()) == pad_for(3)

    def test_byte_order_mark_of_an_editor_is_read_over(self) -> None:
        assert pad_from_text(b"\xef\xbb\xbf" + pad_to_text(pad_for(3)).encode()) == pad_for(3)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"{",
            b"[]",
            b"null",
            b"{}",
            b"\xff\xfe",
            b"\x00" * 9,
            b"[" * 100_000,
            b'{"schema": 1}',
        ],
    )
    def test_what_is_not_a_pad(self, data: bytes) -> None:
        with pytest.raises(PadError) as error:
            pad_from_text(data)
        assert error.value.code == "not-a-pad"

    def test_newer_schema_is_refused_whatever_else_it_holds(self) -> None:
        with pytest.raises(PadError) as error:
            pad_from_json({"tilerummy": "score pad", "schema": SCHEMA + 1, "seats": []})
        assert error.value.code == "newer-schema"

    @pytest.mark.parametrize(
        "damage",
        [
            {"schema": 0},
            {"schema": True},
            {"schema": "1"},
            {"schema": float("nan")},
            {"edition": "chess"},
            {"edition": ["classic"]},
            {"options": {"joker.rack_penalty": -1}},
            {"options": []},
            {"players": ["Ann"]},
            {"players": ["Ann", 7]},
            {"players": "AB"},
            {"rounds": 0},
            {"rounds": 1.0},
            {"games": {}},
            {"games": [{"end": "draw"}]},
            {"games": [{"end": "out", "out": 0, "left": ["-"]}]},
            {"games": [{"end": "out", "out": 7, "left": ["-", "1"]}]},
            {"games": [{"end": "out", "out": None, "left": ["-", "1"]}]},
            {"games": [{"end": "out", "out": 0, "left": ["-", "1"], "note": "hm"}]},
            {"games": [{"end": "out", "out": 0, "left": ["-", 1]}]},
            {"games": [{"end": "scores", "scores": [1, 1]}]},
            {"games": [{"end": "scores", "scores": [True, -1]}]},
            {"games": [None]},
            {"remark": "a field nobody knows"},
        ],
    )
    def test_damage_is_reported_with_its_place(self, damage: dict[str, object]) -> None:
        with pytest.raises(PadError) as error:
            pad_from_json(valid(pad_for(2)) | damage)
        assert error.value.code == "damaged"
        assert error.value.params["where"]

    def test_missing_field_is_damage(self) -> None:
        document = valid(pad_for(2))
        del document["rounds"]
        with pytest.raises(PadError, match="rounds"):
            pad_from_json(document)

    @given(st.binary(max_size=200))
    def test_any_bytes_are_refused_in_words(self, data: bytes) -> None:
        with pytest.raises(PadError):
            pad_from_text(data)

    @given(st.data())
    def test_a_pad_with_any_field_replaced_is_read_or_refused_in_words(
        self, data: st.DataObject
    ) -> None:
        document = valid(pad_for(2).with_game(Written((5, -5))).with_game(counted("-", "J", out=0)))
        json_values = st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
        )
        field = data.draw(st.sampled_from(sorted(document)))
        if field == "games":
            game = data.draw(st.sampled_from(document["games"]))
            game[data.draw(st.sampled_from(sorted(game)))] = data.draw(json_values)
        else:
            document[field] = data.draw(json_values)
        try:
            pad = pad_from_json(document)
        except PadError:
            return
        assert pad_from_text(pad_to_text(pad).encode()) == pad


class TestSheet:
    def pad(self) -> ScorePad:
        pad = pad_for(4)
        for game in BOOK_GAMES:
            pad = pad.with_game(Written(game))
        return pad

    def test_csv_is_the_table_of_the_books(self) -> None:
        assert sheet_csv(self.pad()) == (
            "game,Ann,Ben,Cleo,Dan\n"
            "1,24,-5,-16,-3\n"
            "2,-6,-11,22,-5\n"
            "3,-32,-13,-2,47\n"
            "4,-10,-25,41,-6\n"
            "total,-24,-54,45,33\n"
            "wins,1,0,2,1\n"
        )

    def test_json_adds_results_and_standing_to_the_pad(self) -> None:
        document = json.loads(json.dumps(ScoreQuestion(self.pad()).answer().to_json()))
        assert document["results"][2]["scores"] == [-32, -13, -2, 47]
        assert document["standing"]["ranking"] == [[2], [3], [0], [1]]
        assert document["standing"]["winners"] == [2]
        assert document["players"] == ["Ann", "Ben", "Cleo", "Dan"]


# Any sequence of entries and undos


@st.composite
def entries(draw: st.DrawFn, pad: ScorePad) -> Entry:
    """A game that this pad must accept."""
    players = len(pad.players)
    first = draw(st.integers(0, players - 1))
    if draw(st.booleans()):
        rest = draw(st.lists(st.integers(-500, 500), min_size=players - 1, max_size=players - 1))
        return Written((*rest, -sum(rest)), first=draw(st.none() | st.just(first)))
    tiles = draw(st.permutations(pad.edition.box(players).tiles()))
    left = []
    for seat in range(players):
        size = draw(st.integers(1, 8))
        rack = Left(unidentified(faces_of(tiles[seat * 8 : seat * 8 + size])))
        as_tiles = draw(st.booleans())
        left.append(rack if as_tiles else Left(None, rack.worth(pad.edition), size))
    out = draw(st.none() | st.just(first))
    if out is not None:
        left[out] = NOTHING
    return Counted(tuple(left), out, first)


@given(st.data())
def test_any_entries_and_undos_stay_zero_sum_and_round_trip(data: st.DataObject) -> None:
    rules = EDITIONS[data.draw(st.sampled_from(sorted(EDITIONS)))]
    tie = data.draw(st.sampled_from(["split", "fewest_tiles", "no_score"]))
    penalty = data.draw(st.integers(1, 50))
    rules = rules.with_options({"blocked_tie": tie, "joker.rack_penalty": penalty})
    players = data.draw(st.integers(rules.players_min, rules.players_max))
    pad = new_pad(NAMES[:players], rules, data.draw(st.integers(1, 3)))
    for action in data.draw(st.lists(st.sampled_from(["add", "add", "undo", "correct"]))):
        if action == "undo" and pad.entries:
            pad = pad.without_last()
        elif action == "correct" and pad.entries:
            number = data.draw(st.integers(1, len(pad.entries)))
            pad = pad.corrected(number, data.draw(entries(pad)))
        elif action == "add" and not pad.match.is_over:
            pad = pad.with_game(data.draw(entries(pad)))
        assert sum(pad.match.standing.totals) == 0
        assert all(sum(result.scores) == 0 for result in pad.match.results)
        assert pad_from_text(pad_to_text(pad).encode()) == pad
