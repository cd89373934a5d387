"""The Dockerfile as data: its stages and their instructions, to run them without an engine."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"


class Instruction(NamedTuple):
    word: str
    """`RUN`, `COPY`, ..."""
    text: str

    @property
    def arguments(self) -> list[str]:
        """The words of a `COPY`, an `ENV` or the JSON form of `CMD`."""
        if self.text.startswith("["):
            found: list[str] = json.loads(self.text)
            return found
        return shlex.split(self.text)


@dataclass
class Stage:
    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, word: str) -> list[Instruction]:
        return [each for each in self.instructions if each.word == word]

    def one(self, word: str) -> Instruction:
        (found,) = self.all(word)
        return found

    @property
    def environment(self) -> dict[str, str]:
        words = [word for each in self.all("ENV") for word in each.arguments]
        return dict(word.split("=", 1) for word in words)


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r" *\\\n\s*", " ", text)
    found: list[Stage] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name))
        else:
            found[-1].instructions.append(Instruction(word, rest.strip()))
    return found


def copy_context(source: str, target: Path) -> None:
    """Copy a file or a folder of the build context, without what `.dockerignore` leaves out."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    ignored = [line.removeprefix("**/") for line in lines if line.startswith("**/")]
    path = ROOT / source
    if path.is_dir():
        skip = lambda _, names: {n for n in names for i in ignored if fnmatch.fnmatch(n, i)}  # noqa: E731
        shutil.copytree(path, target, ignore=skip, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
