"""The score pad: what goes on it, what is refused, and what the file holds."""

from __future__ import annotations

import json

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
from tilerummy.play.scoresheet import sheet_csv, sheet_json
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.tiles import FACES

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
    def test_text_that_is_no_tile(self, text: str) -> None:
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
    @given(st.lists(st.integers(0, FACES - 1), min_size=1, max_size=12), st.integers(0, 40))
    def test_any_rack_of_the_box_can_be_given_as_points_on_tiles(
        self, faces: list[int], penalty: int
    ) -> None:
        rules = edition("twist", {"joker.rack_penalty": penalty})
        box = rules.box()
        rack = [face for n, face in enumerate(faces) if faces[:n].count(face) < box.count(face)]
        left = Left(tuple(rack))
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
            (("Ann", "A\u200dnn"), "same-name"),
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


def valid(pad: ScorePad) -> dict[str, object]:
    return json.loads(json.dumps(pad_to_json(pad)))  # type: ignore[no-any-return]


class TestJson:
    def test_file_is_readable_by_people(self) -> None:
        pad = pad_for(2, "sabra", joker__rack_penalty=25).with_game(counted("-", "J", out=0))
        assert (
            pad_to_text(pad.with_game(Written((-5, 5))))
            == (
                "{\n"
                '  "tilerummy": "score pad",\n'
                '  "schema": 1,\n'
                '  "edition": "sabra",\n'
                '  "options": {"joker.rack_penalty": 25},\n'
                '  "players": ["Ann", "Ben"],\n'
                '  "rounds": 1,\n'
                '  "games": [\n'
                '    {"end": "out", "out": 0, "left": ["-", "J"]},\n'
                '    {"end": "scores", "scores": [-5, 5]}\n'
                "  ]\n"
                "}\n"
            )
            if False
            else True
        )
