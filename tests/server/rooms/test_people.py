"""People in a room: names, removals, votes, forfeits, seats that are freed, and what counts as
activity."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.rooms.desk import SECRET, Desk
from tilerummy.bots.roster import STAND_IN
from tilerummy.locales import LANGUAGES
from tilerummy.play.commands import Draw
from tilerummy.play.refusals import Refused
from tilerummy.rules.scores import rack_left
from tilerummy.server.live.appending import append_of
from tilerummy.server.live.stored_log import entry_of, stored_event
from tilerummy.server.rooms import chat, matches, seating
from tilerummy.server.rooms.decision import MOST_TALK
from tilerummy.server.rooms.events import Cause, LogEntry, Said, Seated
from tilerummy.server.rooms.fold import fold
from tilerummy.server.rooms.reserved import LABELS, is_label
from tilerummy.server.rooms.room import DAY, Remembered, RoomPhase, Transition, Vote
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.snapshot import freeze, thaw
from tilerummy.server.rooms.timers import Pace, timers_of
from tilerummy.server.rooms.votes import PATIENCE, CastVote
from tilerummy.server.store import Result, StoredEvent
from tools.pagefiles import page_words

PACE = Pace()
NO_CLOCK = {"timer.seconds": 0}


class Notebook(Desk):
    """Keeps the results that the store would get."""

    results: list[Result]

    def tell(self, transitions: tuple[Transition, ...]) -> None:
        append = append_of(transitions, transitions[0].entry.seq - 1, (), ())
        self.results = [*getattr(self, "results", []), *append.results]


# Names


@pytest.mark.parametrize("name", ["Honest\u200b", "\u0397onest", "H0nest", "honest", " Honest "])
def test_nobody_sits_down_beside_their_double(name: str) -> None:
    desk = Desk()
    desk.seats("Honest")
    with pytest.raises(Refused) as caught:
        desk.does(seating.Sit("guest-2", name))
    assert caught.value.code in ("name-taken", "bad-name")
    assert desk.room.seats[1].is_free


@pytest.mark.parametrize(
    "name", ["Simple 1", "S1mple l", "Rookie", "Expert 12", "新手 1", "高手", "机器人3", "機器人 1"]
)
def test_nobody_is_called_like_a_bot(name: str) -> None:
    Desk().refuses(seating.Sit("guest", name), "bad-name")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "You",
            "y0u",
            "YOU!",
            "(you)",
            "Уou",
            "你",
            "（你）",
            "Free seat",
            "空座位",
            "Pool",
            "牌库",
            "牌堆",
        ),
        *(
            "Ann (host)",
            "Ann [Host]",
            "Ann · host",
            "Ann - host",
            "Ann (һost)",
            "Ann (away)",
            "Ann_you",
        ),
        *(
            "Ann · 房主",
            "Ann（房主）",
            "Ann 房主",
            "【房主】",
            "小明 · 你",
            "bot plays",
            "机器人代打",
            "機器人代打",
        ),
    ],
)
def test_nobody_is_called_like_a_label_of_the_page(name: str) -> None:
    Desk().refuses(seating.Sit("guest", name), "bad-name")


@pytest.mark.parametrize(
    "name",
    [
        "Ann Host",
        "Thank You",
        "You-Know-Who",
        "Far-away",
        "Youssef",
        "Ghost",
        "Deadpool",
        "你好",
        "(Ann)",
    ],
)
def test_names_that_only_contain_a_label_are_allowed(name: str) -> None:
    desk = Desk()
    desk.does(seating.Sit("guest", name))
    assert desk.room.seats[0].name == name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", LABELS)
def test_labels_are_reserved_in_every_language(key: str, language: str) -> None:
    label = page_words(language).render(key, {})
    assert is_label(label)
    assert is_label(f"Ann {label}") or key not in ("lobby.you", "lobby.host")


def test_guests_without_a_name_get_a_number() -> None:
    desk = Desk()
    desk.seats("Guest")
    desk.does(seating.Sit("other", "Guest"))
    desk.does(seating.Sit("third", "访客"))
    desk.does(seating.Sit("fourth", "访客"))
    assert [seat.name for seat in desk.room.seats] == ["Guest", "Guest 2", "访客", "访客 2"]


def test_a_room_of_before_with_odd_names_still_loads() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    odd = "Bo\u200b" + "x" * 35
    log = [
        LogEntry(
            entry.seq,
            msgspec.structs.replace(entry.event, name=odd)
            if isinstance(entry.event, Seated) and entry.event.name == "Bo"
            else entry.event,
        )
        for entry in desk.log
    ]
    desk.room, desk.log = fold(log), log
    assert thaw(freeze(desk.room)) == desk.room
    desk.does(matches.Begin(0, SECRET))
    assert desk.room.match is not None
    assert desk.room.match.players == ("Ann", odd)


# Removal


def test_who_was_removed_does_not_sit_down_again() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.Remove(0, 1))
    desk.refuses(seating.Sit("guest-Bo", "Bo"), "removed")
    assert thaw(freeze(desk.room)) == desk.room == desk.stored()
    desk.refuses(seating.Sit("guest-Bo", "Somebody else"), "removed")
    desk.seats("Cy")


def test_during_a_match_the_host_alone_removes_nobody_who_is_here() -> None:
    desk = Desk(Settings(options=NO_CLOCK))
    desk.begun("Ann", "Bo", "Cy")
    desk.refuses(seating.Remove(0, 1), "needs-vote")
    desk.does(seating.Drop(1))
    desk.refuses(seating.Remove(0, 1), "needs-vote")
    desk.does(seating.Remove(0, 1), after=seating.LONG_AWAY)
    assert desk.room.seats[1].left == "guest-Bo"


def test_the_others_remove_a_player_by_a_vote() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo", "Cy")
    desk.does(CastVote(0, 1, "remove", True))
    assert desk.room.votes == {Vote("remove", 1, 0)}
    version = desk.room.version
    desk.does(CastVote(0, 1, "remove", True))
    assert desk.room.version == version, "the same vote again changes nothing"
    assert thaw(freeze(desk.room)) == desk.room
    desk.does(CastVote(0, 1, "remove", False))
    desk.does(CastVote(2, 1, "remove", True))
    assert desk.room.seat_of("guest-Bo") == 1, "Ann has changed her mind"
    desk.does(CastVote(0, 1, "remove", True))
    assert desk.room.seat_of("guest-Bo") is None
    assert desk.room.seats[1].bot == STAND_IN
    assert desk.room.votes == frozenset()
    assert desk.room == desk.stored()


def test_nobody_removes_their_only_opponent() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "simple"))
    desk.refuses(CastVote(0, 1, "remove", True), "wrong-moment")
    desk.does(matches.Begin(0, SECRET))
    desk.refuses(CastVote(0, 1, "remove", True), "too-few")
    desk.refuses(CastVote(0, 2, "remove", True), "in-match")
    desk.refuses(CastVote(0, 0, "remove", True), "own-seat")
    desk.refuses(CastVote(0, 1, "hug", True), "bad-vote")
    desk.refuses(CastVote(0, 7, "remove", True), "unknown-seat")


def test_votes_end_with_those_who_cast_them() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo", "Cy", "Di")
    desk.does(CastVote(0, 1, "remove", True))
    desk.does(CastVote(2, 1, "remove", True))
    desk.does(seating.Drop(2))
    assert desk.room.votes == {Vote("remove", 1, 0)}
    desk.does(seating.Leave(0))
    assert desk.room.votes == frozenset()


# Stalling


def test_a_bot_stands_in_for_a_player_who_does_not_move() -> None:
    desk = Desk(Settings(options=NO_CLOCK))
    desk.begun("Ann", "Bo")
    slow = desk.current()
    desk.refuses(CastVote(1 - slow, slow, "stand-in", True), "too-soon")
    desk.refuses(CastVote(slow, 1 - slow, "stand-in", True), "wrong-moment")
    desk.does(CastVote(1 - slow, slow, "stand-in", True), after=PATIENCE)
    assert desk.room.bot_to_move == STAND_IN
    assert "bot" in {timer.kind for timer in timers_of(desk.room, PACE)}
    assert desk.room.seats[slow].guest is not None
    desk.move()
    desk.does(seating.Return(slow))
    assert desk.room.seats[slow].bot is None
    desk.refuses(seating.Return(slow), "here")
    assert desk.room == desk.stored()


def test_a_clock_needs_no_vote() -> None:
    desk = Desk(Settings(options={"timer.seconds": 300}))
    desk.begun("Ann", "Bo")
    slow = desk.current()
    desk.now += PATIENCE
    desk.refuses(CastVote(1 - slow, slow, "stand-in", True), "wrong-moment")


def test_a_move_ends_the_votes_for_a_stand_in() -> None:
    desk = Desk(Settings(options=NO_CLOCK))
    desk.begun("Ann", "Bo", "Cy")
    slow = desk.current()
    other = (slow + 1) % 3
    desk.does(CastVote(other, slow, "stand-in", True), after=PATIENCE)
    assert desk.room.votes
    desk.move(idle=True)
    assert desk.room.votes == frozenset()


def test_only_moves_keep_a_game_open() -> None:
    desk = Desk(Settings(options=NO_CLOCK))
    desk.seats("Ann", "Bo")
    desk.does(chat.Say(0, "hello"))
    assert desk.room.active == desk.now
    desk.does(matches.Begin(0, SECRET))
    desk.deadline()
    before = desk.room.active
    desk.does(chat.Say(0, "hello"), after=60_000)
    desk.does(chat.Say(0, emote="hurry"), after=60_000)
    desk.does(seating.Drop(1))
    desk.does(seating.Return(1))
    assert desk.room.active == before
    desk.does(matches.TakeTurn(Draw(desk.current()), desk.turn()))
    assert desk.room.active == desk.now


# Forfeits


def test_who_leaves_a_game_has_lost_it() -> None:
    desk = Notebook(Settings(options={"match.games_per_round": 1}))
    desk.begun("Ann", "Bo")
    desk.move()
    game = desk.room.game
    assert game is not None
    left = rack_left(game.edition, game.racks[1], opened=game.opened[1]).points
    desk.does(seating.Leave(1))
    (lost,) = desk.results
    assert (lost.guest, lost.game, lost.won, lost.score) == ("guest-Bo", 1, False, -left)
    desk.plays_on(RoomPhase.OVER)
    assert desk.room.game is not None
    result = desk.room.game.result
    assert result is not None
    _, stayed = desk.results
    assert (stayed.guest, stayed.score) == ("guest-Ann", result.scores[0])
    assert stayed.won == (0 in result.winners)


def test_who_leaves_between_two_games_has_lost_the_next_one_only() -> None:
    desk = Notebook(Settings(options={"match.games_per_round": 3}))
    desk.begun("Ann", "Bo")
    desk.plays_on(RoomPhase.BETWEEN)
    desk.does(seating.Leave(1))
    desk.plays_on(RoomPhase.OVER)
    of_bo = [result for result in desk.results if result.guest == "guest-Bo"]
    assert [(result.game, result.won) for result in of_bo][1:] == [(2, False)]
    assert of_bo[1].score == 0
    assert len([result for result in desk.results if result.guest == "guest-Ann"]) == 3


def test_who_leaves_the_lobby_has_lost_nothing() -> None:
    desk = Notebook()
    desk.seats("Ann", "Bo")
    desk.does(seating.Leave(1))
    assert desk.results == []


# Seats in the lobby


def test_a_seat_that_nobody_uses_is_freed_for_those_who_wait() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.Drop(1))
    away = desk.room.seats[1].away
    assert away is not None
    (timer,) = [timer for timer in timers_of(desk.room, PACE) if timer.kind == "seat"]
    assert (timer.key, timer.at) == (1, away + PACE.lobby)
    desk.refuses(seating.FreeSeat(1, away - 1), "here")
    desk.does(seating.FreeSeat(1, away))
    assert desk.room.seats[1].is_free
    desk.seats("Bo")


def test_a_lobby_in_which_nobody_waits_is_kept() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.Drop(1))
    desk.does(seating.Drop(0))
    assert not [timer for timer in timers_of(desk.room, PACE) if timer.kind == "seat"]
    desk.refuses(seating.FreeSeat(1, desk.room.seats[1].away or 0), "here")


# Talk


def test_a_room_stores_only_so_much_talk_a_day() -> None:
    desk = Desk()
    desk.now = DAY * 20_000
    desk.seats("Ann", "Bo")
    for _ in range(MOST_TALK):
        desk.does(chat.Say(0, emote="wow"), after=1)
    desk.refuses(chat.Say(1, "me too"), "too-much-talk")
    desk.refuses(chat.Mute(1, 0, True), "too-much-talk")
    assert thaw(freeze(desk.room)) == desk.room
    desk.does(matches.Begin(0, SECRET))
    desk.deadline()
    desk.does(matches.Ask(0, "pause", True, SECRET))
    desk.now = DAY * 20_001
    desk.does(chat.Say(1, "good morning"))


# Causes


def test_an_event_is_stored_with_a_hash_of_its_command() -> None:
    desk = Desk()
    desk.seats("Ann")
    desk.does(chat.Say(0, "hello"), Cause(0, "a:1", "12ab34cd"))
    stored = stored_event(Transition(desk.log[-1], desk.room))
    assert stored.cause == "0:a:1 12ab34cd"
    assert entry_of(stored) == desk.log[-1]
    old = StoredEvent(stored.seq, stored.at, "0:a:1", stored.data)
    assert entry_of(old).cause == Cause(0, "a:1")
    assert isinstance(entry_of(old).event, Said)


def test_a_snapshot_of_before_has_ids_without_a_hash() -> None:
    desk = Desk()
    desk.seats("Ann")
    desk.does(chat.Say(0, "hello"), Cause(0, "a", "12ab34cd"))
    raw = msgspec.json.decode(freeze(desk.room))
    raw["causes"] = {"0": {"a": 4}}
    for field in ("talk", "votes", "removed"):
        del raw[field]
    assert thaw(msgspec.json.encode(raw)).causes == {0: {"a": Remembered(4)}}
