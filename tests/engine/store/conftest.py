from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_samples import started, write_sample_pack

from engine.store.answers import Answers
from engine.store.connection import DELETE_EXTRA, WAL_FULL, Journal


@pytest.fixture(params=[WAL_FULL, DELETE_EXTRA], ids=["wal", "delete"])
def journal(request: pytest.FixtureRequest) -> Journal:
    """Both journals that answers may have, whatever engine runs the tests."""
    chosen: Journal = request.param
    return chosen


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An answers file without rows; copying it is cheaper than syncing a new one for each test."""
    path = tmp_path_factory.mktemp("empty") / "answers.db"
    Answers.open(path, journal=DELETE_EXTRA).close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "answers.db"


@pytest.fixture
def answers(path: Path, empty: Path, journal: Journal) -> Iterator[Answers]:
    path.parent.mkdir()
    path.write_bytes(empty.read_bytes())
    with Answers.open(path, journal=journal, busy_ms=50) as opened:
        yield opened
        assert opened.denials == ()


@pytest.fixture
def solver(answers: Answers) -> str:
    return started(answers)


@pytest.fixture
def pack_path(tmp_path: Path) -> Path:
    path = tmp_path / "pack.db"
    write_sample_pack(path)
    return path
