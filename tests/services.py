"""Test services: PostgreSQL and Redis, each as a child process on a free port in its own temporary
directory.

    with Redis() as redis:
        print(redis.url)

A watchdog shell cleans up however the owner ends: it outlives the owner, ends the service and
removes the directory.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Self, TypedDict

HOST = "127.0.0.1"
# Below the ephemeral port range, so that no other process takes the port of a stopped service.
PORTS = range(20_000, 30_000)
SECONDS = 30

# Reads process ids, of which the last counts. The input ends when its writer does.
GUARD = """
while read -r line; do pid=$line; done
if [ "$pid" ] && kill -s "$2" "$pid"; then
    tries=0
    while kill -s 0 "$pid" && [ $tries -lt 60 ]; do tries=$((tries + 1)); sleep 0.1; done
    kill -s KILL "$pid"
fi
rm -rf "$1"
"""


class Switch(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]


class ServiceError(Exception):
    """A service is missing or does not start."""


def free_port() -> int:
    while True:
        # The workers may share the seed of `random`, and must not share ports.
        port = secrets.choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port


def account() -> tuple[int, int]:
    """User and group of the services: ours, unless we are root, which PostgreSQL rejects."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    accounts = {entry.pw_name: entry for entry in pwd.getpwall()}
    chosen = accounts.get("postgres", accounts["nobody"])
    return chosen.pw_uid, chosen.pw_gid


class Service(ABC):
    """A running server. `kill` simulates a crash. After `kill` or `stop`, `start` uses the same
    port again."""

    STOP: ClassVar[signal.Signals]
    KILL: ClassVar[signal.Signals]

    def __init__(self) -> None:
        self.port = free_port()
        self.secret = secrets.token_hex(16)
        self.uid, self.gid = account()
        self.process: subprocess.Popen[bytes] | None = None
        name = type(self).__name__.lower()
        self.directory = Path(tempfile.mkdtemp(prefix=f"tilerummy-{name}-"))
        self.guard = subprocess.Popen(
            ["sh", "-c", GUARD, "guard", self.directory, self.KILL.name.removeprefix("SIG")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def prepare(self) -> None:
        """Fill the directory."""

    @abstractmethod
    def command(self) -> list[str | Path]: ...

    @abstractmethod
    def ready(self) -> bool: ...

    def environ(self) -> dict[str, str]:
        """The environment variables of the programs of the service."""
        return {}

    def start(self) -> None:
        """Start the service unless it runs, and wait until it answers."""
        if self.process:
            return
        self.process = self.spawn(self.command(), new_session=True)
        self.tell_guard(str(self.process.pid))
        deadline = time.monotonic() + SECONDS
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise ServiceError(f"{self.process.args!r} does not start:\n{self.log()}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Let the service close its connections and end."""
        self.end(self.STOP)

    def kill(self) -> None:
        """Kill the service, which simulates a crash."""
        self.end(self.KILL)

    def close(self) -> None:
        """End the service for good."""
        self.end(self.KILL)
        self.guard.communicate()

    def end(self, how: signal.Signals) -> None:
        if not self.process:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
        self.tell_guard("")

    def tell_guard(self, pid: str) -> None:
        assert self.guard.stdin
        self.guard.stdin.write(f"{pid}\n".encode())
        self.guard.stdin.flush()

    def spawn(
        self, command: list[str | Path], *, new_session: bool = False
    ) -> subprocess.Popen[bytes]:
        """Run a program as the account of the service; its output goes to the log.

        A Ctrl-C does not reach a session of its own: the owner decides when the service ends.
        """
        switch: Switch = {}
        if self.uid != os.geteuid():
            switch = {"user": self.uid, "group": self.gid, "extra_groups": []}
            for path in (self.directory, *self.directory.iterdir()):
                os.chown(path, self.uid, self.gid)
        with (self.directory / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=new_session,
                env={**os.environ, **self.environ()},
                **switch,
            )

    def run(self, command: list[str | Path]) -> None:
        with self.spawn(command) as process:
            if process.wait():
                raise ServiceError(f"{command!r} fails:\n{self.log()}")

    def log(self) -> str:
        return (self.directory / "log").read_text(errors="replace")

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.touch(mode=0o600)
        path.write_text(text)
        return path


class Redis(Service):
    """Redis without persistence: its data is lost when it ends."""

    STOP = signal.SIGTERM
    KILL = signal.SIGKILL

    @property
    def url(self) -> str:
        return f"redis://:{self.secret}@{HOST}:{self.port}/0"

    def prepare(self) -> None:
        lines = (
            f'bind {HOST}\nport {self.port}\nrequirepass {self.secret}\nsave ""\nappendonly no\n'
        )
        self.write("redis.conf", lines)

    def command(self) -> list[str | Path]:
        program = shutil.which("redis-server")
        if not program:
            raise ServiceError("redis-server is not in PATH; run tools/services")
        return [program, self.directory / "redis.conf"]

    def ready(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.port)) as client:
            client.sendall(f"AUTH {self.secret}\r\n".encode())
            return client.recv(16).startswith(b"+OK")
        return False


class Postgres(Service):
    """A PostgreSQL cluster. Its data outlives `stop` and `kill`."""

    STOP = signal.SIGINT  # ends open connections
    KILL = signal.SIGQUIT  # writes nothing more, and recovers at the next start

    @property
    def url(self) -> str:
        """The database for maintenance; tests take one of their own with `database`."""
        return self.address("postgres")

    def address(self, database: str) -> str:
        return f"postgresql://postgres:{self.secret}@{HOST}:{self.port}/{database}"

    def database(self) -> str:
        """Create an empty database and return its address."""
        name = f"test_{secrets.token_hex(8)}"
        self.run([self.program("createdb"), name])
        return self.address(name)

    def drop(self, url: str) -> None:
        """Drop a database, even with open connections."""
        self.run([self.program("dropdb"), "--force", url.rpartition("/")[2]])

    def program(self, name: str) -> Path:
        """A program of the PostgreSQL in PATH, otherwise of the newest Debian package."""
        in_path = shutil.which("initdb")
        debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
        newest = sorted(debian, key=lambda path: float(path.parts[-3]), reverse=True)
        for initdb in [Path(in_path).resolve(), *newest] if in_path else newest:
            if (initdb.parent / "postgres").exists():
                return initdb.parent / name
        raise ServiceError("PostgreSQL is not there; run tools/services")

    def environ(self) -> dict[str, str]:
        where = {"PGHOST": HOST, "PGPORT": str(self.port)}
        return {**where, "PGUSER": "postgres", "PGPASSWORD": self.secret}

    def prepare(self) -> None:
        secret = self.write("secret", self.secret)
        options = ["--username=postgres", "--auth=scram-sha-256", f"--pwfile={secret}"]
        options += ["--no-locale", "--encoding=UTF8", "--no-sync"]
        self.run([self.program("initdb"), *options, f"--pgdata={self.directory / 'data'}"])

    def command(self) -> list[str | Path]:
        settings = {"listen_addresses": HOST, "port": self.port, "unix_socket_directories": ""}
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [self.program("postgres"), "-D", self.directory / "data", *options]

    def ready(self) -> bool:
        assert self.process
        try:
            lines = (self.directory / "data" / "postmaster.pid").read_text().split()
        except FileNotFoundError:
            return False
        return lines[:1] == [str(self.process.pid)] and lines[-1] == "ready"
