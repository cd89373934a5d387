"""A Ray cluster of two nodes on this machine: `make ray`.

Without a command it runs until Ctrl-C. With one, it runs the command and ends with it; the word
ADDRESS in the command becomes the address of the cluster:

    python -m tools.ray_cluster tilerummy lab tournament --bots solver,simple --ray ADDRESS

Each node is a child process that ends its own processes. `ray stop` would end those of every other
cluster on the machine, too.
"""

from __future__ import annotations

import logging
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

BIN = Path(sys.executable).parent
NODES = 2
TRIES = 5
PORTS = (20_000, 30_000)
START_SECONDS = 120.0
STOP_SECONDS = 30.0
ADDRESS = "ADDRESS"
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_IMPORT_WARNING": "1"}


@contextmanager
def cluster(cpus: int = 1) -> Iterator[str]:
    """The address of a cluster whose nodes have so many workers each."""
    with ExitStack() as stack:
        # Names of Unix sockets are short, so their folder cannot be deep.
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True)
        )
        log = stack.enter_context((Path(folder) / "start.log").open("w+b"))
        head = ("--head", "--include-dashboard=false", f"--temp-dir={folder}")
        for _ in range(TRIES):
            port = _free_port()
            node = _start(log, cpus, *head, f"--port={port}")
            stack.callback(_stop, node)
            if _listens(port, node):
                break
        else:
            log.seek(0)
            sys.exit(f"error: Ray does not start:\n{log.read().decode(errors='replace')}")
        address = f"127.0.0.1:{port}"
        for _ in range(NODES - 1):
            stack.callback(_stop, _start(log, cpus, f"--address={address}"))
        _wait_for_nodes(address)
        yield address


def _start(log: BinaryIO, cpus: int, *options: str) -> subprocess.Popen[bytes]:
    where = "--node-ip-address=127.0.0.1"
    command = [str(BIN / "ray"), "start", "--block", where, f"--num-cpus={cpus}", *options]
    return subprocess.Popen(command, env=os.environ | QUIET, stdout=log, stderr=log)


def _listens(port: int, node: subprocess.Popen[bytes]) -> bool:
    """Waits until the head listens, or has ended: another program may have taken its port."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and node.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.2)
    return False


def _wait_for_nodes(address: str) -> None:
    import ray

    end = time.monotonic() + START_SECONDS
    ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        while sum(node["Alive"] for node in ray.nodes()) < NODES:  # type: ignore[no-untyped-call]
            if time.monotonic() > end:
                sys.exit(f"error: the Ray cluster has fewer than {NODES} nodes")
            time.sleep(0.2)
    finally:
        ray.shutdown()


def _stop(node: subprocess.Popen[bytes]) -> None:
    node.terminate()
    try:
        node.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        node.kill()
        node.wait()


def _free_port() -> int:
    """Not one that the system gives to outgoing connections: it may be taken a moment later."""
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def main() -> int:
    command = sys.argv[1:]
    with cluster() as address:
        if command:
            path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
            words = [address if word == ADDRESS else word for word in command]
            return subprocess.run(words, env=os.environ | QUIET | {"PATH": path}).returncode
        print(f"Ray cluster of {NODES} nodes: --ray {address}\nCtrl-C ends it.", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
