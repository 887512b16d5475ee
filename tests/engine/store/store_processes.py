"""Starting the programs of `store_children.py` and reading what they tell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def child(*arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(HERE / "store_children.py"), *map(str, arguments)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}"},
    )  # fmt: skip


def told(*arguments: str | Path) -> dict[str, object]:
    with child(*arguments) as process:
        out, _ = process.communicate()
    assert process.returncode == 0
    answer: dict[str, object] = json.loads(out)
    return answer
