"""The page of each rule: what it shows and what it cannot show. `docs/audits/RULE.md` is their one home."""

from __future__ import annotations

from pathlib import Path

from engine.errors import UsageError

HERE = Path(__file__).parent
PLACES = (HERE.parent / "docs" / "audits", HERE / "pages")
"""In a checkout; in an installed program."""


def page(rule: str) -> str:
    """Return the page of a rule as Markdown.

    Raises:
        UsageError: there is no page, so the rule is not finished.
    """
    for place in PLACES:
        path = place / f"{rule}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8").rstrip()
    raise UsageError(f"rule {rule!r} has no page in {PLACES[0]}; every rule has one")
