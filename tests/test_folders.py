"""Where a user's files are kept."""

import sys
from pathlib import Path

import pytest

from tilerummy.folders import data_dir


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, "/home/ann/.local/share/tilerummy"),
        ("linux", {"XDG_DATA_HOME": ""}, "/home/ann/.local/share/tilerummy"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/tilerummy"),
        ("darwin", {}, "/home/ann/Library/Application Support/tilerummy"),
        ("win32", {}, "/home/ann/AppData/Local/tilerummy"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/tilerummy"),
    ],
)
def test_the_customs_of_each_system(
    platform: str, environ: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("HOME", "/home/ann")
    assert data_dir(environ) == Path(expected)
