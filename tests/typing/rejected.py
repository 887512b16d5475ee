"""Lines that mypy must reject: each is marked with the code of the error that it must get, and no other line gets one.

Checked by `test_rejected_lines.py`; never run. The private layer cannot stand in for the public one anywhere.
"""

from __future__ import annotations

from engine.hidden_systems.behavior import (
    AttributeSetting,
    BehaviorCase,
    EvidenceRow,
    ObservationProtocol,
    PublicPayload,
    evidence_rows,
    payload_text,
)
from engine.hidden_systems.program.grammar import HiddenSystem
from engine.hidden_systems.program.skeleton import BehaviorSkeleton
from engine.hidden_systems.surface.domain import Domain, legend_for, pick_domain
from engine.hidden_systems.surface.llm_prompts import block_question, legend_question
from engine.hidden_systems.surface.prompt import question
from engine.hidden_systems.surface.template import render
from engine.hidden_systems.surface.wording import Wording
from engine.models.dialogue import dialogue
from engine.public import Answer, Desk, Legend, Presented


def a_skeleton_is_no_payload(skeleton: BehaviorSkeleton, system: HiddenSystem) -> None:
    payload_text(skeleton.renderer_payload())
    payload_text(skeleton)  # E: arg-type
    evidence_rows(skeleton)  # E: arg-type
    payload_text(system)  # E: arg-type
    held: PublicPayload = skeleton  # E: assignment
    evidence_rows(held)


def a_skeleton_is_never_rendered(skeleton: BehaviorSkeleton, domain: Domain) -> None:
    render(skeleton.renderer_payload(), "kiln")
    render(skeleton, "kiln")  # E: arg-type
    legend_for(skeleton, domain)  # E: arg-type
    pick_domain(skeleton)  # E: arg-type


def a_skeleton_never_reaches_a_model(skeleton: BehaviorSkeleton, wording: Wording, shown: Presented) -> None:
    legend_question(skeleton.renderer_payload(), "text")
    legend_question(skeleton, "text")  # E: arg-type
    block_question(skeleton, wording, [0], "text")  # E: arg-type
    question(shown)
    question(skeleton)  # E: arg-type
    dialogue(skeleton)  # E: arg-type


def public_types_have_no_place_for_gold(payload: PublicPayload, case: BehaviorCase, row: EvidenceRow) -> None:
    print(payload.complexity, case.trials, row.low)
    print(payload.gold_answer)  # E: attr-defined
    print(payload.hidden_system)  # E: attr-defined
    print(payload.latent_trace)  # E: attr-defined
    print(payload.id)  # E: attr-defined
    print(case.probability)  # E: attr-defined
    AttributeSetting(name="A1", value=1, threshold=2)  # E: call-arg
    ObservationProtocol(trials_per_case=48, seed=7)  # E: call-arg


def public_values_are_frozen(payload: PublicPayload, case: BehaviorCase) -> None:
    payload.complexity = 5  # E: misc
    case.observed_present = 3  # E: misc


def public_values_hold_closed_kinds() -> None:
    AttributeSetting(name="A1", value=0.5)  # E: arg-type
    AttributeSetting("A1", 1)  # E: call-arg
    ObservationProtocol(trials_per_case=48, initial_record="PRESENT")  # E: arg-type


def a_presented_puzzle_is_made_of_public_parts(
    skeleton: BehaviorSkeleton, legend: Legend, desk: Desk, answer: Answer
) -> None:
    Presented(
        puzzle_id="p", family="f", rendering_id="r", renderer="template", text="", text_sha="", legend=legend,
        labels=("PRESENT", "ABSENT"), blocks=(),
        payload=skeleton,  # E: arg-type
    )  # fmt: skip
    desk.submit(answer)
    desk.submit(skeleton)  # E: arg-type
    print(desk.gold)  # E: attr-defined
