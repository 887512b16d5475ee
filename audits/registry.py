"""The list of all audits. What is not here does not exist; a test walks it."""

from __future__ import annotations

from audits import (
    bundle_plants,
    committed,
    faults,
    feedback,
    honeypot,
    model_cache,
    noninterference,
    packaging,
    printing,
    redaction,
    redrawn,
    remnants,
    script_plants,
    seeds,
    statistical,
    taint,
    telling_audits,
    timing,
    tripwire,
    writing_plants,
)
from audits.base import BundleAudit, DrawAudit, ExitAudit, PackAudit, ProgramAudit, ScriptAudit, SetAudit, TellingAudit

AnyAudit = PackAudit | BundleAudit | TellingAudit | DrawAudit | ExitAudit | SetAudit | ScriptAudit | ProgramAudit

AUDITS: tuple[AnyAudit, ...] = (
    redaction.KEYS,
    redaction.TASK_KEYS,
    noninterference.NONINTERFERENCE,
    honeypot.HONEYPOT,
    taint.TAINT,
    *statistical.AUDITS,
    timing.TIMING,
    faults.FAULTS,
    printing.PRINTED,
    remnants.REMNANTS,
    tripwire.TRIPWIRE,
    model_cache.CACHE,
    seeds.SEEDS,
    packaging.PACKAGED,
    packaging.PACKAGED_PACK,
    committed.COMMITTED,
    feedback.FEEDBACK,
    *telling_audits.AUDITS,
    *writing_plants.AUDITS,
    *script_plants.AUDITS,
    *bundle_plants.AUDITS,
    *redrawn.AUDITS,
)
