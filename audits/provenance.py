"""F06: the shipped bytes are the audited bytes, and who wrote them, after how many tries, is on record.

A rendering by the template has nothing to record. One by a model states how many tries it took, at most `MOST_TRIES`;
one that fell back to the template, in part or as a whole, states that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audits.telling import Telling
from engine.canonical import text_digest
from engine.hidden_systems.surface.template import RENDERER

CLAIM = "the text is the one whose digest is stored, and renderer, tries and fallback are on record"
MOST_TRIES = 3
STATUS = re.compile(r"(?:passed|in part|fell back); tries (?P<tries>\d+)")


def provenance_faults(one: Telling) -> Iterator[str]:
    """Yield a pointer to what is not on record, or not as it stands there."""
    told = one.told
    if told.sha != text_digest(told.text):
        yield "/body_sha"
    if not told.renderer:
        yield "/renderer"
        return
    recorded = STATUS.fullmatch(told.status)
    if recorded is None and (told.renderer != RENDERER or told.status):
        yield "/audit_status"
    if recorded is not None and int(recorded["tries"]) > MOST_TRIES:
        yield "/audit_status/tries"
