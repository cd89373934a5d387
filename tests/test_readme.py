"""What the README shows is what the program does."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilerummy.cli.main import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def sessions() -> list[tuple[str, str]]:
    """The commands of the console blocks, each with the output shown below it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), sessions())
def test_readme_commands_print_what_is_shown(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "tilerummy"
    result = CliRunner().invoke(app, [*arguments, "--lang", "en"])
    assert result.output == output


def test_readme_python_gives_what_is_shown() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_readme_leads_with_the_two_commands() -> None:
    assert README.index("make play") < README.index("make test") < README.index("##")


def test_every_command_stands_in_the_readme() -> None:
    listed = [
        command.name or command.callback.__name__
        for command in app.registered_commands
        if command.callback
    ]
    listed += [str(group.name) for group in app.registered_groups]
    for name in listed:
        assert f"tilerummy {name}" in README


def test_links_of_the_documents_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
