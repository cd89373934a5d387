"""A Ray cluster gives the same bytes as this process does."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("ray")

ARGUMENTS = ("lab", "tournament", "-b", "solver,simple", "-e", "taiwan", "-g", "8", "--json")


@pytest.mark.skipif(sys.platform == "win32", reason="Ray needs more than one command there")
def test_two_nodes_started_by_one_command_give_the_same_bytes() -> None:
    alone = subprocess.run(
        [sys.executable, "-m", "tilerummy.cli", *ARGUMENTS, "--workers", "1"],
        capture_output=True,
        check=True,
    )
    cluster = [sys.executable, "-m", "tools.ray_cluster"]
    command = [sys.executable, "-m", "tilerummy.cli", *ARGUMENTS, "--ray", "ADDRESS"]
    run = subprocess.run([*cluster, *command], capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout == alone.stdout


def test_an_address_without_a_cluster_is_an_error_that_says_what_to_do() -> None:
    command = [sys.executable, "-m", "tilerummy.cli", *ARGUMENTS, "--lang", "en"]
    run = subprocess.run([*command, "--ray", "127.0.0.1:1"], capture_output=True, text=True)
    assert run.returncode == 2
    assert "no Ray cluster at '127.0.0.1:1'" in run.stderr
    assert "ray start --head" in run.stderr
