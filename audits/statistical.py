"""The statistical rules S01 to S10 with their planted leaks: on draws of the generator, and on the labels of a pack."""

from __future__ import annotations

from functools import cache, partial

from audits import listing, planted, planted_laws, ranges, shapes, shortcuts, thresholds
from audits.base import DrawAudit, PackAudit, Scope
from audits.composition import CLAIM as CLAIM_S06
from audits.composition import audit_composition
from audits.telling_audits import told_view
from audits.view import PackView

TEXTS = 300


@cache
def _told() -> PackView:
    return told_view(planted.made_view(TEXTS))


def _on_draws(rule: str, claim: str, run: planted.RunOnDraws, *plants: planted.Plant, texts: bool = False) -> DrawAudit:
    return DrawAudit(
        rule=rule,
        scope="draws",
        severity="error",
        claim=claim,
        run=run,
        self_test=partial(planted.tried, run, plants),
        reads_texts=texts,
    )


def _on_pack(rule: str, scope: Scope, claim: str, run: planted.RunOnPack, *plants: planted.PackPlant) -> PackAudit:
    self_test = partial(planted.tried_pack, run, plants)
    return PackAudit(rule=rule, scope=scope, severity="error", claim=claim, run=run, self_test=self_test)


AUDITS: tuple[DrawAudit | PackAudit, ...] = (
    _on_draws(
        "S01", shortcuts.CLAIM_S01, shortcuts.audit_membership,
        planted.only_gated_pair_reversed, planted.controls_only_for_gates, planted.cases_listed_by_role,
    ),
    _on_draws(
        "S02", shortcuts.CLAIM_S02, shortcuts.audit_order,
        planted.roles_in_fixed_order, planted.adder_first, planted.codes_by_role,
    ),
    _on_pack(
        "S03", "pack", listing.CLAIM_S03_PACK, listing.audit_pack_order,
        planted.listed_by_label, planted.listed_in_turn,
    ),
    PackAudit(
        rule="S03", scope="sealed", severity="error", claim=listing.CLAIM_S03_SEALED, run=listing.audit_pack_runs,
        self_test=lambda: planted.tried_settled(
            listing.audit_pack_runs, planted.clean_view(), (planted.listed_by_label, planted.listed_in_turn)
        ),
    ),
    _on_draws("S03", shortcuts.CLAIM_S03, shortcuts.audit_index, planted.generation_order, planted.present_first),
    _on_pack(
        "S04", "pack", listing.CLAIM_S04_PACK, listing.audit_pack_ids,
        planted.label_as_last_digit, planted.salt_lost, planted.cases_renumbered, planted.codes_reordered,
        planted.query_renamed, planted.label_in_rendering_id, planted.domain_of_label,
    ),
    _on_draws(
        "S04", f"{shortcuts.CLAIM_S04_LABEL}; {shortcuts.CLAIM_S04_ROLE}", shortcuts.audit_ids,
        planted.label_in_public_id, planted.label_in_query_id, planted.label_in_case_ids, planted.role_in_case_ids,
        planted.role_in_codes,
    ),
    _on_draws(
        "S05", f"{ranges.CLAIM}; {ranges.CLAIM_EXCESS}", ranges.audit_ranges,
        planted_laws.ranges_by_label, planted_laws.counts_by_label, planted.one_strong_event,
    ),
    _on_draws("S06", CLAIM_S06, audit_composition, planted.one_strong_event),
    _on_draws(
        "S07", f"{thresholds.CLAIM}; {thresholds.CLAIM_HELD}; {thresholds.CLAIM_INERT}", thresholds.audit_thresholds,
        planted_laws.operators_by_role, planted_laws.gates_that_hold, planted_laws.no_inert_attribute,
        planted_laws.tilted_query_values,
    ),
    _on_draws(
        "S08", shapes.CLAIM_S08, shapes.audit_shapes,
        planted_laws.fewer_cases, planted_laws.keys_reordered, planted_laws.more_trials, planted_laws.longer_payload,
    ),
    _on_draws(
        "S09", shapes.CLAIM_S09, shapes.audit_style,
        planted_laws.padded_texts, planted_laws.domain_by_label, planted_laws.fallback_for_one_label,
        planted_laws.a_word_for_one_label, texts=True,
    ),
    PackAudit(
        rule="S09", scope="sealed", severity="error", claim=shapes.CLAIM_S09_SEALED, run=shapes.audit_shipped_style,
        self_test=lambda: planted.tried_settled(
            shapes.audit_shipped_style, _told(), (planted_laws.renderer_by_label, planted_laws.retries_by_label)
        ),
    ),
    _on_draws("S10", shapes.CLAIM_S10, shapes.audit_balance, planted_laws.seventy_thirty),
    PackAudit(
        rule="S10", scope="sealed", severity="error", claim=listing.CLAIM_S10_SEALED, run=listing.audit_pack_balance,
        self_test=lambda: planted.tried_settled(
            listing.audit_pack_balance, planted.timed_view(), (planted_laws.one_label_mostly,)
        ),
    ),
)  # fmt: skip
