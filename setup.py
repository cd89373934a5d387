"""The compiled kernel of the solver. Everything else is told in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

KERNEL = Path("src/tilerummy/solver/kernel")

setup(
    ext_modules=[
        Extension(
            "tilerummy.solver._kernel",
            sources=sorted(path.as_posix() for path in KERNEL.glob("*.c")),
            depends=sorted(path.as_posix() for path in KERNEL.glob("*.h")),
            extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
            optional=True,  # without a compiler the solver runs in plain Python
        )
    ]
)
