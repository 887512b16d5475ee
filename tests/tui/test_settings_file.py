"""The settings file: what it may say, what wins over what, and one line for whatever is wrong with it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from tui.config import KINDS, Config, read_config
from tui.themes import OWN, check_theme


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_file_and_variables_all_is_default(file: Path) -> None:
    assert read_config(str(file), {}) == Config(file=str(file))
    assert Config().players and Config().streak and not Config().theme


def test_the_file_is_read_and_the_environment_wins(file: Path) -> None:
    file.write_text('theme = "clew-light"\nplayer = "Ada"\nplayers = false\nstreak = false\n')
    config = read_config(str(file), {"CLEW_THEME": "nord", "CLEW_PLAYERS": "On", "CLEW_STREAK": ""})
    assert (config.theme, config.player, config.players, config.streak) == ("nord", "Ada", True, False)
    assert [config.source(key) for key in ("theme", "player", "players", "streak")] == [
        "CLEW_THEME", str(file), "CLEW_PLAYERS", str(file),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("theme = 3\n", ("theme is 3", "in quotes")),
        ("theme = ''\n", ("theme is ''", "in quotes")),
        ("player = ''\n", ("player is ''", "in quotes")),
        ("players = 'yes'\n", ("players is 'yes'", "true or false")),
        ("streak = 1\n", ("streak is 1", "true or false")),
        ("colour = 'red'\n", ("'colour' is no setting", "theme, player, players, streak")),
        ("[theme]\nname = 'x'\n", ("theme is {'name': 'x'}", "in quotes")),
        ("theme = \n", ("not TOML", "line 1")),
        ("theme = 'a'\ntheme = 'b'\n", ("not TOML", "line 2")),
    ],
)
def test_what_is_wrong_is_one_line_with_place_value_and_remedy(file: Path, text: str, said: tuple[str, ...]) -> None:
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_config(str(file), {})
    line = caught.value.line()
    assert line.startswith(str(file)) and all(part in line for part in said) and "\n" not in line
    assert caught.value.exit_code == 2


def test_bytes_that_are_no_text_are_told_with_their_place(file: Path) -> None:
    file.write_bytes(b'theme = "\xff"\n')
    with pytest.raises(UsageError, match="byte 10 is not UTF-8"):
        read_config(str(file), {})


def test_a_folder_in_its_place_is_told(file: Path) -> None:
    file.mkdir()
    with pytest.raises(UsageError, match="a settings file that can be read"):
        read_config(str(file), {})


@pytest.mark.parametrize(("name", "value"), [("CLEW_PLAYERS", "maybe"), ("CLEW_STREAK", "1")])
def test_a_switch_of_the_environment_is_on_or_off(file: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: .* is '{value}'; on or off is right"):
        read_config(str(file), {name: value})


def test_a_file_that_was_named_has_to_be_there(file: Path) -> None:
    with pytest.raises(UsageError, match="CLEW_CONFIG"):
        read_config(str(file), {"CLEW_CONFIG": str(file)})
    file.write_text("")
    assert read_config(str(file), {"CLEW_CONFIG": str(file)}).sources == ()


def test_only_themes_that_there_are(file: Path) -> None:
    for name in ("", "nord", *(theme.name for theme in OWN)):
        check_theme(name, "here")
    with pytest.raises(UsageError, match="here: theme is 'clew-drak'; clew-dark, clew-light"):
        check_theme("clew-drak", "here")


@given(st.binary(max_size=60))
def test_any_bytes_are_settings_or_one_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(data)
    try:
        read_config(str(path), {})
    except UsageError as error:
        assert "\n" not in error.line()


def test_the_documented_file_is_a_settings_file(file: Path) -> None:
    playing = (Path(__file__).parent.parent.parent / "docs" / "playing.md").read_text(encoding="utf-8")
    sample = playing.split("```toml\n")[1].split("```")[0]
    assert set(tomllib.loads(sample)) == set(KINDS), "every key is documented, and no other"
    file.write_text(sample)
    check_theme(read_config(str(file), {}).theme, str(file))
    assert all(f"CLEW_{key.upper()}" in playing for key in KINDS)
