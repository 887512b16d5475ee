"""Each v1 package must install alone, so both hold the chat harness: the same text, and nothing else twice."""

from __future__ import annotations

import ast
from pathlib import Path

ENVIRONMENTS = Path(__file__).parents[2] / "environments"
PACKAGES = ("hidden_systems", "instruction_adherence")


def definitions(package: str) -> dict[str, str]:
    text = (ENVIRONMENTS / package / "v1" / f"{package}_v1.py").read_text(encoding="utf-8")
    found = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return {node.name: ast.get_source_segment(text, node) or "" for node in found}


def test_both_packages_hold_the_same_harness_and_share_no_other_definition() -> None:
    one, other = map(definitions, PACKAGES)
    assert one.keys() & other.keys() == {"ChatHarness"}
    assert one["ChatHarness"] == other["ChatHarness"]
