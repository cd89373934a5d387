from typer.testing import CliRunner

import tilerummy
from tilerummy.cli.main import app


def test_version_option_prints_the_version_and_leaves() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout == f"tilerummy {tilerummy.__version__}\n"


def test_help_names_the_game() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    assert "Rummikub" in result.stdout
