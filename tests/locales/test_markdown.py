import subprocess
import sys
from pathlib import Path

import pytest

from tilerummy.locales import LANGUAGES
from tilerummy.locales.rulebook import rulebook
from tilerummy.locales.rulebook.markdown import page_name, render_markdown, render_page
from tilerummy.rules.editions import EDITIONS, SABRA, TWIST

DOCS = Path(__file__).resolve().parents[2] / "docs"
HOW = "python -m tilerummy.locales.rulebook docs"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_rules_is_up_to_date(language: str) -> None:
    page = (DOCS / page_name(language)).read_text(encoding="utf-8")
    assert page == render_page(language), f"stale: run {HOW}"


def test_the_command_that_the_pages_name_makes_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tilerummy.locales.rulebook", str(tmp_path)]
    subprocess.run(command, check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in DOCS.glob("rules*.md")}
    assert all(HOW in page.decode() for page in made.values())


def test_the_command_without_a_folder_explains_itself() -> None:
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
    assert "| ✗ | `r7 b1` | `r5 r6 J` | `r5 r6 r7` | The joker can't go to the rack. |" in text
    assert "| C | `J k2` | −32 |" in text


def test_a_score_sheet_becomes_a_table_with_two_sums() -> None:
    text = render_markdown(TWIST, "en")
    assert "| Game | A | B | C | D |\n| --- | --- | --- | --- | --- |\n" in text
    assert "| 3 | −32 | −13 | −2 | +47 |" in text
    assert "| **Total** | **−24** | **−54** | **+45** | **+33** |" in text
    assert "| **Games won** | **1** | **0** | **2** | **1** |" in text


def test_variations_become_a_list_with_their_options() -> None:
    text = render_markdown(SABRA, "en")
    assert "\n- Play goes counter-clockwise. `direction=ccw`\n" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_has_as_many_cells_in_every_line(language: str) -> None:
    for block in render_page(language).split("\n\n"):
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
