"""What is in force in each turn, worked out from the user's texts alone, against the checks that are stored.

The reader below knows the templates of the events and the texts of all requirements, and nothing of how a script is
drawn: it reads what a turn adds, drops, withdraws, restores, lists and quotes, and keeps the account itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import pytest

from engine.instruction_adherence.absence import TRACERS
from engine.instruction_adherence.brief import LATER_LEADS, LEADS
from engine.instruction_adherence.compat import parameter_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.script_text import (
    AUDITED,
    CANCELLED,
    DROPPED,
    LISTED,
    QUOTED,
    RESTORED,
    STANDING,
    leavings,
)
from engine.instruction_adherence.turn import Check
from tests.engine.instruction_adherence.scripted import SCRIPTS, script, scripts

GAP = 7


def pattern(template: str) -> re.Pattern[str]:
    """Return a template as a pattern with a group for each of its gaps; a gap that comes back is matched anew."""
    parts = re.split(r"\{(\w+)\}", template)
    seen: list[str] = []
    for at in range(1, len(parts), 2):
        name = parts[at]
        seen.append(name)
        parts[at] = f"(?P<{name}>.+?)" if seen.count(name) == 1 else f"(?P={name})"
    return re.compile("".join(part if at % 2 else re.escape(part) for at, part in enumerate(parts)) + r"(?=\n\n|$| )")


@dataclass
class Account:
    """What a reader of the texts keeps in mind."""

    texts: dict[str, Constraint]
    """Every requirement that the script ever asks for."""
    active: list[str] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    since: dict[str, int] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    quoted: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)

    def read(self, said: str, nth: int) -> None:
        """Take in one turn."""
        self.quoted, self.restored, self.listed = [], [], []
        blocks = [self._event(block, nth) for block in said.split("\n\n")]
        for text in sorted(self._told("\n\n".join(blocks)), key="\n\n".join(blocks).index):
            self.active.append(text)
            self.since[text] = self.heard[text] = nth

    def _told(self, rest: str) -> Iterable[str]:
        return (text for text in self.texts if text in rest)

    def _event(self, block: str, nth: int) -> str:
        """Act on a block that tells of an event; return what is left to read of it."""
        for template in QUOTED:
            if found := pattern(template).fullmatch(block):
                self.quoted.append(found["text"])
                return ""
        for template in RESTORED:
            if found := pattern(template).fullmatch(block):
                self._restore(bare(found["rival"]), bare(found["original"]), nth)
                return ""
        for template in DROPPED:
            if found := pattern(template).match(block):
                self._drop(found["thing"], block)
                return ""
        if block.split("\n")[0] in LISTED:
            for line in block.split("\n")[1:]:
                self.listed.append(line.removeprefix("- "))
                self.heard[bare(line.removeprefix("- "))] = nth
            return ""
        return block

    def _restore(self, rival: str, original: str, nth: int) -> None:
        self.active.remove(rival)
        assert original in self.active
        self.restored.append(original)
        self.heard[original] = nth

    def _drop(self, thing: str, block: str) -> None:
        (gone,) = [text for text in self.active if is_described(self.texts[text], thing, block)]
        self.active.remove(gone)
        self.revoked.append(gone)


def bare(entry: str) -> str:
    return re.sub(r"\AR\d+: ", "", entry)


def is_described(constraint: Constraint, thing: str, block: str) -> bool:
    if type(constraint) not in TRACERS:
        return False
    told = leavings(constraint)
    return told.thing == thing and told.rule in block


def accounts(index: int) -> list[tuple[Account, list[Check]]]:
    """Return the account after each turn beside the checks of that turn."""
    task = script(index)
    texts = {
        check.requirement: check.constraint
        for turn in task.turns
        for check in turn.checks
        if check.active and check.since_turn == task.turns.index(turn) + 1
    }
    result = []
    account = Account(texts)
    for nth, (said, turn) in enumerate(zip(task.payload.turns, task.turns, strict=True), start=1):
        account.read(said, nth)
        snapshot = Account(
            texts, list(account.active), list(account.revoked), dict(account.since), dict(account.heard),
            account.quoted, account.restored, account.listed,
        )  # fmt: skip
        result.append((snapshot, list(turn.checks)))
    return result


read_accounts = cache(accounts)


@pytest.mark.parametrize("index", range(SCRIPTS))
class TestAccounts:
    def test_what_is_active_is_what_the_texts_say_in_order(self, index: int) -> None:
        for account, checks in read_accounts(index):
            assert [check.requirement for check in checks if check.active] == account.active
            assert [check.since_turn for check in checks if check.active] == [account.since[t] for t in account.active]

    def test_what_is_revoked_is_what_the_texts_drop(self, index: int) -> None:
        for account, checks in read_accounts(index):
            gone = [check.requirement for check in checks if check.scored and not check.expect]
            assert gone == account.revoked

    def test_what_is_quoted_stands_in_that_turn_alone(self, index: int) -> None:
        for account, checks in read_accounts(index):
            assert [check.requirement for check in checks if check.quoted] == account.quoted

    def test_a_contradiction_is_restored_by_the_next_turn(self, index: int) -> None:
        turns = read_accounts(index)
        for at, (account, checks) in enumerate(turns):
            pair = [check.requirement for check in checks if check.active and not check.scored]
            restored = turns[at + 1][0].restored if pair else []
            assert restored == pair[:1]
            assert not pair or pair[1] not in turns[at + 1][0].active
            assert bool(pair) == clashes(account)

    def test_patterns_mean_what_they_say(self, index: int) -> None:
        for nth, (account, checks) in enumerate(read_accounts(index), start=1):
            for check in checks:
                assert set(check.patterns) == expected(check, account, nth), (nth, check)

    def test_a_long_gap_is_seven_turns_without_a_word(self, index: int) -> None:
        gaps = 0
        for nth, (_, checks) in enumerate(read_accounts(index), start=1):
            for check in checks:
                if "long_gap" in check.patterns:
                    gaps += 1
                    assert nth >= 8 and check.since_turn <= nth - GAP and check.scored and check.expect
                    assert not any(check.requirement in said for said in script(index).payload.turns[nth - GAP : nth])
        assert (gaps > 0) == (len(read_accounts(index)) > GAP)

    def test_nothing_that_merely_stays_is_mentioned(self, index: int) -> None:
        for nth, (account, checks) in enumerate(read_accounts(index), start=1):
            said = script(index).payload.turns[nth - 1]
            for check in checks:
                if check.active and account.heard[check.requirement] < nth:
                    assert check.requirement not in said

    def test_labels_are_given_in_order_and_kept(self, index: int) -> None:
        labels: dict[str, str] = {}
        for account, checks in read_accounts(index):
            texts = [text for text in account.active if not isinstance(account.texts[text], SelfAudit)]
            if len(texts) < len(account.active):
                for text in texts:
                    labels.setdefault(text, f"R{len(labels) + 1}")
            for check in checks:
                assert check.label == (None if check.quoted else labels.get(check.requirement))

    def test_blocks_speak_of_what_is_active_now(self, index: int) -> None:
        for _, checks in read_accounts(index):
            asked = [check for check in checks if check.active]
            for check in asked:
                others = [other for other in asked if other is not check]
                if isinstance(check.constraint, SelfAudit):
                    assert list(check.constraint.labels) == [other.label for other in others]
                if isinstance(check.constraint, Restate):
                    assert list(check.constraint.requirements) == [other.requirement for other in others]

    def test_a_late_audit_lists_label_and_text_of_all_that_holds(self, index: int) -> None:
        for nth, (account, checks) in enumerate(read_accounts(index), start=1):
            late = nth > 1 and any(isinstance(c.constraint, SelfAudit) and c.since_turn == nth for c in checks)
            old = [check for check in checks if check.active and check.since_turn < nth]
            assert account.listed == ([f"{check.label}: {check.requirement}" for check in old] if late else [])

    def test_new_requirements_stand_once_under_their_labels_in_order(self, index: int) -> None:
        for nth, (_, checks) in enumerate(read_accounts(index), start=1):
            said = script(index).payload.turns[nth - 1]
            new = [check for check in checks if check.active and check.since_turn == nth]
            places = [said.index(check.requirement) for check in new]
            assert places == sorted(places)
            assert all(said.count(check.requirement) == 1 for check in new)
            assert all(check.label is None or f"{check.label}: {check.requirement}" in said for check in new)


def clashes(account: Account) -> bool:
    """Whether two of the active requirements exclude each other, by the rules for two of them alone."""
    asked = [account.texts[text] for text in account.active]
    return any(parameter_conflict((one, other)) for nth, one in enumerate(asked) for other in asked[:nth])


def expected(check: Check, account: Account, nth: int) -> set[str]:
    if not check.expect:
        return {"revocation"} if check.scored else {"distractor"}
    text, found = check.requirement, set()
    if nth > 1:
        found.add("persistence" if account.since[text] == 1 else "addition")
    if not check.scored or text in account.restored:
        found.add("contradiction")
    if check.scored and nth >= 8 and nth - account.heard[text] >= GAP:
        found.add("long_gap")
    return found


class TestWording:
    def test_the_first_turn_says_that_requirements_stay(self) -> None:
        for task in scripts():
            first, *rest = task.payload.turns
            assert sum(sentence in first for sentence in STANDING) == 1
            assert not any(sentence in said for said in rest for sentence in STANDING)

    def test_a_request_for_an_audit_says_what_later_ones_cover(self) -> None:
        for task in scripts():
            for nth, (said, turn) in enumerate(zip(task.payload.turns, task.turns, strict=True), start=1):
                audits = [check for check in turn.checks if isinstance(check.constraint, SelfAudit) and check.active]
                asked = any(check.since_turn == nth for check in audits)
                assert any(sentence in said for sentence in AUDITED) == asked

    def test_later_requirements_are_told_as_further_ones(self) -> None:
        leads = {lead for group in LEADS.values() for lead in group}
        later = {lead for group in LATER_LEADS.values() for lead in group}
        assert leads.isdisjoint(later)
        for task in scripts():
            assert not any(lead in said for said in task.payload.turns[1:] for lead in leads)
            assert not any(lead in task.payload.turns[0] for lead in later)

    def test_every_wording_is_used(self) -> None:
        said = "\n\n".join(text for task in scripts() for text in task.payload.turns)
        for templates in (STANDING, AUDITED, DROPPED, RESTORED, QUOTED):
            assert all(re.search(pattern(template).pattern, said) for template in templates), templates

    def test_no_wording_holds_a_number_or_a_requirement(self) -> None:
        for sentence in (*STANDING, *AUDITED, *LISTED, *DROPPED, *CANCELLED, *RESTORED, *QUOTED):
            assert not re.search(r'[0-9"\n]', sentence)
