"""The files of `deploy/` fit the program, and each other."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tilerummy.server.ops.settings import read_settings, unknown_variables

DEPLOY = Path(__file__).parent.parent / "deploy"
VALUES = {"SITE": "game.example", "POSTGRES_PASSWORD": "abc123"}


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def filled(text: str) -> str:
    """With the variables that its caller sets."""
    return re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: VALUES[found[1]], text)


def composed() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(filled(text_of("compose.yaml")))
    return found


def variables_of(text: str) -> dict[str, str]:
    return dict(re.findall(r"^#?(TILERUMMY_\w+)=(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize("commented", [False, True])
def test_the_example_of_an_environment_can_be_read(commented: bool) -> None:
    text = text_of("tilerummy.env")
    environ = variables_of(text if commented else re.sub(r"^#.*", "", text, flags=re.MULTILINE))
    assert len(environ) == (6 if commented else 3)
    assert unknown_variables(environ) == []
    settings = read_settings({}, environ)
    assert settings.tls
    assert settings.warnings() == []


def test_the_nodes_of_the_compose_file_share_what_they_need() -> None:
    services = composed()["services"]
    assert set(services) == {"node1", "node2", "proxy", "postgres", "redis"}
    for name in ("node1", "node2"):
        environ = services[name]["environment"]
        assert unknown_variables(environ) == []
        settings = read_settings({}, environ)
        assert settings.warnings() == []
        assert settings.public_url == "https://game.example"
        assert settings.store == "postgresql://tilerummy:abc123@postgres/tilerummy"
        assert settings.bus == "redis://redis:6379/0"
        assert services[name]["networks"] == ["inside"]
        assert "ports" not in services[name]
    environ = services["postgres"]["environment"]
    assert environ == {
        "POSTGRES_USER": "tilerummy",
        "POSTGRES_DB": "tilerummy",
        "POSTGRES_PASSWORD": "abc123",
    }
    assert services["proxy"]["environment"]["UPSTREAMS"] == "node1:8000 node2:8000"


def test_the_nodes_believe_the_network_of_the_proxy() -> None:
    found = composed()
    subnet = found["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert found["services"]["node1"]["environment"]["TILERUMMY_PROXIES"] == subnet
    assert "inside" in found["services"]["proxy"]["networks"]
    assert found["networks"]["inside"]["internal"] is True


def test_images_are_named_without_a_host() -> None:
    images = [service["image"] for service in composed()["services"].values()]
    images += re.findall(r"^FROM (\S+)", text_of("Dockerfile"), re.MULTILINE)
    assert len(images) == 7
    assert not [image for image in images if "/" in image]


def test_files_that_the_image_copies_are_there_and_sent() -> None:
    root = DEPLOY.parent
    sent = {
        line[1:] for line in (root / ".dockerignore").read_text().splitlines() if line[0] == "!"
    }
    copied = [
        word
        for line in re.findall(r"^COPY (?!--)(.*)", text_of("Dockerfile"), re.MULTILINE)
        for word in line.split()[:-1]
    ]
    assert set(copied) == sent
    assert all((root / name).exists() for name in copied)


def pins(path: Path) -> set[str]:
    """`name==version` with its hashes."""
    text = re.sub(r"^ *#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[\s\\]+", " ", entry).strip() for entry in re.split(r"\n(?=\S)", text)}


def test_the_lock_of_the_server_is_a_part_of_the_whole_one() -> None:
    ours = pins(DEPLOY / "requirements.lock")
    names = {re.split("==", pin)[0] for pin in ours}
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["server"]
    assert {re.split(r"[^\w-]", line)[0] for line in needed} <= names, "stale: run `make lock`"
    assert ours <= pins(DEPLOY.parent / "requirements.lock")
    assert all("--hash=sha256:" in pin for pin in ours)


def test_the_unit_keeps_the_server_in_its_place() -> None:
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text_of("tilerummy.service"))
    service = unit["Service"]
    wanted = {
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "DynamicUser": "yes",
        "StateDirectory": "tilerummy",
        "Restart": "on-failure",
        "KillSignal": "SIGTERM",
    }
    assert {name: service[name] for name in wanted} == wanted
    assert "MemoryMax" in service
    folder = f"/var/lib/{service['StateDirectory']}/"
    assert (
        folder in variables_of(text_of("tilerummy.env").replace("\n#", "\n# "))["TILERUMMY_STORE"]
    )


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "tilerummy.service"
    unit.write_text(re.sub("ExecStart=.*", "ExecStart=/bin/true", text_of("tilerummy.service")))
    run = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", unit],
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")
