"""The image of a node: its Dockerfile is consistent, its steps run, and so does the container.

Without an engine, the steps of the Dockerfile run in a temporary folder instead of an image. Steps
that change the system (`apt-get`, `useradd`) are left out.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.dockerfile import DOCKERFILE, ROOT, Instruction, copy_context, stages
from tests.services import free_port
from tilerummy.server.ops.settings import read_settings, unknown_variables

BUILD, FINAL = stages(DOCKERFILE.read_text("utf-8"))
SYSTEM = ("apt-get", "useradd")
SECONDS = 120.0


# What the file says


@pytest.mark.parametrize(
    "step", BUILD.all("RUN") + FINAL.all("RUN"), ids=lambda step: step.text[:40]
)
def test_every_step_is_a_script_of_a_shell(step: Instruction) -> None:
    run = subprocess.run(["sh", "-n"], input=step.text, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_image_has_a_python_that_the_package_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    least = tuple(map(int, re.findall(r"\d+", project["requires-python"])))
    for stage in (BUILD, FINAL):
        found = re.fullmatch(r"python:(\d+)\.(\d+)-slim", stage.base)
        assert found
        assert tuple(map(int, found.groups())) >= least
    assert BUILD.base == FINAL.base, "the environment is copied from one to the other"


def test_a_node_starts_with_settings_that_exist_and_without_privileges() -> None:
    environ = {name: v for name, v in FINAL.environment.items() if name.startswith("TILERUMMY_")}
    assert unknown_variables(environ) == []
    settings = read_settings({}, environ)
    assert settings.host == "0.0.0.0"
    assert str(settings.port) == FINAL.one("EXPOSE").text
    folder = FINAL.one("VOLUME").text
    assert settings.store == f"sqlite:///{folder}/server.sqlite"
    assert FINAL.one("WORKDIR").text == folder
    assert FINAL.one("USER").text == "tilerummy"
    words = [each.word for each in FINAL.instructions]
    assert words.index("RUN") < words.index("USER"), "later steps would lack the rights"
    assert FINAL.one("ENTRYPOINT").arguments + FINAL.one("CMD").arguments == ["tilerummy", "serve"]
    assert FINAL.one("STOPSIGNAL").text == "SIGTERM"
    assert f"127.0.0.1:{settings.port}/healthz" in FINAL.one("HEALTHCHECK").text


def test_the_image_is_checked_for_missing_parts_when_it_is_built() -> None:
    assert BUILD.all("RUN")[-1].text.endswith("tilerummy doctor --server")


def test_the_image_gets_the_documents_that_the_page_is_generated_from() -> None:
    copied = {word for step in BUILD.all("COPY") for word in step.arguments}
    read = {
        f"docs/{name}"
        for path in (ROOT / "tools").glob("*.py")
        for name in re.findall(r"[\w.]+\.json", path.read_text("utf-8"))
        if (ROOT / "docs" / name).exists()
    }
    assert read
    assert read <= copied


# What the steps do


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of an image in which the steps of the first stage have run."""
    root = tmp_path_factory.mktemp("image")
    bin_folder = root / "bin"
    bin_folder.mkdir()
    (bin_folder / "python").symlink_to(sys.executable)
    environ = {**os.environ, **BUILD.environment, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    environ.pop("PYTHONPATH", None)
    # Without this, a venv of a venv would use its packages.
    environ.pop("VIRTUAL_ENV", None)
    here = root
    for step in BUILD.instructions:
        match step.word:
            case "WORKDIR":
                here = root / step.text.lstrip("/")
                here.mkdir(parents=True)
            case "COPY":
                *sources, target = step.arguments
                for source in sources:
                    name = Path(source).name if target.endswith("/") else ""
                    copy_context(source, here / target / name)
            case "RUN" if not step.text.startswith(SYSTEM):
                script = re.sub(r"(?<=[\s'])/opt/", f"{root}/opt/", f" {step.text}")
                run = subprocess.run(
                    ["sh", "-ec", script], cwd=here, env=environ, capture_output=True, text=True
                )
                assert run.returncode == 0, (
                    f"{step.text}\n{run.stdout[-3000:]}\n{run.stderr[-3000:]}"
                )
            case _:
                pass
    return root


@contextmanager
def served(root: Path, folder: Path) -> Iterator[int]:
    """The entry point of the image, in a folder that is its volume; its port."""
    port = free_port()
    volume = FINAL.one("VOLUME").text
    environ = {
        name: value.replace(volume, str(folder)).replace("/opt/", f"{root}/opt/")
        for name, value in FINAL.environment.items()
    }
    environ |= {"TILERUMMY_PORT": str(port), "TILERUMMY_HOST": "127.0.0.1"}
    environ["PATH"] = environ["PATH"].replace("$PATH", os.environ["PATH"])
    command = FINAL.one("ENTRYPOINT").arguments + FINAL.one("CMD").arguments
    program = shutil.which(command[0], path=environ["PATH"])
    assert program is not None
    assert program.startswith(str(root))
    with subprocess.Popen(
        [program, *command[1:]], env=environ, cwd=folder, stdout=subprocess.DEVNULL
    ) as node:
        try:
            check = FINAL.one("HEALTHCHECK").text.partition("CMD ")[2]
            arguments = Instruction("CMD", check.replace(":8000/", f":{port}/")).arguments
            deadline = time.monotonic() + SECONDS
            while subprocess.run(arguments, env=environ, capture_output=True).returncode:
                assert node.poll() is None, "the node has ended"
                assert time.monotonic() < deadline, "the node is not healthy"
                time.sleep(0.2)
            yield port
            node.send_signal(signal.SIGTERM)
            assert node.wait(SECONDS) == 0
        finally:
            node.kill()


def fetched(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        found: str = answer.read().decode()
        return found


@pytest.mark.soak
def test_the_steps_of_the_image_run_and_its_entry_point_serves_the_page(
    installed: Path, tmp_path: Path
) -> None:
    with served(installed, tmp_path) as port:
        assert "<title>" in fetched(port, "/")
        assert '"ok"' in fetched(port, "/readyz")
    assert (tmp_path / "server.sqlite").stat().st_mode & 0o777 == 0o600


# The container


def engine() -> str | None:
    """A container engine that answers."""
    for name in ("docker", "podman"):
        if (path := shutil.which(name)) and not subprocess.run(
            [path, "info"], capture_output=True, timeout=SECONDS
        ).returncode:
            return path
    return None


@pytest.mark.soak
def test_a_container_serves_and_ends_well() -> None:
    program = engine()
    if program is None:
        pytest.skip("no container engine answers: neither `docker info` nor `podman info` succeeds")
    tag, port = f"tilerummy-test-{os.getpid()}", free_port()
    build = [program, "build", "-f", str(DOCKERFILE), "-t", tag, str(ROOT)]
    subprocess.run(build, check=True)
    limits = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"]
    start = [program, "run", "-d", "--name", tag, "-p", f"127.0.0.1:{port}:8000", *limits, tag]
    try:
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                assert '"ok"' in fetched(port, "/readyz")
                break
            except OSError:
                assert time.monotonic() < deadline, "the container does not answer"
                time.sleep(0.2)
        assert "<title>" in fetched(port, "/")
        subprocess.run([program, "stop", tag], check=True, stdout=subprocess.DEVNULL)
        ended = [program, "inspect", "--format", "{{.State.ExitCode}}", tag]
        assert subprocess.run(ended, capture_output=True, text=True).stdout.strip() == "0"
    finally:
        subprocess.run([program, "rm", "-f", tag], capture_output=True)
        subprocess.run([program, "rmi", "-f", tag], capture_output=True)
