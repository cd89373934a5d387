"""Schemathesis reads the OpenAPI description of a running server, and asks for all that is in it.

A request that the description allows is never a bad request, any other is refused, and every answer
is as described. Most of the rooms and guests that are named are there, rooms in every phase of
their life. `make soak` asks for much more; SOAK_REQUESTS says how often for each operation.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from schemathesis import engine
from schemathesis.core.parameters import ParameterLocation
from schemathesis.engine import events
from schemathesis.engine.recorder import ScenarioRecorder

from tests.server.live_server import Line, LiveServer, live_server, play_on
from tilerummy.server.edge.visitors import COOKIE
from tilerummy.server.protocol.openapi import path_of
from tilerummy.server.protocol.routes import OPERATIONS, Operation

SOAK_REQUESTS = int(os.environ.get("SOAK_REQUESTS", "2000"))
PATIENCE = 300.0
"""Seconds for an answer, however busy the machine is."""
SHORT = {"match.games_per_round": 1, "hand_size": 3, "initial.min": 0, "timer.seconds": 0}
PACE = {"TILERUMMY_PACE_SEEDS": "20ms", "TILERUMMY_PACE_BOT": "0s"}
Case = schemathesis.Case[Any]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


class World:
    """A server with rooms and guests of every kind."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.ann = server.guest("Ann")
        self.codes = [
            server.open(self.ann, public=True, options={"jokers": {"J": 1}}),
            server.open(self.ann, seats=2, bots=("simple",)),
            self._begun(),
            self._over(),
            self._over(),
            self._closed(),
        ]
        self.turns: dict[str, int] = {}

    def _begun(self) -> str:
        code = self.server.open(self.ann, seats=2, bots=("simple",))
        with Line(self.server, code, self.ann, hello={}) as line:
            line.ask("begin")
        return code

    def _over(self) -> str:
        code = self.server.open(self.ann, seats=2, options=SHORT, bots=("simple",))
        with Line(self.server, code, self.ann, hello={}) as line:
            line.ask("begin")
            play_on([line], lambda known: known.phase == "over")
        return code

    def _closed(self) -> str:
        code = self.server.open(self.ann)
        with Line(self.server, code, self.ann, hello={}) as line:
            line.ask("leave")
        return code

    def guest(self, case: Case) -> str:
        """A token: Ann's, or where she should not be used up, that of somebody new."""
        name = case.operation.definition.raw["operationId"]
        if name not in ("forget", "sit", "rename"):
            return self.ann
        token = self.server.guest("Bo")
        if name == "forget":
            self.server.open(token)
        return token

    def name(self, case: Case) -> None:
        """Put something that is there in the place of most names that were made up.

        The rooms have their turns, so that each is named however few the requests are; a request
        that is made again names the same room.
        """
        names, meta = case.path_parameters, case.meta
        if "code" not in names or (meta and meta.is_negative_at(ParameterLocation.PATH)):
            return
        turn = self.turns.setdefault(_asked(case), len(self.turns))
        around, place = divmod(turn, len(self.codes) + 2)
        if "match" in names and turn % 5:
            names["match"] = 1
        if place < len(self.codes):
            code = self.codes[place]
            names["code"] = code.lower() if around % 7 == 1 else code
        elif place == len(self.codes):
            names["code"] = self.server.open(self.ann)


@contextmanager
def before_each(*changes: Callable[[Case], None]) -> Iterator[None]:
    """Change every request before it is sent."""

    def before_call(context: schemathesis.HookContext, case: Case, kwargs: dict[str, Any]) -> None:
        for change in changes:
            change(case)

    schemathesis.hook(before_call)
    try:
        yield
    finally:
        schemathesis.hooks.unregister(before_call)


def _asked(case: Case) -> str:
    """The same for the same request."""
    return repr((case.operation.label, case.path_parameters, case.query, case.body))


def _by_cookie(case: Case) -> bool:
    return crc32(_asked(case).encode("utf-8", "surrogatepass")) % 3 == 0


def write_whole(case: Case) -> None:
    """To JSON Schema 5.0 is a whole number; the protocol wants it without a point."""

    def whole(value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, list):
            return [whole(item) for item in value]
        if isinstance(value, dict):
            return {key: whole(item) for key, item in value.items()}
        return value

    written = whole(case.body)
    if repr(written) != repr(case.body):
        case.body = written


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with live_server(tmp_path_factory.mktemp("openapi"), PACE) as server:
        yield World(server)
        assert server.complaints.lines == []


# Asking for what is described


class Run:
    """What came of all requests of a run."""

    def __init__(self, world: World, phases: tuple[str, ...], examples: int, seed: int | None):
        self.world = world
        self.phases = phases
        self.examples = examples
        self.seed = seed
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.problems: list[str] = []

    def ask(self, *names: str) -> None:
        """For these operations, or for all."""
        world = self.world
        url = f"{world.server.url}/api/openapi.json"
        schema = schemathesis.openapi.from_url(url, config=self._config())
        schema.validate()

        class Token:
            """With a bearer token, or as a browser would."""

            def get(self, case: Case, _: schemathesis.AuthContext) -> str:
                return world.guest(case)

            def set(self, case: Case, data: str, _: schemathesis.AuthContext) -> None:
                if _by_cookie(case):
                    case.cookies[COOKIE] = data
                    case.headers["Origin"] = world.server.url
                else:
                    case.headers["Authorization"] = f"Bearer {data}"

        schema.auth(refresh_interval=None)(Token)
        chosen = schema.include(operation_id=list(names)) if names else schema
        for event in engine.from_schema(chosen).execute():
            self._take(event)

    def _config(self) -> schemathesis.Config:
        generation: dict[str, Any] = {"max-examples": self.examples, "database": "none"}
        seed = {} if self.seed is None else {"seed": self.seed}
        return schemathesis.Config.from_dict(
            {
                **seed,
                "base-url": self.world.server.url,
                "continue-on-failure": True,
                "request-timeout": PATIENCE,
                "generation": {**generation, "deterministic": self.seed is not None},
                "checks": {
                    # What is well said may be impossible: options that contradict each other.
                    "positive_data_acceptance": {
                        "expected-statuses": ["2xx", "401", "403", "404", "409", "422"]
                    },
                    "negative_data_rejection": {
                        "expected-statuses": ["400", "401", "403", "404", "405", "409", "422"]
                    },
                },
                "phases": {"enabled": False, **{name: {"enabled": True} for name in self.phases}},
            }
        )

    def _take(self, event: events.EngineEvent) -> None:
        match event:
            case events.ScenarioFinished():
                self._look_at(event.recorder)
            case events.NonFatalError():
                self.problems.append(f"{event.label}: {event.value!r}")
            case events.FatalError():
                raise event.exception
            case events.SchemaAnalysisWarnings():
                self.problems += map(repr, event.warnings)

    def _look_at(self, recorder: ScenarioRecorder) -> None:
        for id_, node in recorder.cases.items():
            answer = recorder.interactions[id_].response
            assert answer is not None, "the server answers"
            operation = node.value.operation.definition.raw["operationId"]
            self.statuses[operation, answer.status_code] += 1
            if answer.status_code == 405:
                assert set(answer.headers["allow"][0].split(", ")) == allowed(node.value.path)
                assert answer.json()["code"] == "method-not-allowed"
        for id_, checks in recorder.checks.items():
            for check in checks:
                if found := check.failure_info:
                    answer = recorder.interactions[id_].response
                    body = b"" if answer is None or answer.content is None else answer.content[:500]
                    lines = (found.failure.title, found.failure.message, found.code_sample, body)
                    self.problems.append("\n".join(map(str, lines)))


def allowed(path: str) -> set[str]:
    methods = {operation.method for operation in OPERATIONS if path_of(operation) == path}
    return methods | {"HEAD"} if "GET" in methods else methods


def check_operation(
    world: World, operation: Operation, examples: int, seed: int | None = None
) -> None:
    run = Run(world, ("coverage", "fuzzing"), examples, seed)
    with before_each(world.name, write_whole):
        run.ask(operation.name)
    assert not run.problems, "\n\n".join(run.problems[:20])
    wanted = {operation.status.value} | ({400} if operation.body else set())
    assert {(operation.name, status) for status in wanted} <= set(run.statuses), run.statuses


def check_stories(world: World, examples: int, seed: int | None = None) -> None:
    run = Run(world, ("stateful",), examples, seed)
    with before_each(write_whole):
        run.ask()
    assert not run.problems, "\n\n".join(run.problems[:20])
    linked = {("new_room", 201), ("room", 200), ("sit", 201), ("games", 200)}
    assert linked <= set(run.statuses), run.statuses


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_is_as_described(world: World, operation: Operation) -> None:
    # So much depends on who and where.
    many = operation.has_room and (operation.body is not None or operation.query is not None)
    check_operation(world, operation, 40 if many else 10, seed=4)


def test_operations_go_together_as_described(world: World) -> None:
    check_stories(world, 10, seed=4)


@pytest.mark.soak
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_soak_an_operation_is_as_described(world: World, operation: Operation) -> None:
    check_operation(world, operation, SOAK_REQUESTS)


@pytest.mark.soak
def test_soak_operations_go_together_as_described(world: World) -> None:
    check_stories(world, SOAK_REQUESTS // 4)


# Methods


@pytest.mark.parametrize("path", sorted({path_of(operation) for operation in OPERATIONS}))
def test_a_path_has_the_methods_that_are_described(world: World, path: str) -> None:
    code = world.codes[3]
    there = path.replace("{code}", code).replace("{match}", "1")
    for method in METHODS:
        if method not in allowed(path):
            answer = world.server.request(method, there, token=world.ann)
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == allowed(path)


@pytest.mark.parametrize(
    "operation",
    [operation for operation in OPERATIONS if operation.method == "GET"],
    ids=lambda operation: operation.name,
)
def test_the_head_of_an_answer_is_its_beginning(world: World, operation: Operation) -> None:
    path = path_of(operation).replace("{code}", world.codes[3]).replace("{match}", "1")
    whole = world.server.request("GET", path, token=world.ann)
    head = world.server.request("HEAD", path, token=world.ann)
    assert (whole.status_code, head.status_code, head.content) == (200, 200, b"")
    ignored = {"date", "content-length"} if operation.name == "metrics" else {"date"}
    first, second = (
        {name: value for name, value in answer.headers.items() if name not in ignored}
        for answer in (whole, head)
    )
    assert first == second
