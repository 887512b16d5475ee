"""What several folders of tests begin with; what takes seconds to make is made once a run or once a process."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import practice
from engine.store.files import private_folder
from engine.store.pack import Pack
from engine.store.places import builtin_pack, practice_sealed_path
from tests.study.study_world import Lab

ASKED_FOR = ("environments", "slow_model", "web")
"""Marks of tests that run only if `-m` names them: they need a network, a model or a browser."""


def pytest_xdist_auto_num_workers() -> int | None:
    """Have a worker more than there are cores, unless told otherwise: a test of the app waits for half of its time."""
    told = "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ
    return None if told else (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not asked for, and begin with what takes long: no worker is alone with it at the end."""
    unasked = [mark for mark in ASKED_FOR if mark not in config.option.markexpr]
    left_out = [item for item in items if any(map(item.get_closest_marker, unasked))]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session")
def practice_gold(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The built-in pack's sealed half, as the code makes it: once a run, by the worker that needs it first."""
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    with (shared / "practice.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        patch.setenv("CLEW_DATA_DIR", str(shared / "practice-gold"))
        with Pack.open(builtin_pack()) as pack:
            return practice.sealed(pack.sha)


@pytest.fixture
def lay_practice_gold(practice_gold: Path) -> Callable[[], None]:
    """Puts that half into the data directory, where the code would rebuild it."""

    def lay() -> None:
        folder = practice_sealed_path("").parent
        private_folder(folder)
        shutil.copy(practice_gold, folder)

    return lay


@pytest.fixture(scope="session")
def pack_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where study packs are kept for all tests of a process."""
    return tmp_path_factory.mktemp("packs")


@pytest.fixture
def lab(
    tmp_path: Path,
    pack_store: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lay_practice_gold: Callable[[], None],
) -> Lab:
    """A researcher's machine without a study yet."""
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "researcher"))
    lay_practice_gold()
    return Lab(tmp_path, capsys, pack_store)
