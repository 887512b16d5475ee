"""Stands for the app in a child process: speaks the packets, tells what it was given, and logs what it was told.

python scripted_child.py FOLDER NAME
    FOLDER/log gets a line for each thing that happens; a file FOLDER/hold keeps it from becoming ready.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import NoReturn

POLL_S = 0.002


def say(kind: bytes, payload: bytes) -> None:
    os.write(1, kind + len(payload).to_bytes(4, "big") + payload)


def log(folder: Path, line: str) -> None:
    with (folder / "log").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def read(count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def leave(folder: Path, name: str, word: str) -> NoReturn:
    log(folder, f"{word} {name}")
    say(b"M", b'{"type": "exit"}')
    sys.exit(0)


def answer(folder: Path, name: str, kind: bytes, payload: bytes) -> None:
    told = json.loads(payload) if kind == b"M" else {}
    if told.get("type") == "quit":
        leave(folder, name, "saved")
    if payload == b"open an address":
        say(b"M", b'{"type": "open_url", "url": "https://example.org", "new_tab": true}')
        say(b"M", b'{"type": "deliver_file_start", "key": "k", "path": "/etc/passwd"}')
    say(b"D", kind + payload)


def main() -> None:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    log(folder, f"started {name}")
    while (folder / "hold").exists():
        time.sleep(POLL_S)
    log(folder, f"ready {name}")
    os.write(1, b"__GANGLION__\n")
    home = Path(os.environ["HOME"])
    seen = {"environment": dict(os.environ), "arguments": sys.argv, "home": [one.name for one in home.iterdir()]}
    say(b"D", json.dumps(seen).encode())
    try:
        while True:
            kind, size = read(1), int.from_bytes(read(4), "big")
            answer(folder, name, kind, read(size))
    except EOFError:
        log(folder, f"lost {name}")


if __name__ == "__main__":
    main()
