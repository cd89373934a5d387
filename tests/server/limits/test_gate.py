"""How much clients may ask for, by a clock that the test turns."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.server.limits.buckets import Bucket, Rate, take
from tilerummy.server.limits.gate import SOON, BusyError, Gate
from tilerummy.server.limits.rate_limiter import Client, Limits, RateLimiter

HERE, THERE = "192.0.2.1", "192.0.2.2"


class FakeClock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def connected(rate_limiter: RateLimiter, address: str = HERE) -> Client:
    client = rate_limiter.connect(address)
    assert client
    return client


# Buckets


def test_a_burst_at_once_then_as_much_as_flows_in() -> None:
    bucket = Bucket(Rate(per_second=2, burst=3), now=0)
    assert [take(0, bucket) for _ in range(4)] == [0, 0, 0, 0.5]
    assert take(0.25, bucket) == 0.25
    assert take(0.5, bucket) == 0
    assert take(0.5, bucket) == 0.5


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(Rate(2, 3), now=0)
    assert [take(1e6, bucket) for _ in range(4)] == [0, 0, 0, 0.5]


def test_a_refused_client_pays_nothing() -> None:
    bucket = Bucket(Rate(1, 1), now=0)
    assert take(0, bucket) == 0
    assert [take(0.9, bucket) for _ in range(5)] == pytest.approx([0.1] * 5)
    assert take(1, bucket) == 0


@given(st.floats(0, 1e9), st.floats(0.01, 1000), st.integers(1, 100))
def test_a_client_that_waits_as_asked_is_not_refused(
    now: float, per_second: float, burst: int
) -> None:
    bucket = Bucket(Rate(per_second, burst), now)
    for _ in range(burst):
        assert take(now, bucket) == 0
    assert take(now + take(now, bucket), bucket) == 0


def test_one_of_each_or_of_none() -> None:
    one, two = Bucket(Rate(1, 5), now=0), Bucket(Rate(1, 1), now=0)
    assert take(0, one, two) == 0
    assert take(0, one, two) == 1
    assert [take(0, one) for _ in range(5)] == [0, 0, 0, 0, 1]


def test_a_rate_of_nothing_never_fills() -> None:
    bucket = Bucket(Rate(0, 1), now=0)
    assert [take(0, bucket), take(1e9, bucket)] == [0, inf]


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    bucket = Bucket(Rate(1, 1), now=100)
    assert take(100, bucket) == 0
    assert take(50, bucket) == 1
    assert take(50.5, bucket) == 0.5


@given(st.lists(st.floats(0, 10), max_size=60), st.floats(0.1, 10), st.integers(1, 10))
def test_never_more_than_the_burst_and_what_flowed_in(
    gaps: list[float], per_second: float, burst: int
) -> None:
    bucket = Bucket(Rate(per_second, burst), now=0)
    now, taken = 0.0, 0
    for gap in gaps:
        now += gap
        wait = take(now, bucket)
        taken += not wait
        assert taken <= burst + now * per_second + 0.01
        assert wait <= 1 / per_second + 1e-6


# Connections and addresses


def test_each_connection_has_its_own_messages(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(messages=Rate(1, 2)), clock)
    one, two = connected(rate_limiter), connected(rate_limiter)
    assert [one.message() for _ in range(3)] == [0, 0, 1]
    assert two.message() == 0
    clock.now += 1
    assert one.message() == 0


def test_all_connections_of_an_address_share_its_messages(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(address_messages=Rate(1, 3)), clock)
    clients = [connected(rate_limiter) for _ in range(5)]
    assert [client.message() for client in clients] == [0, 0, 0, 1, 1]
    assert connected(rate_limiter, THERE).message() == 0


def test_hints_are_counted_apart_from_messages(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(messages=Rate(1, 1), hints=Rate(0.5, 1)), clock)
    client = connected(rate_limiter)
    assert [client.message(), client.hint(), client.message(), client.hint()] == [0, 0, 1, 2]


def test_all_connections_of_an_address_share_its_hints(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(address_hints=Rate(1, 1)), clock)
    assert [connected(rate_limiter).hint(), connected(rate_limiter).hint()] == [0, 1]


def test_coming_again_does_not_forget_what_an_address_did(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(address_messages=Rate(1, 3)), clock)
    waits = []
    for _ in range(4):
        with connected(rate_limiter) as client:
            waits.append(client.message())
    assert waits == [0, 0, 0, 1]


def test_joining_needs_no_connection(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(joins=Rate(0.5, 2)), clock)
    assert [rate_limiter.join(HERE) for _ in range(3)] == [0, 0, 2]
    assert rate_limiter.join(THERE) == 0
    with connected(rate_limiter):
        assert rate_limiter.join(HERE) == 2
    assert rate_limiter.join(HERE) == 2


def test_requests_and_records_are_counted_by_address(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(
        Limits(requests=Rate(1, 4), records=Rate(0.5, 2), joins=Rate(1, 1)), clock
    )
    assert [rate_limiter.record(HERE) for _ in range(3)] == [0, 0, 2]
    assert [rate_limiter.request(HERE) for _ in range(3)] == [0, 0, 1], "a record is a request too"
    assert rate_limiter.join(HERE) == 0, "and a join is not"
    assert rate_limiter.record(THERE) == rate_limiter.request(THERE) == 0


def test_so_many_of_an_address_learn_why_they_may_not_connect(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(), clock)
    assert [rate_limiter.refuse(HERE) for _ in range(12)] == [True] * 10 + [False] * 2
    assert rate_limiter.refuse(THERE)
    clock.now += 1
    assert [rate_limiter.refuse(HERE) for _ in range(2)] == [True, False]


def test_so_many_connections_of_an_address_at_once(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(connections=2), clock)
    first = connected(rate_limiter)
    connected(rate_limiter)
    assert rate_limiter.connect(HERE) is None
    assert rate_limiter.connect(THERE)
    first.close()
    first.close()  # again does nothing
    assert rate_limiter.connect(HERE)
    assert rate_limiter.connect(HERE) is None


def test_a_household_with_ipv6_is_one_visitor(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(joins=Rate(1, 1)), clock)
    assert rate_limiter.join("2001:db8::1") == 0
    assert rate_limiter.join("2001:db8::2") == 1
    assert rate_limiter.join("2001:db8:0:1::1") == 0
    assert rate_limiter.join("::ffff:192.0.2.1") == 0
    assert rate_limiter.join("192.0.2.1") == 1


def test_memory_is_bounded_and_those_who_came_last_are_remembered(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(joins=Rate(1, 1), addresses=100), clock)
    for number in range(1000):
        assert rate_limiter.join(f"198.51.{number // 250}.{number % 250}") == 0
    assert len(rate_limiter) == 100
    assert rate_limiter.join("198.51.3.249") == 1
    assert rate_limiter.join("198.51.0.0") == 0


def test_no_crowd_makes_a_guard_forget_who_is_connected(clock: FakeClock) -> None:
    rate_limiter = RateLimiter(Limits(address_messages=Rate(1, 1), addresses=10), clock)
    client = connected(rate_limiter)
    assert client.message() == 0
    for number in range(100):
        rate_limiter.join(f"198.51.100.{number}")
    assert client.message() == 1
    assert connected(rate_limiter).message() == 1
    assert len(rate_limiter) == 11


# The solver


def test_so_many_questions_at_once(clock: FakeClock) -> None:
    gate = Gate(2, Rate(1, 10), clock)
    with gate.entered(), gate.entered():
        with pytest.raises(BusyError) as busy, gate.entered():
            pass
        assert busy.value.wait == SOON
    with gate.entered():
        pass


def test_seconds_that_were_used_have_to_flow_in_again(clock: FakeClock) -> None:
    gate = Gate(1, Rate(0.5, 3), clock)
    for _ in range(2):
        with gate.entered():
            clock.now += 2  # while 1 s flows in
    with gate.entered():
        clock.now += 4
    with pytest.raises(BusyError) as busy, gate.entered():
        pass
    assert busy.value.wait == pytest.approx(2, abs=0.05)
    clock.now += busy.value.wait
    with gate.entered():
        pass


def test_a_question_may_tell_what_it_cost(clock: FakeClock) -> None:
    gate = Gate(1, Rate(1, 3), clock)
    with gate.entered() as call:
        call.cost = 5
    with pytest.raises(BusyError) as busy, gate.entered():
        pass
    assert busy.value.wait == pytest.approx(2, abs=0.05)
    assert "2.0 s" in str(busy.value)


def test_a_question_that_fails_is_paid_for_and_leaves_the_gate(clock: FakeClock) -> None:
    gate = Gate(1, Rate(0.1, 1), clock)

    def fail() -> None:
        with gate.entered() as call:
            call.cost = 0.5
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with gate.entered() as call:
        call.cost = 0.5
    with pytest.raises(BusyError), gate.entered():
        pass
