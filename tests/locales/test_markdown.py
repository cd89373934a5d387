import subprocess
import sys
from pathlib import Path

import pytest

from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import rulebook
from tilerummy.locales.rulebook.markdown import render_markdown, render_page
from tilerummy.rules.editions import EDITIONS, TWIST

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
HOW = "python -m tilerummy.locales.rulebook docs/rules.md"


def test_the_page_of_rules_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page("en"), f"stale: run {HOW}"


def test_the_command_that_the_page_names_makes_it(tmp_path: Path) -> None:
    assert HOW in PAGE.read_text(encoding="utf-8")
    made = tmp_path / "rules.md"
    command = [sys.executable, "-m", "tilerummy.locales.rulebook", str(made)]
    subprocess.run(command, check=True)
    assert made.read_bytes() == PAGE.read_bytes()


def test_the_command_without_a_file_explains_itself() -> None:
    command = [sys.executable, "-m", "tilerummy.locales.rulebook"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("usage:")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_markdown_has_every_section(name: str, language: str) -> None:
    text = render_markdown(EDITIONS[name], language)
    titles = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert titles == [section.title for section in rulebook(EDITIONS[name], language)]


def test_examples_become_tables() -> None:
    text = render_markdown(TWIST, "en")
    assert (
        "| ✓ | `r7 M r7` | mirror pair | 14 | The smallest mirror: two identical tiles. |" in text
    )
    assert "| ✗ | `r7 b1` | `r5 r6 J` | `r5 r6 r7` | The joker may not go to the rack. |" in text
    assert "| C | `J k2` | −32 |" in text


def test_every_table_has_as_many_cells_in_every_line() -> None:
    for block in render_page("en").split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_page_is_rendered_in_every_language() -> None:
    pages = {render_page(language) for language in LANGUAGES}
    assert len(pages) == len(LANGUAGES)


def test_the_page_tells_of_every_edition_only_what_differs() -> None:
    page = render_page("en")
    taiwan = page.split("\n## Taiwan\n")[1].split("\n## ")[0]
    assert "### When the pool is empty" in taiwan
    assert "### Groups" not in taiwan
