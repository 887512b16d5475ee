"""Runs the line mode on a fake desk, in this process, with typed lines going in and the transcript coming out."""

from __future__ import annotations

import io

from fake_desk import FakeDesk

from tui.config import Config
from tui.moments import Moments
from tui.plain.run import play


class Transcript:
    """What a session said, and how it ended."""

    def __init__(self, desk: FakeDesk, data: bytes, *, resume: bool, moments: Moments | None) -> None:
        out, err = io.StringIO(), io.StringIO()
        self.code = play(
            desk, source=io.BytesIO(data), out=out, err=err, resume=resume, moments=moments,
            config=Config(players=False),
        )  # fmt: skip
        self.out, self.err = out.getvalue(), err.getvalue()


def typed(desk: FakeDesk, *lines: str, resume: bool = False, moments: Moments | None = None) -> Transcript:
    """Type lines, each ended by a newline; the input ends after the last."""
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    return Transcript(desk, data, resume=resume, moments=moments)
