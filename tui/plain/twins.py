"""What stands in the line mode for each key of the app: a command, or why none is needed.

Keyed by the action that a key runs, with the class before it where classes differ. A test walks all keys of the app.
"""

from __future__ import annotations

READ = "read: everything is told line by line, and the terminal scrolls"
TYPE = "type: what is typed after a command is its text"
TERMINAL = "terminal: copying, searching, colours and suspending are the terminal's own"
ALWAYS = "always: help, home and quit can be typed everywhere"
NOT_NEEDED = (READ, TYPE, TERMINAL, ALWAYS)

TWINS: dict[str, str] = {
    # Everywhere
    "help": "help", "app.help": "help", "quit": "quit", "app.quit": "quit", "home": "home", "back": "home",
    "history": "history", "tip": "hint", "copy": TERMINAL, "suspend_process": TERMINAL,
    # Home and beside it
    "continue": "continue", "daily": "daily", "ladder": "ladder", "code": "code CODE", "submit": "code CODE",
    "statistics": "statistics", "introduction": "introduction", "settings": "settings", "choose": ALWAYS,
    "read": READ, "page": "history N", "open": "history N", "IntroductionScreen.turn": "introduction",
    "letter": "introduction",
    "Menu.select": ALWAYS,
    # An item
    "pause": "pause", "go_on": "pause", "skip": "skip tired", "take": "skip tired", "stop": "quit", "stay": ALWAYS,
    "pane": READ, "leave": ALWAYS, "undo": "undo", "redo": "redo",
    # A puzzle
    "answer": "answer LABEL 80", "AnswerBar.choose": "answer LABEL 80", "sure": "answer LABEL 80",
    "surer": "answer LABEL 80", "cannot_know": "answer LABEL unknown", "AnswerBar.send": "answer LABEL 80",
    "filter": "rows seal !vent load<=3 n>=2", "sort": "sort share", "original": "sort number", "pin": "pin ROW",
    "compare": "compare", "strike": "strike ROW", "highlight": "rows", "hint": "hint", "mark": "mark STEP +",
    "notes": "note TEXT", "find": "find WORDS", "PuzzleScreen.turn": "story", "copy_here": TERMINAL,
    "EvidenceTable.read": "story", "row": "rows", "sentence": READ,
    # A writing task
    "send": "send", "write": "edit", "beside": "list", "conflict": "conflict FIRST SECOND NOTE",
    "flip": "conflict FIRST SECOND NOTE", "next": "next", "LineField.next": TYPE, "wide": READ,
    "underline": "mark WORDS", "tick": "tick N", "erase": "erase N", "RequirementList.select": "list",
    "TurnList.select": "turns N",
    # After an answer
    "reveal": "reveal", "revise": "revise", "share": "share",
    # Moving about
    "line": READ, "word": READ, "edge": READ, "page_up": READ, "page_down": READ, "cursor_up": READ,
    "cursor_down": READ, "first": READ, "last": READ, "scroll_up": READ, "scroll_down": READ, "scroll_top": READ,
    "scroll_bottom": READ, "scroll_home": READ, "scroll_end": READ,
}  # fmt: skip


def twin(kind: str, action: str) -> str | None:
    """Return what stands for an action of a class; None where nobody thought of it."""
    name = action.partition("(")[0]
    return TWINS.get(f"{kind}.{name}") or TWINS.get(name)
