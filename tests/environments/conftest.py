"""What tests that install packages and start servers begin with."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.environments.verifiers_lines import Line

REQUIRED = "CLEW_ENVIRONMENTS_REQUIRED"
"""Set where a line that cannot be installed is a failure and not a reason to skip."""


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
