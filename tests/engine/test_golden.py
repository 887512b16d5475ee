"""One puzzle per preset, told in every domain, and its complete record: reviewed like code.

A change here means that stored seeds give other puzzles: raise the generator's version and tell it in the changelog. To
write the files anew, remove `tests/engine/golden` and run this module twice: the first run writes them and fails.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.hidden_systems.program.generate import generate_skeletons
from engine.hidden_systems.program.skeleton import record_document
from engine.hidden_systems.surface.domain import domain_names
from engine.hidden_systems.surface.template import render
from engine.public import LENGTHS

GOLDEN = Path(__file__).parent / "golden"
SEED = 20


def compare(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and is written now; read it, then run again")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("length", LENGTHS)
def test_the_record_of_a_preset(length: str) -> None:
    (skeleton,) = generate_skeletons(1, length, SEED)
    compare(GOLDEN / f"{length}.json", json.dumps(record_document(skeleton), indent=1) + "\n")


@pytest.mark.parametrize("domain", domain_names())
@pytest.mark.parametrize("length", LENGTHS)
def test_the_text_of_a_preset_in_a_domain(length: str, domain: str) -> None:
    (skeleton,) = generate_skeletons(1, length, SEED)
    compare(GOLDEN / length / f"{domain}.txt", render(skeleton.renderer_payload(), domain).text + "\n")
