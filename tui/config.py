"""The person's settings: a TOML file that clew reads and never writes, and environment variables over it.

    theme = "clew-light"     # any theme of the app; NO_COLOR wins over it
    player = "ada"           # the name under which answers are stored; --as wins over it
    players = true           # false hides daily puzzle, ladder, codes, statistics and streak
    streak = true            # false hides the streak alone

CLEW_THEME, CLEW_PLAYER, CLEW_PLAYERS and CLEW_STREAK (on or off) say the same for one run. What is wrong is said in one
line that names place, key, value and what would be right; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UsageError, quoted

SWITCHES = {"on": True, "off": False}
DEFAULT = "default"
CHOSEN = "CLEW_CONFIG"
"""The variable that names another settings file than the usual one; such a file has to be there."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A value and where it was said."""

    value: str | bool
    source: str = DEFAULT


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings in force."""

    theme: str = ""
    """Empty: the app's own dark one."""
    player: str = ""
    """Empty: the desk's default."""
    players: bool = True
    streak: bool = True
    file: str = ""
    """Where a settings file is looked for."""
    sources: tuple[tuple[str, str], ...] = ()
    """Key and place of all that was said somewhere."""

    def source(self, key: str) -> str:
        """Return where a value was said."""
        return dict(self.sources).get(key, DEFAULT)


KINDS: dict[str, type] = {"theme": str, "player": str, "players": bool, "streak": bool}
RIGHT = {
    "theme": 'the name of a theme in quotes, such as "clew-light", is right',
    "player": 'a name in quotes, such as "ada", is right',
    "players": "true or false is right",
    "streak": "true or false is right",
}


def read_config(file: str, environment: Mapping[str, str]) -> Config:
    """Return the settings of a file, if there is one, with those of the environment over them.

    Raises:
        UsageError: the file cannot be read, or holds something that is no setting.
    """
    said = _of_file(file, environment.get(CHOSEN, "")) | _of_environment(environment)
    values = {key: setting.value for key, setting in said.items()}
    sources = tuple((key, setting.source) for key, setting in said.items())
    return Config(**values, file=file, sources=sources)  # type: ignore[arg-type]  # each value was checked by its key


def _of_file(file: str, chosen: str) -> dict[str, Setting]:
    path = Path(file)
    if not file or not path.exists():
        if chosen:
            raise UsageError(f"{CHOSEN}: {quoted(chosen)} is not there; the path of a settings file is right")
        return {}
    # Most sessions have no file, and need no parser.
    import tomllib

    try:
        found = tomllib.loads(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: byte {error.start + 1} is not UTF-8; a settings file is a text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f'{file}: not TOML: {error}; lines such as theme = "clew-light" are right') from error
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}; a settings file that can be read is needed") from error
    return {key: Setting(value=_checked(file, key, value), source=file) for key, value in found.items()}


def _of_environment(environment: Mapping[str, str]) -> dict[str, Setting]:
    said = {}
    for key, kind in KINDS.items():
        name = f"CLEW_{key.upper()}"
        if text := environment.get(name, ""):
            value = _checked(name, key, text if kind is str else SWITCHES.get(text.casefold(), text))
            said[key] = Setting(value=value, source=name)
    return said


def _checked(where: str, key: str, value: object) -> str | bool:
    if key not in KINDS:
        raise UsageError(f"{where}: {quoted(key)} is no setting; {', '.join(KINDS)} are")
    if not isinstance(value, KINDS[key]) or value == "":
        right = "on or off is right" if where.startswith("CLEW_") else RIGHT[key]
        raise UsageError(f"{where}: {key} is {quoted(value)}; {right}")
    assert isinstance(value, str | bool)
    return value
