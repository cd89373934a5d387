"""A room from its opening to a rematch, as commands and as stored events."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from tests.server.rooms.desk import OTHER, SECRET, THIRD, Desk, seed_of, turn_of
from tilerummy.bots.roster import STAND_IN
from tilerummy.play.commands import Draw, Play
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.event_json import from_dict, to_dict
from tilerummy.play.events import Created
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import EDITIONS
from tilerummy.rules.tiles import parse_row
from tilerummy.server.jobs.erasure import ANONYMOUS, without
from tilerummy.server.live.stored_log import entry_of
from tilerummy.server.protocol import outgoing
from tilerummy.server.rooms import chat, commands, matches, seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.events import Cause, Left, LogEntry, LogError, Opened, decode, encode
from tilerummy.server.rooms.fold import MOST_CAUSES, fold, open_room
from tilerummy.server.rooms.room import Room, RoomPhase, deal_step
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.snapshot import freeze, thaw
from tilerummy.server.rooms.timers import Pace, timers_of
from tilerummy.server.store import StoredEvent

PACE = Pace()


def kinds(room: Room) -> set[str]:
    return {timer.kind for timer in timers_of(room, PACE)}


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_the_stored_log_of_a_match_gives_the_same_room(edition: str) -> None:
    desk = Desk(Settings(edition=edition, seats=4, options={"match.games_per_round": 2}))
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "simple"))
    desk.does(seating.AddBot(0, "solver"), cause=Cause(0, "c1"))
    desk.does(matches.Begin(0, SECRET))
    desk.commits(0, cause=Cause(0, "c2"))
    desk.commits(1)
    assert desk.room.game is not None
    assert desk.room.game.is_fixed, "everybody who is here has committed"
    desk.reveals(1)
    desk.reveals(0, cause=Cause(0, "c3"))
    assert desk.room.phase is RoomPhase.PLAYING, "everybody has revealed"
    desk.plays_on(RoomPhase.OVER)
    assert len(desk.room.match.results) == 2  # type: ignore[union-attr]
    assert desk.stored() == desk.room
    assert thaw(freeze(desk.room)) == desk.room
    assert [entry.seq for entry in desk.log] == [*range(1, desk.room.version + 1)]


def test_somebody_comes_goes_and_the_host_follows() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    assert desk.room.host == 0
    desk.refuses(seating.Sit("guest-Ann", "Anna"), "seated")
    desk.refuses(seating.Sit("guest-Cy", "Bo"), "name-taken")
    desk.refuses(seating.Sit("guest-Cy", "a\nb"), "bad-name")
    desk.refuses(seating.Sit("guest-Cy", "Cy", seat=1), "seat-taken")
    desk.refuses(seating.Sit("guest-Cy", "Cy", seat=9), "unknown-seat")
    desk.does(seating.Leave(0))
    assert desk.room.host == 1
    desk.does(seating.Sit("guest-Cy", "Cy"))
    assert desk.room.seat_of("guest-Cy") == 0
    desk.refuses(seating.Remove(0, 1), "not-host")
    desk.does(seating.Remove(1, 0))
    desk.does(seating.Leave(1))
    assert desk.room.phase is RoomPhase.CLOSED
    desk.refuses(seating.Sit("guest-Di", "Di"), "room-closed")
    assert timers_of(desk.room, PACE) == ()


def test_only_the_host_begins_and_not_alone() -> None:
    desk = Desk()
    desk.seats("Ann")
    desk.refuses(matches.Begin(0, SECRET), "bad-players")
    desk.seats("Bo")
    desk.refuses(matches.Begin(1, SECRET), "not-host")
    desk.does(matches.Begin(0, SECRET))
    desk.refuses(matches.Begin(0, SECRET), "already-begun")
    desk.refuses(seating.Sit("guest-Cy", "Cy"), "already-begun")
    desk.refuses(seating.AddBot(0, "simple"), "already-begun")


def test_free_seats_close_ranks() -> None:
    desk = Desk(Settings(seats=4))
    desk.seats("Ann", "Bo", "Cy")
    desk.does(chat.Mute(2, 0, True))
    desk.does(seating.Remove(0, 1), cause=Cause(0, "x"))
    desk.does(matches.Begin(0, SECRET))
    assert [seat.name for seat in desk.room.seats] == ["Ann", "Cy"]
    assert desk.room.seat_of("guest-Cy") == 1
    assert desk.room.muted == {(1, 0)}
    assert desk.stored() == desk.room


def test_a_turn_is_taken_once_by_whose_turn_it_is() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo")
    seat = desk.current()
    desk.refuses(matches.TakeTurn(Draw(1 - seat), desk.turn()), "not-your-turn")
    desk.refuses(matches.TakeTurn(Draw(seat), desk.turn() + 1), "wrong-turn")
    desk.refuses(
        matches.TakeTurn(Play(seat, (parse_row("r1 r2 r6"),)), desk.turn()), "illegal-play"
    )
    desk.does(matches.TakeTurn(Draw(seat), desk.turn()), cause=Cause(seat, "first"))
    assert desk.room.causes[seat]["first"].version == desk.room.version
    assert desk.stored().causes == desk.room.causes


def test_seats_remember_the_latest_commands_and_those_of_two_minutes() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    for number in range(100):
        cause = Cause(0, f"c{number}", "ab12")
        desk.does(chat.Say(0, f"hello {number}"), cause, after=10_000)
    assert len(desk.room.causes[0]) == 32
    for number in range(100):
        desk.does(chat.Say(0, "quick"), Cause(0, f"d{number}"), after=100)
    kept = desk.room.causes[0]
    assert [id_ for id_ in kept if id_.startswith("d")] == [f"d{number}" for number in range(100)]
    assert kept["c99"].digest == "ab12", "ten seconds ago"
    for number in range(2 * MOST_CAUSES):
        desk.does(seating.AddBot(0, "simple"), Cause(0, f"e{number}"), after=10)
        desk.does(seating.Remove(0, 2), Cause(0, f"f{number}"), after=10)
    assert len(desk.room.causes[0]) == MOST_CAUSES
    assert thaw(freeze(desk.room)) == desk.room == desk.stored()
    assert len(desk.room.chat) == 50


def test_commands_are_remembered_of_people_and_not_of_seats() -> None:
    desk = Desk(Settings(seats=3, options={"match.games_per_round": 1}))
    desk.seats("Ann", "Bo")
    desk.does(chat.Say(0, "bye"), cause=Cause(0, "c1"))
    desk.does(chat.Say(1, "hello"), cause=Cause(1, "c2"))
    desk.does(seating.Leave(0), cause=Cause(0, "c2"))
    desk.seats("Cy")
    assert 0 not in desk.room.causes, "what Ann did is nothing that Cy did"
    desk.does(seating.Remove(1, 0), cause=Cause(1, "c3"))
    desk.does(seating.AddBot(1, "simple", 2), cause=Cause(1, "c4"))
    desk.does(matches.Begin(1, SECRET), cause=Cause(1, "c5"))
    assert desk.room.seat_of("guest-Bo") == 0
    assert [*desk.room.causes[0]] == ["c2", "c3", "c4", "c5"]
    assert desk.room.causes[0]["c5"].version == desk.room.version
    assert 1 not in desk.room.causes
    assert desk.stored() == desk.room


def test_a_bot_plays_for_somebody_who_stays_away_and_hands_back() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo")
    seat = desk.current()
    assert kinds(desk.room) == {"idle", "turn"}
    desk.does(seating.Drop(seat))
    since = desk.now
    assert kinds(desk.room) == {"idle", "turn", "grace"}
    desk.refuses(seating.Drop(seat), "not-here")
    desk.refuses(seating.StandIn(seat, since - 1), "here")
    desk.does(seating.StandIn(seat, since))
    assert kinds(desk.room) == {"idle", "turn", "bot"}
    desk.move()
    desk.does(seating.Return(seat))
    assert desk.room.seats[seat].bot is None
    assert desk.stored() == desk.room


def test_a_host_who_stays_away_is_followed_by_somebody_who_is_here() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.Drop(1))
    assert kinds(desk.room) == {"idle", "seat"}, "others may wait for it"
    desk.does(seating.Return(1))
    desk.does(seating.Drop(0))
    assert kinds(desk.room) == {"idle", "grace", "seat"}
    desk.does(seating.StandIn(0, desk.now))
    assert desk.room.host == 1
    assert desk.room.seats[0].bot is None
    assert kinds(desk.room) == {"idle", "seat"}
    assert desk.stored() == desk.room


def test_a_seat_is_taken_over_at_the_level_of_the_room() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "chick"))
    desk.does(seating.AddBot(0, "fox"))
    desk.does(matches.Begin(0, SECRET))
    desk.does(seating.Leave(1))
    assert desk.room.seats[1].bot == "fox"


def test_who_leaves_a_match_is_followed_by_a_bot_for_good() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo")
    desk.does(seating.Leave(0))
    assert desk.room.seats[0].bot == STAND_IN
    assert desk.room.seats[0].guest is None
    assert desk.room.host == 1
    desk.refuses(seating.Remove(1, 0), "in-match")
    desk.does(seating.Leave(1))
    assert desk.room.phase is RoomPhase.CLOSED


def test_the_clock_judges_a_draft() -> None:
    desk = Desk(Settings(options={"timer.seconds": 60}))
    desk.begun("Ann", "Bo")
    game = desk.room.game
    assert game is not None
    [turn] = [moment for moment in timers_of(desk.room, PACE) if moment.kind == "turn"]
    assert turn.at == game.deadline
    desk.refuses(matches.TimeUp(game.turn), "too-early")
    draft = ((game.racks[game.current][0],),)
    desk.does(matches.TimeUp(game.turn, draft), after=60_000)
    assert desk.room.game is not None
    assert len(desk.room.game.racks[game.current]) == 14 + 3, "an unfinished table costs a penalty"


def test_a_pause_needs_all_who_are_here_and_stops_the_clock() -> None:
    desk = Desk(Settings(options={"timer.seconds": 60}))
    desk.begun("Ann", "Bo")
    game = desk.room.game
    assert game is not None
    desk.does(matches.Ask(0, "pause", True, OTHER))
    assert desk.room.paused is None
    desk.does(matches.Ask(1, "pause", True, OTHER))
    paused = desk.now
    assert kinds(desk.room) == {"idle"}
    desk.refuses(matches.TakeTurn(Draw(desk.current()), desk.turn()), "paused")
    desk.does(matches.Ask(1, "pause", False, OTHER), after=500_000)
    assert desk.room.paused is None
    assert desk.room.deadline == game.deadline + desk.now - paused  # type: ignore[operator]
    assert desk.room.game == game, "a game knows nothing of pauses, nor does its record"
    assert desk.stored() == desk.room


def happen(desk: Desk) -> str:
    """What is due next, as the clockwork would let it happen; its kind."""
    kind, key, at = min(timers_of(desk.room, PACE), key=lambda moment: moment.at)
    desk.now = max(desk.now, at)
    command: Command
    match kind:
        case "grace":
            since = desk.room.seats[key].away
            assert since is not None
            command = seating.StandIn(key, since)
        case "bot":
            command = turn_of(desk.room)
        case "turn":
            command = matches.TimeUp(key)
        case "deal":
            command = matches.Deal(key, THIRD)
        case "next":
            command = matches.NextGame(key, OTHER)
        case _:
            command = commands.Close("idle")
    desk.does(command, after=0)
    return kind


def stands(desk: Desk) -> bool:
    return desk.room.paused is not None


@pytest.mark.parametrize("stand_in", [True, False])
@pytest.mark.parametrize("seconds", [0, 60])
def test_a_game_that_everybody_has_left_alone_stands(stand_in: bool, seconds: int) -> None:
    options = {"timer.seconds": seconds, "match.games_per_round": 3}
    desk = Desk(Settings(seats=4, stand_in=stand_in, options=options))
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "simple"))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    desk.does(seating.Drop(0))
    desk.does(seating.Drop(1), after=PACE.grace - 5000)
    gone = desk.now
    transitions = [happen(desk)]
    while not stands(desk):
        assert desk.now <= gone + PACE.grace
        transitions.append(happen(desk))
    assert desk.room.paused == desk.now == gone + PACE.grace, "not before the grace is over"
    assert transitions.count("grace") == (2 if stand_in else 1)
    assert kinds(desk.room) == {"idle"}
    assert desk.room.is_deserted
    game = desk.room.game
    assert game is not None
    desk.does(seating.Return(1), after=3_600_000)
    assert not stands(desk)
    assert desk.room.game == game
    assert desk.room.lost == 3_600_000
    if game.deadline is not None:
        assert desk.room.deadline == game.deadline + 3_600_000
    assert desk.room.seats[0].bot == (STAND_IN if stand_in else None)
    desk.move()
    assert desk.stored() == desk.room
    assert thaw(freeze(desk.room)) == desk.room


def test_a_game_stands_when_the_last_who_was_here_leaves_those_who_are_away() -> None:
    desk = Desk(Settings(seats=3, options={"timer.seconds": 0}))
    desk.begun("Ann", "Bo", "Cy")
    desk.does(seating.Drop(1))
    desk.does(seating.StandIn(1, desk.now), after=PACE.grace)
    desk.does(seating.Leave(0))
    desk.does(seating.Drop(2))
    desk.does(seating.StandIn(2, desk.now), after=PACE.grace)
    assert stands(desk)
    desk.does(seating.Return(2))
    desk.does(seating.Leave(2))
    left = desk.now
    assert not stands(desk)
    while not stands(desk):
        assert happen(desk) in ("grace", "bot")
        assert desk.now <= left + PACE.bot, "the grace of Bo was over long ago"
    assert kinds(desk.room) == {"idle"}
    desk.does(seating.Return(1))
    assert not stands(desk)


@pytest.mark.parametrize("phase", [RoomPhase.DEALING, RoomPhase.BETWEEN])
def test_a_match_that_everybody_leaves_between_two_games_stands_in_the_next(
    phase: RoomPhase,
) -> None:
    desk = Desk(Settings(options={"match.games_per_round": 3}))
    desk.begun("Ann", "Bo")
    desk.plays_on(RoomPhase.BETWEEN)
    if phase is RoomPhase.DEALING:
        desk.does(matches.NextGame(1, OTHER))
    for seat in (0, 1):
        desk.does(seating.Drop(seat))
    while not stands(desk):
        assert happen(desk) != "idle"
    game = desk.room.game
    assert game is not None
    assert game.number == 2
    assert kinds(desk.room) == {"idle"}


def test_a_pause_that_was_agreed_on_does_not_end_because_somebody_comes_back() -> None:
    desk = Desk()
    desk.begun("Ann", "Bo")
    for seat in (0, 1):
        desk.does(matches.Ask(seat, "pause", True, OTHER))
    for seat in (0, 1):
        desk.does(seating.Drop(seat))
        desk.does(seating.StandIn(seat, desk.now), after=PACE.grace)
    assert not desk.room.is_deserted
    desk.does(seating.Return(0))
    assert desk.room.paused is not None
    desk.does(matches.Ask(0, "pause", False, OTHER))
    assert desk.room.paused is None


def test_the_next_game_comes_by_itself_or_when_all_want_it() -> None:
    desk = Desk(Settings(options={"match.games_per_round": 3}))
    desk.begun("Ann", "Bo")
    desk.plays_on(RoomPhase.BETWEEN)
    assert kinds(desk.room) == {"idle", "next"}
    desk.does(matches.Ask(0, "more", True, OTHER))
    assert "next" in kinds(desk.room)
    desk.does(matches.Ask(1, "more", True, OTHER))
    assert desk.room.phase is RoomPhase.DEALING
    assert kinds(desk.room) == {"idle", "deal"}
    desk.refuses(matches.NextGame(1, SECRET), "wrong-moment")
    desk.refuses(matches.Deal(100, OTHER), "wrong-game")
    assert desk.stored() == desk.room


def test_a_rematch_with_whoever_is_still_there() -> None:
    desk = Desk(Settings(seats=3, options={"match.games_per_round": 1}))
    desk.seats("Ann", "Bo")
    desk.does(seating.AddBot(0, "simple"))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    desk.plays_on(RoomPhase.OVER)
    desk.does(seating.Drop(0))
    desk.does(matches.Ask(1, "more", True, OTHER))
    assert desk.room.phase is RoomPhase.LOBBY
    assert [seat.name for seat in desk.room.seats] == ["Bo", "Simple", ""]
    assert desk.room.host == 0
    desk.does(matches.Begin(0, OTHER))
    desk.does(matches.Deal(100, OTHER))
    assert desk.room.matches == 2
    assert desk.stored() == desk.room


def test_talk_is_checked_and_muting_is_a_wish_of_ones_own() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(chat.Say(0, "  hello \n there "))
    assert desk.room.chat[-1].text == "hello there"
    desk.does(chat.Say(0, emote="thanks"))
    desk.refuses(chat.Say(0, emote="boo"), "unknown-emote")
    desk.refuses(chat.Say(0, "x" * 201), "bad-text")
    desk.refuses(chat.Say(0, "\x07"), "bad-text")
    desk.refuses(chat.Say(0, "\u200d"), "bad-text")
    for text in ("\N{WOMAN}\u200d\N{ROCKET}", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"):
        desk.does(chat.Say(0, text))
        assert desk.room.chat[-1].text == text
    desk.refuses(chat.Mute(0, 0, True), "own-seat")
    desk.does(chat.Mute(0, 1, True))
    desk.does(chat.Mute(0, 1, False))
    assert desk.room.muted == frozenset()


def test_what_was_said_stays_with_whoever_said_it() -> None:
    desk = Desk(Settings(seats=4, options={"match.games_per_round": 1}))
    desk.seats("Ann", "Bo", "Cy", "Di")
    for seat in range(4):
        desk.does(chat.Say(seat, f"I am {desk.room.seats[seat].name}"))
    desk.does(chat.Mute(0, 1, True))
    desk.does(chat.Mute(0, 2, True))
    desk.does(seating.Leave(1))
    desk.seats("Ed")
    assert desk.room.muted == {(0, 2)}, "who sits down where somebody was muted can be heard"
    desk.does(seating.Leave(1))
    desk.does(matches.Begin(0, SECRET))
    desk.does(matches.Deal(100, OTHER))
    check_talk(desk, "Ann", "Cy", "Di")
    assert desk.room.muted == {(0, 1)}
    desk.plays_on(RoomPhase.OVER)
    desk.does(seating.Drop(1))
    desk.does(matches.Ask(0, "more", True, OTHER))
    desk.does(matches.Ask(2, "more", True, OTHER))
    assert desk.room.phase is RoomPhase.LOBBY
    check_talk(desk, "Ann", "Di")
    assert desk.room.muted == frozenset()
    assert desk.stored() == desk.room


def check_talk(desk: Desk, *names: str) -> None:
    said = [(desk.room.seats[said.seat].name, said.text) for said in desk.room.chat]
    assert said == [(name, f"I am {name}") for name in names]


def test_a_log_begins_with_its_room() -> None:
    with pytest.raises(Refused):
        fold([])
    room, event = open_room("r", "C", Settings(), 5)
    assert isinstance(event, Opened)
    assert fold([LogEntry(1, event)]) == room


def test_random_commands_never_break_a_room() -> None:
    rng = random.Random(5)
    for _ in range(30):
        desk = Desk(Settings(seats=3, options={"match.games_per_round": 1, "timer.seconds": 60}))
        desk.seats("Ann", "Bo")
        for _ in range(150):
            try:
                desk.does(random_command(rng, desk), after=rng.choice([0, 10, 70_000]))
            except Refused:
                continue
            if desk.room.paused is not None:
                assert not kinds(desk.room) & {"bot", "turn", "deal", "next"}
            elif not any(seat.is_here for seat in desk.room.seats):
                assert desk.room.phase is not RoomPhase.PLAYING or "grace" in kinds(desk.room)
        assert desk.stored() == desk.room
        assert thaw(freeze(desk.room)) == desk.room
        check_forgetting(desk, "guest-0")


def check_forgetting(desk: Desk, guest: str) -> None:
    """A room after the erasure event equals the room loaded again from the store."""
    if desk.room.phase is RoomPhase.CLOSED:
        return
    desk.does(seating.Erase(guest, ANONYMOUS))
    stored = [
        StoredEvent(seq, event.at, cause and f"{cause[0]}:{cause[1]}", encode(event))
        for seq, event, cause in desk.log
    ]
    redacted = without(stored, guest)
    told = [event._replace(data=redacted.events.get(event.seq, event.data)) for event in stored]
    assert fold(map(entry_of, told)) == desk.room
    assert without(told, guest).players == redacted.players, "it can be done again"


def test_who_is_forgotten_has_no_name_in_the_room_any_more() -> None:
    desk = Desk(Settings(seats=3, options={"match.games_per_round": 2}))
    desk.begun("Ann", "Bo", "Cy")
    desk.does(chat.Say(0, "I am Ann"))
    desk.does(seating.Leave(1))
    assert desk.room.seats[1].name == "Bo", "the bot in the place of somebody has their name"
    for guest in ("guest-Ann", "guest-Bo", "guest-Di"):
        check_forgetting(desk, guest)
    assert [seat.name for seat in desk.room.seats] == ["Guest", "Guest", "Cy"]
    assert desk.room.chat == ()
    assert (desk.room.host, desk.room.seat_of("guest-Ann")) == (2, None)
    assert b'"Ann"' not in freeze(desk.room)
    desk.plays_on(RoomPhase.OVER)
    desk.does(matches.Ask(2, "more", True, OTHER))
    assert [seat.name for seat in desk.room.seats] == ["Guest", "Guest", "Cy"]
    check_forgetting(desk, "guest-Cy")
    assert desk.room.phase is RoomPhase.CLOSED


def test_a_bot_has_the_name_of_who_left_also_in_the_next_match() -> None:
    desk = Desk(Settings(seats=3, options={"match.games_per_round": 1}))
    desk.begun("Ann", "Bo")
    desk.does(seating.Leave(0))
    desk.plays_on(RoomPhase.OVER)
    desk.does(matches.Ask(1, "more", True, OTHER))
    assert [seat.name for seat in desk.room.seats] == ["Ann", "Bo", ""]
    desk.does(matches.Begin(1, OTHER))
    check_forgetting(desk, "guest-Ann")
    assert [seat.name for seat in desk.room.seats] == ["Guest", "Bo"]


def random_command(rng: random.Random, desk: Desk) -> Command:
    seat, other = rng.randrange(3), rng.randrange(3)
    game = desk.room.game
    turn, transcript, step = (
        (game.turn, game.transcript, deal_step(game)) if game is not None else (1, "", 0)
    )
    choices: Sequence[Command] = (
        seating.Sit(f"guest-{rng.randrange(3)}", f"Guest {rng.randrange(3)}"),
        seating.AddBot(seat, rng.choice(["simple", "solver", "chess"])),
        seating.Leave(seat) if rng.random() < 0.1 else seating.Drop(seat),
        seating.Remove(seat, other) if rng.random() < 0.1 else seating.Return(seat),
        matches.Begin(seat, SECRET),
        matches.Seed(seat, "x"),
        matches.Commit(seat, transcript, seat_commitment(transcript, seat, seed_of(seat))),
        matches.Reveal(seat, transcript, seed_of(seat)),
        matches.Deal(step, rng.randbytes(32).hex()),
        matches.Deal(100, OTHER),
        matches.TakeTurn(Draw(seat), turn),
        matches.TakeTurn(Draw(seat), turn),
        matches.TimeUp(turn),
        matches.NextGame(1, SECRET),
        matches.Ask(seat, rng.choice(["pause", "more", "tea"]), rng.random() < 0.7, SECRET),
        chat.Say(seat, "hello"),
        chat.Mute(seat, other, rng.random() < 0.5),
        seating.StandIn(seat, desk.now),
        seating.Erase(f"guest-{rng.randrange(3)}", "Guest"),
    )
    return rng.choice(choices)


def test_options_are_kept_as_the_rules_write_them() -> None:
    given: dict[str, object] = {"jokers": {"J": 1}, "match.winner": "games, score"}
    room, _ = open_room("room", "ABCD", Settings(options=given), 0)
    assert room.settings.options == {"jokers": "J1", "match.winner": "games"}


def test_a_public_event_is_stored_with_its_defaults_and_sent_without() -> None:
    left = Left(5, 1)
    stored = b'{"schema":2,"type":"left","at":5,"seat":1,"removed":false,"bot":null}'
    assert encode(left) == stored
    assert decode(stored) == left
    assert outgoing.encode(left) == b'{"type":"left","at":5,"seat":1}'


@pytest.mark.parametrize("kind", ["left", "muted"])
def test_a_stored_event_with_an_unknown_field_is_not_read(kind: str) -> None:
    fields = {"schema": 2, "type": kind, "at": 5, "seat": 1, "other": 2, "on": True}
    with pytest.raises(LogError, match="unknown field"):
        decode(msgspec.json.encode({**fields, "more": 1}))


def old_room() -> Desk:
    """A room whose game was created by a version without commitments."""
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(matches.Begin(0, SECRET))
    created = desk.log[-1].event
    assert isinstance(created, Created)
    stored = {**to_dict(created), "schema": 2}
    del stored["shuffle_version"]
    desk.log[-1] = desk.log[-1]._replace(event=from_dict(stored))
    desk.room = fold(desk.log)
    return desk


def test_a_game_of_the_old_shuffle_is_still_dealt() -> None:
    desk = old_room()
    assert [timer.key for timer in timers_of(desk.room, PACE) if timer.kind == "deal"] == [1]
    desk.does(matches.Seed(0, "luck"))
    desk.refuses(matches.Commit(1, desk.room.game.transcript, "ab" * 32), "commit-first")  # type: ignore[union-attr]
    desk.does(matches.Deal(1, OTHER))
    assert desk.room.phase is RoomPhase.PLAYING
    assert desk.room.game is not None
    assert desk.room.game.fairness().seeds == ("luck", "-")
    assert desk.stored() == desk.room


def test_a_deal_is_not_delayed_by_those_who_are_away() -> None:
    desk = Desk(Settings(seats=3))
    desk.seats("Ann", "Bo", "Cy")
    desk.does(matches.Begin(0, SECRET))
    desk.does(seating.Drop(2))
    desk.commits(0)
    desk.commits(1)
    desk.reveals(0)
    desk.reveals(1)
    assert desk.room.phase is RoomPhase.PLAYING
    assert desk.room.game is not None
    assert desk.room.game.sources == ("own", "own", "default")


def test_a_late_timer_of_an_earlier_step_cancels_nothing() -> None:
    desk = Desk()
    desk.seats("Ann", "Bo")
    desk.does(matches.Begin(0, SECRET))
    assert desk.room.game is not None
    early = matches.Deal(deal_step(desk.room.game), OTHER)
    desk.commits(0)
    desk.commits(1)
    desk.refuses(early, "wrong-game")
    desk.reveals(0)
    desk.deadline()
    assert desk.room.game is not None
    assert [deal.withheld for deal in desk.room.game.cancelled] == [(1,)]
    assert desk.stored() == desk.room
    assert thaw(freeze(desk.room)) == desk.room
