"""`clew resume` without a pack opens the one where something was left open last, for who left it, with their aid."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.cli import OpenDoors
from engine.errors import StoreError
from engine.left_open import left_open
from engine.players import PlayerDesk
from engine.public import Aid, Desk, Draft
from engine.store.places import data_folder
from tests.engine.world import World, answer_to


def leave(
    pack: Path | None, player: str, aid: Aid | None = None, *, answered: bool = False, notes: str = "mine"
) -> str:
    """Keep a draft of a player's next puzzle, and answer it if asked to; return its id."""
    desk: Desk = PlayerDesk.for_player(pack=None if pack is None else str(pack), player=player, aid=aid)
    with closing(desk):
        desk.open()
        shown = desk.next()
        assert shown is not None
        desk.keep(Draft(puzzle_id=shown.puzzle_id, notes=notes))
        if answered:
            desk.submit(answer_to(shown))
    return shown.puzzle_id


def test_the_newest_open_item_says_which_pack_player_and_aid(world: World) -> None:
    first, second = world.pack(), world.folder / "second"
    made = ("generate", "hidden-systems", "--length", "4", "--count", "2", "--seed", "8")
    assert world.clew(*made, "--out", second).code == 0
    leave(first, "ada", "A1")
    of_bob = leave(second, "bob", "A2")
    leave(first, "cy", answered=True)
    left = left_open(None)
    assert left is not None and (left.player, left.aid) == ("bob", "A2")
    assert left.pack == str((second / "pack.db").resolve())
    of_ada = left_open("ada")
    assert of_ada is not None and (of_ada.player, of_ada.aid) == ("ada", "A1")
    assert left_open("cy") is None and left_open("nobody") is None
    with closing(OpenDoors().left(player=None)) as desk:
        session, draft = desk.open(), desk.draft()
        assert (session.solver, session.aid, draft.puzzle_id, draft.notes) == ("bob", "A2", of_bob, "mine")


def test_a_pack_that_is_gone_is_named_in_one_line(world: World) -> None:
    pack = world.pack()
    leave(pack, "ada")
    moved = pack / "pack.db" if pack.is_dir() else pack
    moved.rename(moved.with_name("elsewhere.db"))
    with pytest.raises(StoreError, match="in which 'ada' left an item open is gone"):
        OpenDoors().left(player=None).open()


def resumed(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    """Run `clew resume --plain` as a program of its own, with lines typed into it."""
    command = [sys.executable, "-m", "engine.start", "resume", "--plain", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_line_goes_on_in_the_newest_of_two_packs_and_in_ones_own(world: World) -> None:
    leave(world.pack("first"), "ada", notes="of the first pack")
    leave(world.pack("second", seed=8), "bob", notes="of the second pack")
    newest = resumed(typed="note\nquit\n")
    assert newest.returncode == 0 and "of the second pack" in newest.stdout and newest.stderr == ""
    own = resumed("--as", "ada", typed="note\nquit\n")
    assert own.returncode == 0 and "of the first pack" in own.stdout and "of the second pack" not in own.stdout


def test_the_command_line_says_in_one_line_that_the_pack_is_gone_and_how_to_go_on(world: World) -> None:
    pack = world.pack()
    leave(pack, "ada")
    (pack / "pack.db").rename(pack / "elsewhere.db")
    gone = resumed(typed="quit\n")
    assert gone.returncode == StoreError.exit_code
    (line,) = gone.stderr.splitlines()
    assert "in which 'ada' left an item open is gone" in line and "clew resume --pack FILE" in line
    there = resumed("--pack", str(pack / "elsewhere.db"), "--as", "ada", typed="note\nquit\n")
    assert there.returncode == 0 and "mine" in there.stdout


def test_nothing_left_open_is_the_built_in_pack(world: World) -> None:
    assert left_open(None) is None
    leave(None, "ada")
    left = left_open(None)
    assert left is not None and left.pack is None and left.player == "ada"
    assert not (data_folder() / "packs.json").exists()


def test_a_list_of_packs_that_is_none_of_ours_does_no_harm(world: World) -> None:
    leave(world.pack(), "ada")
    (data_folder() / "packs.json").write_text("[1, 2", encoding="utf-8")
    left = left_open(None)
    assert left is not None and left.pack is None
