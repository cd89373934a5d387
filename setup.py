"""The compiled kernel of the solver, and the page. Everything else is told in pyproject.toml."""

import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

sys.path.insert(0, str(Path(__file__).resolve().parent))  # a build gives us no path of our own

from tools import page

KERNEL = Path("src/tilerummy/solver/cover/kernel")
WITHOUT_PAGE = """
*******************************************************************************
  THE PAGE IS NOT BUILT, so that `tilerummy serve` has nothing for browsers.
  Everything else works. To get it, install again where Node and npm's registry
  can be reached. Why it failed:

{error}
*******************************************************************************
"""


def built_page() -> bool:
    """Whether the page is there. Like the kernel it is no reason to install nothing at all."""
    try:
        page.build(fetch=False)
    except page.PageError as error:
        print(WITHOUT_PAGE.format(error=error), file=sys.stderr)
        return False
    return True


class BuildWithPage(build_py):
    def run(self) -> None:
        """Whoever installs the sources themselves builds the page with `make page`."""
        complete = self.editable_mode or built_page()
        super().run()
        if not complete:  # one of older sources may lie there
            for folder in Path(self.build_lib).glob("**/server/page"):
                shutil.rmtree(folder)


class SourcesWithPage(sdist):
    def run(self) -> None:
        """Sources that bring the page with them can be installed without Node."""
        built_page()
        super().run()


setup(
    cmdclass={"build_py": BuildWithPage, "sdist": SourcesWithPage},
    ext_modules=[
        Extension(
            "tilerummy.solver.cover._kernel",
            sources=sorted(path.as_posix() for path in KERNEL.glob("*.c")),
            depends=sorted(path.as_posix() for path in KERNEL.rglob("*.h")),
            extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
            optional=True,  # without a compiler the solver runs in plain Python
        )
    ],
)
