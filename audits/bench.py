"""What the rules on this program share: one run of everything, with tokens in place of secrets."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from audits.flow import Flow, run_flow


class Bench:
    """Lends the rules on this program what is dear to make; made on first use, removed at the end."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def folder(self) -> Path:
        """Return an empty folder that goes with the bench."""
        return Path(self._stack.enter_context(TemporaryDirectory(prefix="clew-audit-")))

    @cached_property
    def flow(self) -> Flow:
        """The run of everything."""
        return run_flow(self.folder())

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
