"""Build hooks: the C extension of the solver and the page. pyproject.toml has everything else."""

import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

sys.path.insert(0, str(Path(__file__).resolve().parent))  # a build has no path to `tools`

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
    """Build the page; False if that fails. Like the kernel, it is optional for an installation."""
    try:
        page.build(fetch=False)
    except page.PageError as error:
        print(WITHOUT_PAGE.format(error=error), file=sys.stderr)
        return False
    return True


class BuildWithPage(build_py):
    def run(self) -> None:
        """An editable installation does not build the page: `make page` does."""
        complete = self.editable_mode or built_page()
        super().run()
        if not complete:  # a page of older sources may be left there
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
