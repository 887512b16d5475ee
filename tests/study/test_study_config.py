"""The study file: the template is valid and complete, and every wrong value is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.study.config import Config, read_config, template
from engine.study.exclusions import RULES
from tests.study.study_world import changed


def written(folder: Path, text: str) -> Path:
    path = folder / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def keys_of(struct: type, at: str = "") -> set[str]:
    """Return the dotted keys that a study file may have, one level deep."""
    return {f"{at}{name}" for name in struct.__struct_fields__}  # type: ignore[attr-defined]


def test_the_template_is_valid_and_names_every_key(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, template()))
    assert keys_of(Config) <= set(template().replace(":", "").split())
    for part in (config.design, config.time, config.resume, config.practice, config.analysis, config.people):
        assert keys_of(type(part)) <= {line.strip().partition(":")[0] for line in template().splitlines()}
    assert all(use.rule in RULES for use in config.analysis.exclusions)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("people", "0", "design.people is 0; 1 to 100000"),
        ("people", "many", "design.people"),
        ("raters_per_item", "-1", "raters_per_item"),
        ("dropout_percent", "95", "dropout_percent is 95; 0 to 90"),
        ("order", "alphabetic", "design.order"),
        ("policy", "maybe", "resume.policy"),
        ("aids", "[A0, A0]", "aids is ['A0', 'A0']"),
        ("aids", "[A9]", "aids"),
        ("family", "instruction-adherence", "family is 'instruction-adherence'; one of all, hidden-systems is right"),
        ("aids", "[A1, A2]", "analysis.primary.aid is 'A0'; one of aids, A1, A2"),
        ("packs", "[]", "packs is []"),
        ("name", "my study", "name is 'my study'"),
        ("alpha", '"5%"', "alpha is '5%'"),
        ("alpha", '"0.0"', "alpha"),
        ("right", "4", "comprehension question 1: right is 4; 1 to 3"),
        ("resamples", "10", "analysis.resamples is 10; 200"),
        ("on_fail", "laugh", "on_fail"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, key: str, value: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_config(written(tmp_path, changed(template(), key, value)))
    assert said in caught.value.line() and "\n" not in caught.value.line()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title:", "titel:", "titel"),
        ("time:", "name: again\ntime:", "occurs twice"),
        ('options: ["no", "yes"]', 'options: ["no"]', "2 to 9"),
        ("code: is_author", "code: prior_exposure", "different small letters"),
        ("    You will solve", "", "consent"),
        ("name:", "\tname:", "not YAML"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = template()
    if old.strip() == "You will solve":
        start = text.index("  text: |")
        text = text[:start] + '  text: ""\n\n' + text[text.index("instructions:") :]
    else:
        text = text.replace(old, new, 1)
    with pytest.raises(UsageError) as caught:
        read_config(written(tmp_path, text))
    assert said in caught.value.line() and "\n" not in caught.value.line()


def test_a_file_that_is_not_there_names_the_way_to_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_config(tmp_path / "nothing.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        read_config(tmp_path / "bytes.yaml")
