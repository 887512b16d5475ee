"""One pack of 1,000 puzzles of complexity 6 through the command, in a process of its own: seconds and peak memory.

The time is the processor's, children included, so that it stands for one core; the clock's is printed beside it.
Run: python benchmarks/pack.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from measure import ROOT

CLAIM_SECONDS = 5.0
ARGUMENTS = ("generate", "hidden-systems", "--count", "1000", "--length", "medium", "--seed", "7", "--out")


def main() -> int:
    with TemporaryDirectory() as folder:
        out = Path(folder, "pack")
        program = ["-c", "from engine.cli import main; main()", *ARGUMENTS, str(out)]
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, *program],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        elapsed = perf_counter() - start
        if done.returncode:
            return done.returncode
        size = sum(path.stat().st_size for path in out.iterdir())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"clew {' '.join(ARGUMENTS[:-1])}")
    print(f"  {seconds:.2f} s of one core ({elapsed:.2f} s by the clock), peak memory {used.ru_maxrss / 1024:.0f} MiB")
    print(f"  {size / 2**20:.1f} MiB in both files")
    held = seconds < CLAIM_SECONDS
    print(f"{'holds ' if held else 'MISSED'}  1,000 puzzles of complexity 6 in under {CLAIM_SECONDS:g} s on one core")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
