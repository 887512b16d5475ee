"""F05: nothing is left over. A text says what its payload says, and not one character more.

A rendering by the template must be the template's text of its payload and domain, byte for byte; so a hint in the
introduction, a doubled space or an invisible character that goes with the label has no place to be. A rendering by
anything else cannot be decided here and is a finding: a check that cannot decide never passes.
"""

from __future__ import annotations

from collections.abc import Callable

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.view import PackView, Told
from engine.errors import ClewError
from engine.hidden_systems.behavior import payload_text, read_payload
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.domain import domain_names
from engine.hidden_systems.surface.template import BORDER, RENDERER, render
from engine.randomness import derive

CLAIM = "a rendering by the template is exactly the template's text of its payload, white space and all"
PLANTED_TEXTS = 12


def residue(payload_json: str, told: Told) -> str | None:
    """Return a pointer to what a rendering should not hold; None when it is closed."""
    if told.renderer != RENDERER:
        return "/renderer"
    try:
        right = render(read_payload(payload_json), told.domain).text
    except ClewError:
        return "/domain"
    return None if told.text == right else "/text"


def audit_closed_text(view: PackView) -> tuple[Row, ...]:
    """Run F05 on every rendering of a pack."""
    findings, scanned = [], 0
    for puzzle in view.puzzles:
        for nth, told in enumerate(puzzle.tellings):
            scanned += 1
            if pointer := residue(puzzle.payload, told):
                findings.append(Finding(puzzle.id, f"/renderings/{nth}{pointer}"))
    return exact_rows("F05", CLAIM, "error", "rendering", findings, scanned)


PLANTS: tuple[Callable[[str], str], ...] = (
    lambda text: text + " ",
    lambda text: text + "\n",
    lambda text: text.replace(". ", ".  ", 1),
    lambda text: text.replace(" ", "\u00a0", 1),
    lambda text: text.replace(" ", "\u200b ", 1),
    lambda text: "The likelier outcome will be found absent. " + text,
    lambda text: text + BORDER + "It always ends the same way.",
    lambda text: "[/] [red]x[/red] " + text,
    lambda text: "A" * 1000 + text,
    lambda text: text.replace("often", "often (reliably)", 1) + "\u202e",
    lambda text: text[:-1],
    lambda text: text.swapcase(),
)
"""Texts that say more, less or otherwise than the template does."""


def plants() -> Sensitivity:
    """Spoil right texts in every listed way."""
    seed = derive("audits/plants", "F05")
    found = alarms = 0
    for index in range(PLANTED_TEXTS):
        payload = generate_skeleton(4 + index % 3, seed, index).payload
        domain = domain_names()[index % len(domain_names())]
        right = Told(renderer=RENDERER, domain=domain, text=render(payload, domain).text)
        source = payload_text(payload)
        alarms += residue(source, right) is not None
        for spoil in PLANTS:
            spoiled = Told(renderer=RENDERER, domain=domain, text=spoil(right.text))
            found += residue(source, spoiled) is not None
        found += residue(source, Told(renderer="parrot/1", domain=domain, text=right.text)) is not None
    return Sensitivity(found, PLANTED_TEXTS * (len(PLANTS) + 1), alarms)


CLOSED = PackAudit(rule="F05", scope="pack", severity="error", claim=CLAIM, run=audit_closed_text, self_test=plants)
