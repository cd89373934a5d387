"""`python -m tilerummy.cli` is the command `tilerummy`."""

from tilerummy.cli.main import run

run()
