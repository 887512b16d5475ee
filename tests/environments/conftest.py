"""These tests install packages and start servers, so they run only when `-m environments` asks for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.environments.verifiers_lines import Line

MARK = "environments"
REQUIRED = "CLEW_ENVIRONMENTS_REQUIRED"
"""Set where a line that cannot be installed is a failure and not a reason to skip."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if MARK not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker(MARK)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[type[Line]], Path]:
    """Install a line of verifiers with both packages into an environment that was empty before; once a session."""

    @cache
    def install(kind: type[Line]) -> Path:
        folder = tmp_path_factory.mktemp(kind.name)
        line = kind(folder / "venv", folder)
        try:
            line.install()
        except (OSError, subprocess.SubprocessError) as error:
            told = f"no environment for the {kind.name} line: {getattr(error, 'stderr', '') or error}"
            if REQUIRED in os.environ:
                pytest.fail(told)
            pytest.skip(told)
        return line.venv

    return install


@pytest.fixture
def line(request: pytest.FixtureRequest, installed: Callable[[type[Line]], Path], tmp_path: Path) -> Line:
    """The line of verifiers that the test is parametrized with, in a folder of the test's own."""
    line: Line = request.param(installed(request.param), tmp_path / "runs")
    line.folder.mkdir()
    return line
