"""Server harness: a server in its own process, on a free port, that can be killed and restarted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from tests.services import free_port

QUICK = {
    "TILERUMMY_LIMIT_JOINS": "9000/s",
    "TILERUMMY_LIMIT_HTTP": "9000/s",
    "TILERUMMY_LIMIT_REQUESTS": "9000/s",
    "TILERUMMY_LIMIT_MISSES": "9000/s",
    "TILERUMMY_LIMIT_PUBLIC_ROOMS": "9000/s",
    "TILERUMMY_LIMIT_RECORDS": "9000/s",
    "TILERUMMY_LIMIT_RECORDS_CPU": "9000/s",
    "TILERUMMY_LIMIT_RECORDS_AT_ONCE": "9000",
    "TILERUMMY_LIMIT_MESSAGES": "9000/s",
    "TILERUMMY_LIMIT_TCP_CONNECTIONS": "9000",
    "TILERUMMY_LIMIT_FRAMES": "9000/s",
    "TILERUMMY_LIMIT_COMMANDS": "9000/s",
    "TILERUMMY_LIMIT_ADDRESS_COMMANDS": "9000/s",
    "TILERUMMY_LIMIT_ADDRESS_CPU": "9000/s",
    "TILERUMMY_LIMIT_TALK": "9000/s",
    "TILERUMMY_LIMIT_ADDRESS_MESSAGES": "9000/s",
    "TILERUMMY_LIMIT_CONNECTIONS": "9000",
    "TILERUMMY_PACE_SEEDS": "200ms",
    "TILERUMMY_PACE_LOOK": "200ms",
    "TILERUMMY_PACE_BOT": "10ms",
    "TILERUMMY_PACE_PROOF": "60s",  # a slow machine proves as much as a quick one
    "TILERUMMY_BOT_WORKERS": "1",
}
"""Settings that avoid waiting in tests."""
ROOT = Path(__file__).parents[2]
START_SECONDS = 90.0
"""Two are enough on an idle machine; a busy one needs many times that."""


class ServerProcess:
    """`tilerummy serve`; use it as a context, or `start` and `stop` it."""

    def __init__(
        self,
        store: str,
        bus: str | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        quick: bool = True,
        seed: str = "",
        program: str | None = None,
    ) -> None:
        """A `quick` server deals by a seed (`tests.server.seeded`); any other is as players have
        it. `program` is a module that runs instead."""
        self._program = program
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._arguments = ["--port", str(self.port), "--store", store, "--log-level", "warning"]
        if bus is not None:
            self._arguments += ["--bus", bus]
        self._settings = {**(QUICK if quick else {}), **(settings or {})}
        self._seed = seed if quick else None
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers."""
        self.spawn()
        self.wait()

    def spawn(self) -> None:
        """Start it without waiting until it answers."""
        kept = {key: value for key, value in os.environ.items() if "TILERUMMY" not in key}
        program = ["tilerummy.cli"]
        if self._seed is not None:
            program = ["tests.server.seeded", self._seed, str(self._starts)]
        if self._program is not None:
            program = [self._program]
        self._starts += 1
        self._process = subprocess.Popen(
            [sys.executable, "-m", *program, "serve", *self._arguments],
            env={**kept, **self._settings},
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def wait(self) -> None:
        """Until it answers."""
        assert self._process is not None, "it was started"
        until = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode}")
            if time.monotonic() > until:
                self.kill()
                raise TimeoutError("the server does not answer")
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Kill it with its worker processes, as a power failure would."""
        self._end(signal.SIGKILL)

    def kill_alone(self) -> None:
        """Kill the server alone, as the OOM killer would: its worker processes must notice."""
        self._end_alone(signal.SIGKILL)

    def stop_alone(self) -> int:
        """Stop it as an operator would, whatever it does; returns the exit code.

        Raises TimeoutError if a worker process outlives it.
        """
        return self._end_alone(signal.SIGTERM)

    def _end_alone(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        assert process is not None, "it was started"
        process.send_signal(how)
        try:
            code = process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        until = time.monotonic() + START_SECONDS
        while _is_group(process.pid):
            if time.monotonic() > until:
                os.killpg(process.pid, signal.SIGKILL)
                raise TimeoutError("something outlives its server")
            time.sleep(0.02)
        return code

    def stop(self) -> int:
        """Stop it as an operator would; returns the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        if how is signal.SIGKILL:
            with suppress(ProcessLookupError):  # it has ended, and so have its workers
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.send_signal(how)
        try:
            return process.wait(30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self.kill()


@contextmanager
def running(*servers: ServerProcess) -> Iterator[list[ServerProcess]]:
    """Start several at the same time."""
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.kill)
            server.spawn()
        for server in servers:
            server.wait()
        yield list(servers)


def _is_group(leader: int) -> bool:
    """Whether a process of the group is still alive."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'server.sqlite'}"
