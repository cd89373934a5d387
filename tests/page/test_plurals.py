"""Terminal and page choose the same plural form."""

from __future__ import annotations

import json
import subprocess

from tilerummy.locales import LANGUAGES
from tilerummy.locales.plurals import PLURALS, plural_of
from tools.page import prepare

NUMBERS = range(250)
SCRIPT = """
const [tags, most] = JSON.parse(process.argv[1]);
const found = tags.map((tag) => {
  const rules = new Intl.PluralRules(tag);
  return [tag, Array.from({ length: most }, (_, number) => rules.select(number))];
});
console.log(JSON.stringify(Object.fromEntries(found)));
"""


def test_plural_categories_are_those_of_cldr() -> None:
    asked = json.dumps([[*PLURALS], len(NUMBERS)])
    command = [str(prepare().node), "-e", SCRIPT, asked]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    for tag, categories in json.loads(answer.stdout).items():
        assert [plural_of(tag)(number) for number in NUMBERS] == categories, tag


def test_every_language_has_a_plural_rule() -> None:
    assert all(plural_of(language) for language in LANGUAGES)
