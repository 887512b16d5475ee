"""Where files live: the data directory, the built-in pack, the sealed file beside a pack."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from engine.errors import StoreError, quoted

PACK_NAME = "pack.db"
SEALED_NAME = "sealed.db"
BUILTIN_NAME = "puzzles.db"


def data_folder() -> Path:
    """Return the user's data directory: `CLEW_DATA_DIR` if set, else the platform's place for it."""
    chosen = os.environ.get("CLEW_DATA_DIR", "")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("clew"))


def answers_path() -> Path:
    """Return the default path of the answers."""
    return data_folder() / "answers.db"


def scores_path() -> Path:
    """Return the default path of the derived scores."""
    return data_folder() / "scores.db"


def practice_sealed_path(content_sha: str) -> Path:
    """Return where the sealed half of the built-in pack is rebuilt; one file a content of the pack."""
    return data_folder() / "practice" / f"sealed-{content_sha[:16]}.db"


def players_folder() -> Path:
    """Return where the puzzles that are made from codes lie: one folder a puzzle."""
    return data_folder() / "players"


def config_path() -> Path:
    """Return the settings file: `CLEW_CONFIG` if set, else `config.toml` in the platform's place for such files."""
    chosen = os.environ.get("CLEW_CONFIG", "")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_config_dir("clew")) / "config.toml"


def builtin_pack() -> Path:
    """Return the built-in practice pack: beside the packages in a checkout, inside `engine` when installed."""
    engine = Path(__file__).parent.parent
    for place in (engine.parent / BUILTIN_NAME, engine / BUILTIN_NAME):
        if place.is_file():
            return place
    raise StoreError(f"{engine / BUILTIN_NAME} is missing; reinstall clew")


def pack_path(argument: str | None) -> Path:
    """Return the pack that an argument names: a folder with `pack.db`, a file, or None for the built-in pack."""
    if argument is None:
        return builtin_pack()
    if not argument:
        raise StoreError("the pack's name is empty; a folder with pack.db or a pack file is needed")
    path = Path(argument)
    try:
        return path / PACK_NAME if path.is_dir() else path
    except OSError as error:
        name = quoted(argument)
        raise StoreError(f"{name}: {error.strerror}; a folder with pack.db or a pack file is needed") from error


def sealed_path(pack: Path) -> Path:
    """Return where the sealed half of a pack of one's own lies: beside it."""
    return pack.with_name(SEALED_NAME)
