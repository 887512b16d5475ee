"""The two lines of verifiers, each in a virtual environment of its own: how an evaluation is started and read back.

Commands are those of the packages' README files, with model, address and key exchanged.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.exchange.verifiers_runs import Rollout, read_run
from tests.environments.scripted_model import MODEL

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000/v1"
NOWHERE = "http://127.0.0.1:9"
"""Whatever is not on loopback goes there, so that a command that needs a network fails."""
INSTALL_S = 900
"""Seconds that an installation may take before it counts as failed."""


class Line:
    """One line of verifiers, installed."""

    name: str
    packages: tuple[str, ...]
    distributions: tuple[str, ...]

    def __init__(self, venv: Path, folder: Path) -> None:
        self.venv = venv
        self.folder = folder
        """Where commands run: home, data and results are in it."""
        self.printed = folder / "printed.txt"
        """What commands print."""

    def install(self) -> None:
        """Make the virtual environment and install clew and the packages into it.

        Raises:
            CalledProcessError, TimeoutExpired: it cannot be done, for want of a package index perhaps.
        """
        targets = [str(ROOT), *(str(ROOT / "environments" / package) for package in self.packages)]
        uv = find_uv()
        python = self.venv / "bin" / "python"
        if uv:
            _do([uv, "venv", "--quiet", "--python", sys.executable, self.venv])
            # uv may take a wheel that it built from these folders before, although they have changed since.
            anew = [part for name in ("clew", *self.distributions) for part in ("--refresh-package", name)]
            _do([uv, "pip", "install", "--quiet", "--python", python, *anew, *targets])
        else:
            _do([sys.executable, "-m", "venv", self.venv])
            _do([python, "-m", "pip", "install", "--quiet", *targets])

    def start(self, command: Sequence[str], **variables: str) -> subprocess.Popen[bytes]:
        """Start a command of the virtual environment in a process group of its own, offline and without uv."""
        environment = {
            "PATH": f"{self.venv / 'bin'}:/usr/bin:/bin",
            "HOME": str(self.folder),
            "CLEW_DATA_DIR": str(self.folder / "data"),
            "CLEW_TEST_KEY": "none",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
            **variables,
        }
        with self.printed.open("ab") as file:
            return subprocess.Popen(
                [str(self.venv / "bin" / command[0]), *command[1:]],
                stdout=file,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=environment,
                start_new_session=True,
            )

    def evaluation(self, package: str, base_url: str, module: str = "") -> list[str]:
        """Return the first command of a package's README; `module` may name another one in its place."""
        readme = (ROOT / "environments" / package / self.name / "README.md").read_text()
        block = readme.split("```\n")[1]
        words = shlex.split(block.replace("\\\n", " "))
        assert words[0] == "vf-eval"
        told = {"my-model": MODEL, ADDRESS: base_url, "MY_KEY": "CLEW_TEST_KEY"}
        assert set(told) <= set(words)
        if module:
            told[words[1]] = words[1].replace(package, module)
        return [told.get(word, word) for word in words]

    def resumption(self, command: Sequence[str]) -> list[str]:
        """Return the command that goes on with an evaluation of this folder that was cut."""
        raise NotImplementedError

    def results(self) -> Path:
        """Return the file that the one evaluation of this folder appends rows to."""
        raise NotImplementedError

    def rollouts(self) -> tuple[Rollout, ...]:
        """Return what the finished evaluation of this folder stored, no line of it torn."""
        run = read_run(self.results())
        assert run.torn == 0
        return run.rollouts


class Old(Line):
    name = "v0"
    packages = ("instruction_adherence/v0", "hidden_systems/v0")
    distributions = ("instruction-adherence", "hidden-systems")

    def resumption(self, command: Sequence[str]) -> list[str]:
        return [*command, "-R", str(self.results().parent)]

    def results(self) -> Path:
        (path,) = self.folder.glob("outputs/evals/*/*/results.jsonl")
        return path


class New(Line):
    name = "v1"
    packages = ("instruction_adherence/v1", "hidden_systems/v1")
    distributions = ("instruction-adherence-v1", "hidden-systems-v1")

    def resumption(self, command: Sequence[str]) -> list[str]:
        return ["vf-eval", "@", "outputs/demo/configs/resolved/eval.json", "--resume"]

    def results(self) -> Path:
        return self.folder / "outputs" / "demo" / "traces.jsonl"


LINES: tuple[type[Line], ...] = (Old, New)


def find_uv() -> str | None:
    return shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def _do(command: Sequence[str | Path]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(
        list(map(str, command)), check=True, capture_output=True, text=True, timeout=INSTALL_S, env=environment
    )
