from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from audit_samples import row

from audits.base import code_of
from audits.baseline import Entry, accepted, read_baseline
from engine.errors import UsageError

TODAY = date(2030, 1, 15)
GOOD = Entry(rule="X01", fingerprint="f", reason="known, mended in the next law", expires=date(2030, 7, 14))
WARNING = row(severity="warning", status="fail", fingerprint="f")


def test_an_accepted_warning_does_not_count() -> None:
    told = accepted([WARNING, row()], [GOOD], TODAY)
    assert [one.baseline_state for one in told] == ["unchanged", "new"]
    assert code_of([WARNING, row()]) == 1
    assert code_of(told) == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": " "},
        {"expires": None},
        {"expires": date(2030, 1, 14)},
        {"expires": date(2030, 7, 15)},
        {"fingerprint": "g"},
        {"rule": "X02"},
    ],
    ids=["no reason", "no end", "ended", "too far off", "another place", "another rule"],
)
def test_an_entry_that_does_not_stand_lets_the_finding_count(changes: dict[str, object]) -> None:
    entry = Entry(**{**{name: getattr(GOOD, name) for name in Entry.__struct_fields__}, **changes})
    told = accepted([WARNING], [entry], TODAY)
    assert told[0].baseline_state == "new"
    assert code_of(told) == 1


def test_an_error_cannot_be_accepted() -> None:
    with pytest.raises(UsageError, match="an error cannot be accepted") as caught:
        accepted([replace(WARNING, severity="error")], [GOOD], TODAY)
    assert caught.value.exit_code == 2


def test_an_entry_without_a_finding_is_an_absent_note() -> None:
    told = accepted([row()], [GOOD], TODAY)
    assert [(one.severity, one.baseline_state) for one in told] == [("error", "new"), ("note", "absent")]
    assert code_of(told) == 0


def test_a_file_is_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text('[{"rule": "X01", "fingerprint": "f", "reason": "r", "expires": "2030-07-01"}]')
    assert read_baseline(path) == (Entry(rule="X01", fingerprint="f", reason="r", expires=date(2030, 7, 1)),)
    for wrong in ("[", "{}", '[{"rule": "X01"}]', '[{"rule": "X01", "fingerprint": "f", "gold": 1}]'):
        path.write_text(wrong)
        with pytest.raises(UsageError, match="a list of entries is needed"):
            read_baseline(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_baseline(tmp_path / "none.json")
