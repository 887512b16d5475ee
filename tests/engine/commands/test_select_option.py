"""`clew generate hidden-systems --select`: repeatable, recorded in the sealed recipe, verified like any other pack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli import cli
from engine.errors import UsageError
from engine.store.pack import Pack
from engine.store.sealed import Sealed

GENERATE = ("generate", "hidden-systems", "--count", "12", "--seed", "5")


def generate(out: Path, *arguments: str) -> None:
    done = CliRunner().invoke(cli, (*GENERATE, *arguments, "--out", str(out)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.stderr


def test_the_same_arguments_give_the_same_pack(tmp_path: Path) -> None:
    packs = []
    for name, chosen in (("one", ("--select",)), ("other", ("--select", "0.65")), ("plain", ())):
        generate(tmp_path / name, "--length", "medium", *chosen)
        with Pack.open(tmp_path / name / "pack.db") as pack:
            packs.append(pack.sha)
    assert packs[0] == packs[1] != packs[2]


def test_the_recipe_is_sealed_and_says_what_was_selected(tmp_path: Path) -> None:
    generate(tmp_path, "--length", "short", "--select", "0.7")
    with Sealed.open(tmp_path / "sealed.db") as sealed, Pack.open(tmp_path / "pack.db") as pack:
        assert json.loads(sealed.meta["recipe"])["select"] == "0.70"
        assert "0.70" not in " ".join(pack.meta.values())
        labels = [record.gold for record in sealed.records()]
    assert labels.count("PRESENT") == labels.count("ABSENT") == 6


def test_a_selected_pack_is_drawn_again_from_its_seeds(tmp_path: Path) -> None:
    generate(tmp_path, "--length", "medium", "--select")
    done = CliRunner().invoke(cli, ("verify-pack", str(tmp_path), "--sealed", str(tmp_path / "sealed.db")))
    assert done.exit_code == 0, done.stdout


@pytest.mark.parametrize("arguments", [("--length", "short", "--select"), ("--length", "long", "--select", "0.9")])
def test_a_share_that_is_not_legal_writes_nothing(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        generate(tmp_path / "none", *arguments)
    assert not (tmp_path / "none").exists()
