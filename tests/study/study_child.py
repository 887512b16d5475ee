"""A participant in a process of its own, to be killed: prints each answer's id once it is on disk.

For each line that comes in, this single-threaded program forks the participant anew: loading clew takes longer than
all that is to be killed. The participant prints its process id first; how it ended is printed last.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.public import StageAnswer
from engine.study.desk import StudyDesk
from tests.study.study_world import answer_to


def main() -> None:
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            return take_part()
        _, status = os.waitpid(child, 0)
        print(f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


def take_part() -> None:
    print(os.getpid(), flush=True)
    bundle, code, answers = sys.argv[1:4]
    desk = StudyDesk(bundle=bundle, code=code, answers=Path(answers))
    desk.open()
    while (stage := desk.stage()).kind != "end":
        if stage.kind in ("practice", "item"):
            receipt = desk.submit(answer_to(desk.present(stage.puzzle_id), "PRESENT"))
            print(receipt.answer_id, flush=True)
        else:
            chosen = {"intake": (0, 0), "check": (0, 1, 2)}.get(stage.kind, ())
            desk.take(StageAnswer(key=stage.key, word=stage.words[0], chosen=chosen))
            print(f"stage {stage.key}", flush=True)
    desk.close()
    print("end", flush=True)


if __name__ == "__main__":
    main()
