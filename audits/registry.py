"""The list of all audits. What is not here does not exist; a test walks it."""

from __future__ import annotations

from functools import partial

from audits import fidelity, noninterference, planted, redaction, shortcuts, writing_plants
from audits.base import DrawAudit, ExitAudit, PackAudit, SetAudit
from audits.closed_text import CLOSED
from audits.composition import CLAIM as CLAIM_S06
from audits.composition import audit_composition

AnyAudit = PackAudit | DrawAudit | ExitAudit | SetAudit

AUDITS: tuple[AnyAudit, ...] = (
    redaction.KEYS,
    noninterference.NONINTERFERENCE,
    DrawAudit(
        rule="S01",
        scope="draws",
        severity="error",
        claim=shortcuts.CLAIM_S01,
        run=shortcuts.audit_membership,
        self_test=partial(
            planted.tried,
            shortcuts.audit_membership,
            (planted.only_gated_pair_reversed, planted.controls_only_for_gates, planted.cases_listed_by_role),
        ),
    ),
    DrawAudit(
        rule="S02",
        scope="draws",
        severity="error",
        claim=shortcuts.CLAIM_S02,
        run=shortcuts.audit_order,
        self_test=partial(
            planted.tried,
            shortcuts.audit_order,
            (planted.roles_in_fixed_order, planted.adder_first, planted.codes_by_role),
        ),
    ),
    PackAudit(
        rule="S03",
        scope="pack",
        severity="error",
        claim=shortcuts.CLAIM_S03_PACK,
        run=shortcuts.audit_pack_order,
        self_test=partial(
            planted.tried_pack, shortcuts.audit_pack_order, (planted.listed_by_label, planted.listed_in_turn)
        ),
    ),
    PackAudit(
        rule="S03",
        scope="sealed",
        severity="error",
        claim=shortcuts.CLAIM_S03_SEALED,
        run=shortcuts.audit_pack_runs,
        self_test=partial(
            planted.tried_pack, shortcuts.audit_pack_runs, (planted.listed_by_label, planted.listed_in_turn)
        ),
    ),
    DrawAudit(
        rule="S03",
        scope="draws",
        severity="error",
        claim=shortcuts.CLAIM_S03,
        run=shortcuts.audit_index,
        self_test=partial(planted.tried, shortcuts.audit_index, (planted.generation_order, planted.present_first)),
    ),
    PackAudit(
        rule="S04",
        scope="pack",
        severity="error",
        claim=shortcuts.CLAIM_S04_PACK,
        run=shortcuts.audit_pack_ids,
        self_test=partial(
            planted.tried_pack,
            shortcuts.audit_pack_ids,
            (
                planted.label_as_last_digit,
                planted.salt_lost,
                planted.cases_renumbered,
                planted.codes_reordered,
                planted.query_renamed,
            ),
        ),
    ),
    DrawAudit(
        rule="S04",
        scope="draws",
        severity="error",
        claim=f"{shortcuts.CLAIM_S04_LABEL}; {shortcuts.CLAIM_S04_ROLE}",
        run=shortcuts.audit_ids,
        self_test=partial(
            planted.tried,
            shortcuts.audit_ids,
            (
                planted.label_in_public_id,
                planted.label_in_query_id,
                planted.label_in_case_ids,
                planted.role_in_case_ids,
                planted.role_in_codes,
            ),
        ),
    ),
    DrawAudit(
        rule="S06",
        scope="draws",
        severity="error",
        claim=CLAIM_S06,
        run=audit_composition,
        self_test=partial(planted.tried, audit_composition, (planted.one_strong_event,)),
    ),
    fidelity.SLOTS,
    fidelity.QUERY,
    CLOSED,
    *writing_plants.AUDITS,
)
