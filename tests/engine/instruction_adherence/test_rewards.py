"""Rewards, gates and diagnostics against values worked out by hand, and bounds that hold for any text.

The words of made-up responses are `wa wb wc ...`, all different, so that word-4-grams can be counted on fingers: a
response of n words has n - 3 of them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL, TYPES, constraint_of
from engine.instruction_adherence.rewards import (
    FLOOR_WORDS,
    WEIGHTS,
    Score,
    TurnScore,
    caps_below_floor,
    score_turn,
    score_turns,
)
from engine.instruction_adherence.turn import PATTERNS, Check, Turn, turn_of
from engine.randomness import Stream

WORDS = ["w" + a + b for a, b in product("abcdefghij", repeat=2)]
KEYWORDS = ("garden", "tool", "mouse")


def made(count: int, first: int = 0) -> str:
    """Return a text of different words that no constraint, keyword or requirement of these tests has."""
    return " ".join(WORDS[first : first + count])


def check(name: str, requirement: str = "Please.", **fields: Any) -> Check:
    own = ("label", "expect", "scored", "since_turn", "patterns")
    params = {key: value for key, value in fields.items() if key not in own}
    rest = {key: value for key, value in fields.items() if key in own}
    return Check(constraint=constraint_of(name, params), requirement=requirement, **rest)


def turn(*checks: Check, keywords: tuple[str, ...] = KEYWORDS, conflict: tuple[int, int] | None = None) -> Turn:
    return Turn(keywords=keywords, checks=checks, conflict=conflict)


COMMAS = check("lex.no_commas")
TITLE = check("struct.title")
QUESTION = check("struct.ends_question")


def scored(checks: list[Check], response: str) -> TurnScore:
    return score_turn(turn(*checks), response)


class TestSatisfaction:
    def test_all_and_fraction(self) -> None:
        text = f"garden {made(40)}"
        rewards = scored([COMMAS, TITLE, QUESTION], text).rewards
        assert (rewards.all_satisfied, rewards.fraction_satisfied) == (0, Fraction(1, 3))
        rewards = scored([COMMAS, TITLE, QUESTION], f"<<w>>\n{text}?").rewards
        assert (rewards.all_satisfied, rewards.fraction_satisfied) == (1, 1)

    def test_a_revoked_check_counts_and_wants_absence(self) -> None:
        revoked = check("struct.title", expect=False)
        assert scored([COMMAS, revoked], f"garden {made(40)}").rewards.all_satisfied == 1
        found = scored([COMMAS, revoked], f"<<w>>\ngarden {made(40)}").rewards
        assert (found.all_satisfied, found.fraction_satisfied) == (0, Fraction(1, 2))

    def test_disputed_and_quoted_checks_do_not_count(self) -> None:
        disputed = [check("struct.title", scored=False), check("struct.ends_question", scored=False)]
        told = turn(COMMAS, *disputed, conflict=(1, 2))
        assert score_turn(told, f"garden {made(40)}").rewards.fraction_satisfied == 1
        foreign = check("struct.title", scored=False, expect=False)
        assert scored([COMMAS, foreign], f"<<w>>\ngarden {made(40)}").rewards.all_satisfied == 1

    def test_the_same_type_twice_counts_twice(self) -> None:
        twice = [check("lex.word_exact_k", word="wjj", k=1), check("lex.word_exact_k", word="waa", k=1), TITLE]
        assert scored(twice, f"garden {made(40)}").rewards.fraction_satisfied == Fraction(1, 3)


class TestKeywords:
    @pytest.mark.parametrize(
        ("words", "share"),
        [
            ("", 0),
            ("garden", Fraction(1, 3)),
            ("Gardens", Fraction(1, 3)),
            ("gardening garden", Fraction(1, 3)),
            ("GARDEN tools mice", 1),
            ("garden-shed", 0),
            ("gardenia", 0),
        ],
    )
    def test_relevance_is_the_share_of_keywords_used(self, words: str, share: Fraction) -> None:
        assert scored([COMMAS], f"{made(40)} {words}").rewards.task_relevance == share

    def test_no_keyword_closes_the_gate_on_satisfaction_alone(self) -> None:
        rewards = scored([COMMAS], made(40)).rewards
        assert (rewards.all_satisfied, rewards.fraction_satisfied, rewards.no_leakage) == (0, 0, 1)
        assert rewards.total == Fraction(1, 10)

    @pytest.mark.parametrize(
        ("ban", "usable"),
        [
            (check("lex.lipogram", letter="G"), ("tool", "mouse")),
            (check("lex.forbidden_words", words=["tools"]), ("garden", "mouse")),
            (check("lex.synonym_ban", words=["mice", "garden"]), ("tool",)),
            (check("lex.word_exact_k", word="tool", k=0), ("garden", "mouse")),
            (check("lex.word_exact_k", word="tool", k=3), KEYWORDS),
            (check("lex.word_exact_k", word="tool", k=3, expect=False), ("garden", "mouse")),
            (check("struct.title", expect=False), KEYWORDS),
        ],
    )
    def test_banned_keywords_are_left_out(self, ban: Check, usable: tuple[str, ...]) -> None:
        told = turn(ban, COMMAS)
        assert told.usable_keywords == usable
        assert score_turn(told, f"{made(40)} {usable[0]}").rewards.task_relevance == Fraction(1, len(usable))


class TestFloor:
    @pytest.mark.parametrize(("words", "open_"), [(29, False), (30, True)])
    def test_thirty_words(self, words: int, open_: bool) -> None:
        found = scored([COMMAS], f"garden {made(words - 1)}")
        assert found.words == words and found.floored is not open_
        assert (found.rewards.total > 0) is open_
        assert found.outcomes[0].verdict.passed

    def test_blocks_that_are_removed_do_not_count(self) -> None:
        text = f"REQUIREMENTS:\n{made(40)}\nEND REQUIREMENTS\ngarden {made(28)}"
        assert scored([COMMAS], text).floored

    @pytest.mark.parametrize(
        ("constraints", "capped"),
        [
            ([("length.word_range", {"min": 5, "max": 29})], True),
            ([("length.word_range", {"min": 5, "max": 30})], False),
            ([("length.sentence_count", {"n": 4}), ("length.sentence_max_words", {"fewer_than": 8})], True),
            ([("length.sentence_count", {"n": 5}), ("length.sentence_max_words", {"fewer_than": 7})], False),
            ([("length.sentence_count", {"n": 1})], False),
            ([("length.sentence_max_words", {"fewer_than": 2})], False),
            ([("length.paragraph_count", {"n": 2}), ("length.paragraph_word_range", {"min": 1, "max": 14})], True),
            ([("length.paragraph_count", {"n": 2}), ("length.paragraph_word_range", {"min": 1, "max": 15})], False),
            ([("length.paragraph_count", {"n": 1}), ("length.sentence_max_words", {"fewer_than": 2})], False),
            ([("length.word_range", {"min": 1, "max": 50}), ("length.word_range", {"min": 1, "max": 9})], True),
            ([], False),
        ],
    )
    def test_caps_below_the_floor(self, constraints: list[tuple[str, Any]], capped: bool) -> None:
        assert caps_below_floor([constraint_of(*stored) for stored in constraints]) is capped

    def test_a_capped_response_may_be_short(self) -> None:
        short = check("length.word_range", min=2, max=20)
        assert scored([short], "garden work").rewards.all_satisfied == 1
        revoked = [COMMAS, check("struct.title", expect=False)]
        assert scored(revoked, "garden work").floored


class TestLeakage:
    REQUIREMENT = made(20, first=50)

    def response(self, copied: int) -> str:
        """Return 33 words with 30 word-4-grams, of which copied - 3 are the requirement's."""
        return f"garden {made(32 - copied)} {made(copied, first=50)}"

    @pytest.mark.parametrize(
        ("copied", "overlap", "reward"),
        [
            (0, 0, 1),
            (3, 0, 1),
            (4, Fraction(1, 30), 1),
            (9, Fraction(1, 5), 1),
            (10, Fraction(7, 30), Fraction(8, 9)),
            (12, Fraction(3, 10), Fraction(2, 3)),
            (17, Fraction(7, 15), Fraction(1, 9)),
            (18, Fraction(1, 2), 0),
        ],
    )
    def test_overlap_and_reward(self, copied: int, overlap: Fraction, reward: Fraction) -> None:
        found = scored([check("lex.no_commas", self.REQUIREMENT)], self.response(copied))
        assert (found.overlap, found.rewards.no_leakage) == (overlap, reward)
        assert found.copied is (overlap >= Fraction(1, 2))
        assert (found.rewards.total == 0) is found.copied
        assert found.outcomes[0].verdict.passed

    def test_grams_are_counted_once(self) -> None:
        text = f"garden {made(30)} " + " ".join([made(4, first=50)] * 4)
        found = scored([check("lex.no_commas", self.REQUIREMENT)], text)
        assert found.overlap == Fraction(1, 28 + 3 + 4)

    def test_case_and_line_breaks_do_not_hide_a_copy(self) -> None:
        text = self.response(12)
        other = text.upper().replace(" ", "\n")
        one, two = (scored([check("lex.no_commas", self.REQUIREMENT)], response) for response in (text, other))
        assert one.overlap == two.overlap

    def test_a_block_of_requirements_is_exempt_only_where_it_is_asked_for(self) -> None:
        block = f"REQUIREMENTS:\n{self.REQUIREMENT}\nEND REQUIREMENTS\n{self.response(0)}"
        plain = check("lex.no_commas", self.REQUIREMENT)
        asked = check("meta.restate", requirements=[self.REQUIREMENT])
        assert scored([plain, asked], block).overlap == 0
        assert scored([plain], block).overlap == Fraction(17, 47)

    def test_only_active_requirements_can_be_copied(self) -> None:
        gone = check("struct.title", self.REQUIREMENT, expect=False)
        foreign = check("struct.title", self.REQUIREMENT, expect=False, scored=False)
        assert scored([COMMAS, gone, foreign], self.response(18)).overlap == 0

    def test_fewer_than_four_words_overlap_nothing(self) -> None:
        assert scored([check("lex.no_commas", self.REQUIREMENT)], made(3, first=50)).overlap == 0


class TestSelfAudit:
    AUDIT = check("meta.self_audit", labels=["R1", "R2", "R3"])
    CHECKS = (
        check("lex.no_commas", label="R1"),
        check("struct.title", label="R2"),
        check("struct.ends_question", label="R3"),
    )

    @pytest.mark.parametrize(
        ("claims", "body", "accuracy"),
        [
            ("R1: yes|R2: no|R3: no", "{}", 1),
            ("R1: yes|R2: yes|R3: no", "{}", Fraction(2, 3)),
            ("R1: yes|R2: yes|R3: yes", "{}", Fraction(1, 2)),
            ("R1: no|R2: no|R3: no", "{}", 0),
            ("R2: no|R3: no", "{}", 0),
            ("R1: YES", "{}", 1),
            ("R1: yes|R1: no", "{}", 0),
            ("R1: yes|R9: yes", "{}", 1),
            ("R1: yes|R2: yes|R3: no", "{}?", Fraction(1, 2)),
            ("R1: no|R2: no|R3: no", "a, {}", 1),
            ("", "a, {}", 1),
            ("R1: yes|R2: no|R3: no", "a, {}", 0),
        ],
    )
    def test_accuracy(self, claims: str, body: str, accuracy: Fraction) -> None:
        text = body.format(f"garden {made(40)}") + "\n\nSELF-AUDIT\n" + claims.replace("|", "\n")
        assert scored([self.AUDIT, *self.CHECKS], text).rewards.self_audit_accuracy == accuracy

    def test_no_block_is_zero_and_no_request_is_none(self) -> None:
        text = f"garden {made(40)}"
        assert scored([self.AUDIT, *self.CHECKS], text).rewards.self_audit_accuracy == 0
        assert scored(list(self.CHECKS), text).rewards.self_audit_accuracy is None
        revoked = check("meta.self_audit", labels=["R1"], expect=False)
        assert scored([revoked, *self.CHECKS], text).rewards.self_audit_accuracy is None

    def test_disputed_labels_may_be_answered_either_way(self) -> None:
        disputed = [check("struct.title", label="R2", scored=False), check("struct.sections", "Split it.", n=2,
                    separator="---", label="R3", scored=False)]  # fmt: skip
        told = turn(self.AUDIT, self.CHECKS[0], *disputed, conflict=(2, 3))
        for answer in ("yes", "no"):
            text = f"garden {made(40)}\n\nSELF-AUDIT\nR1: yes\nR2: {answer}\nR3: {answer}"
            assert score_turn(told, text).rewards.self_audit_accuracy == 1


class TestConflict:
    TOLD = turn(
        COMMAS,
        check("struct.title", "Open with a title.", scored=False),
        check("struct.json_keys", "Return only a JSON object.", keys=["topic"], scored=False),
        conflict=(1, 2),
    )

    def test_flagging_is_rewarded_on_contradiction_turns(self) -> None:
        text = f"garden {made(40)}"
        assert score_turn(self.TOLD, text).rewards.conflict_flagged == 0
        flagged = score_turn(self.TOLD, f"{text}. The title and the JSON object conflict.").rewards
        assert flagged.conflict_flagged == 1
        assert flagged.total == 1 + Fraction(3, 10) + Fraction(1, 15) + Fraction(1, 10) + Fraction(1, 2)

    def test_a_gate_zeroes_it_too(self) -> None:
        assert score_turn(self.TOLD, "The title and the object conflict.").rewards.conflict_flagged == 0

    def test_elsewhere_there_is_none(self) -> None:
        assert scored([COMMAS], f"The title conflicts. {made(40)}").rewards.conflict_flagged is None


class TestConversation:
    TURNS = (
        turn(COMMAS, check("struct.title", patterns=("persistence",))),
        turn(COMMAS, check("struct.title", expect=False, patterns=("revocation",))),
        turn(COMMAS, check("struct.title", expect=False, scored=False, patterns=("distractor",))),
        TestConflict.TOLD,
    )
    RESPONSES = (
        f"garden {made(40)}",
        f"garden tool {made(40)}",
        f"<<w>>\ngarden tool mouse {made(40)}",
        f"{made(40)}. The title and the JSON object conflict.",
    )

    def score(self) -> Score:
        return score_turns(self.TURNS, self.RESPONSES)

    def test_every_reward_is_a_mean_over_its_turns(self) -> None:
        rewards = self.score().rewards
        assert rewards.all_satisfied == Fraction(0 + 1 + 1 + 0, 4)
        assert rewards.fraction_satisfied == (Fraction(1, 2) + 1 + 1 + 0) / 4
        assert rewards.task_relevance == (Fraction(1, 3) + Fraction(2, 3) + 1 + 0) / 4
        assert rewards.no_leakage == 1
        assert rewards.self_audit_accuracy is None
        assert rewards.conflict_flagged == 1
        assert not self.score().episode_all_satisfied

    def test_diagnostics(self) -> None:
        pairs = self.score().diagnostics()
        expected = {
            "lex.no_commas": (4, 4), "struct.title": (1, 0), "struct.json_keys": (0, 0), "fam_lexical": (4, 4),
            "fam_structure": (1, 0), "fam_meta": (0, 0), "pat_persistence": (1, 0), "pat_revocation": (1, 1),
            "pat_distractor": (1, 0), "pat_contradiction": (0, 0), "turn_1": (2, 1), "turn_2": (2, 2),
            "turn_3": (1, 1), "turn_4": (1, 1), "turn_5": (0, 0),
        }  # fmt: skip
        assert {name: (pairs[f"n_{name}"], pairs[f"pass_{name}"]) for name in expected} == expected

    def test_every_pair_is_always_there(self) -> None:
        names = {f"{kind}_{name}" for name in TYPES for kind in ("n", "pass")}
        names |= {f"{kind}_pat_{name}" for name in PATTERNS for kind in ("n", "pass")}
        pairs = score_turns([turn(COMMAS)], [""]).diagnostics()
        assert names <= set(pairs) and len(pairs) == 2 * (46 + 6 + 6 + 12)

    def test_an_episode_passes_if_every_turn_does(self) -> None:
        good = f"garden {made(40)}"
        assert score_turns([turn(COMMAS)] * 3, [good] * 3).episode_all_satisfied
        assert not score_turns([turn(COMMAS)] * 3, [good, good, made(40)]).episode_all_satisfied

    def test_a_turn_is_scored_on_its_own_response(self) -> None:
        for index, (told, response) in enumerate(zip(self.TURNS, self.RESPONSES, strict=True)):
            assert self.score().turns[index] == score_turn(told, response)

    @pytest.mark.parametrize("count", [0, 3, 5])
    def test_one_response_a_turn(self, count: int) -> None:
        with pytest.raises(UsageError, match=f"{count} responses to a task of 4 turns"):
            score_turns(self.TURNS, [""] * count)

    def test_no_turn_is_refused(self) -> None:
        with pytest.raises(UsageError, match="0 turns"):
            score_turns([], [])

    def test_document_is_plain_json(self) -> None:
        document = self.score().document()
        assert json.loads(json.dumps(document, allow_nan=False)) == document
        assert document["all_satisfied"] == 0.5 and document["self_audit_accuracy"] is None
        assert document["episode_all_satisfied"] == 0 and document["content_floor"] == 1.0
        assert document["reward"] == float(sum(WEIGHTS[n] * v for n, v in self.score().rewards.values() if v))


def test_weights_are_the_specification_s() -> None:
    assert {name: float(weight) for name, weight in WEIGHTS.items()} == {
        "all_satisfied": 1.0, "fraction_satisfied": 0.3, "task_relevance": 0.2, "no_leakage": 0.1,
        "self_audit_accuracy": 0.2, "conflict_flagged": 0.5,
    }  # fmt: skip
    assert FLOOR_WORDS == 30


def any_turn(index: int) -> Turn:
    """Return a turn with checks of all four meanings, drawn by index."""
    stream = Stream("test turn", index)
    kinds: list[type[Constraint]] = stream.sample([k for k in ALL if k.id not in ("lex.lipogram",)], 6)
    drawn = [kind.sample(stream) for kind in kinds]
    checks = [
        Check(constraint=c, requirement=c.render(0), label=f"R{nth}", patterns=(stream.choice(PATTERNS),))
        for nth, c in enumerate(drawn, start=1)
    ]
    audit = check("meta.self_audit", labels=[f"R{nth}" for nth in range(1, 7)])
    dispute = (check("struct.title", "A title.", scored=False), check("struct.json_keys", keys=["a"], scored=False))
    rest = (check("lex.exact_phrase", phrase="by and large", expect=False), check("lang.caps_limit", max=0,
            expect=False, scored=False))  # fmt: skip
    return turn(*checks, audit, *dispute, *rest, keywords=("oak", "kiln", "fox"), conflict=(7, 8))


PIECES = [
    "oak", "kiln fox", "by and large", "<<a>>\n", "SELF-AUDIT\n", "R1: yes\n", "R2: no\n", "REQUIREMENTS:\n",
    "\nEND REQUIREMENTS\n", "conflict", "title.", "\n\n", "- ", "?", ",", made(20), made(30, 40), "\ud800", "[[START]]",
    "A title.", "Write without commas. ", "ONE ", "é", "\r\n",
]  # fmt: skip
ANY_TEXT = st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 30), ANY_TEXT)
def test_any_text_gets_a_sound_score(index: int, text: str) -> None:
    found = score_turn(any_turn(index), text)
    values = {name: value for name, value in found.rewards.values() if value is not None}
    assert all(0 <= value <= 1 for value in values.values()) and len(values) == 6
    assert 0 <= found.rewards.total <= sum(WEIGHTS.values())
    assert found.rewards.all_satisfied in (0, 1) and found.rewards.all_satisfied <= found.rewards.fraction_satisfied
    assert (found.rewards.all_satisfied == 1) == (found.rewards.fraction_satisfied == 1)
    assert not found.zeroed or found.rewards.total == 0
    assert found.keywords_used or found.rewards.fraction_satisfied == 0
    score = score_turns([any_turn(index)], [text])
    assert score.rewards == found.rewards
    pairs = score.diagnostics()
    assert all(0 <= pairs[f"pass_{name[2:]}"] <= count for name, count in pairs.items() if name.startswith("n_"))
    json.dumps(score.document(), allow_nan=False)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 30), ANY_TEXT)
def test_a_check_more_that_is_met_never_lowers_the_fraction(index: int, text: str) -> None:
    before = any_turn(index)
    met = check("length.word_range", min=1, max=10**6)
    after = Turn(keywords=before.keywords, checks=(*before.checks, met), conflict=before.conflict)
    unmet = check("length.word_range", min=10**6, max=10**6)
    lower = Turn(keywords=before.keywords, checks=(*before.checks, unmet), conflict=before.conflict)
    found = [score_turn(t, f"{text} w").rewards.fraction_satisfied for t in (lower, before, after)]
    assert found == sorted(found)
    assert score_turn(lower, f"{text} w").rewards.all_satisfied == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), ANY_TEXT, st.sampled_from(["oak", "kiln", "fox"]))
def test_a_keyword_more_is_used_and_hides_no_other(index: int, text: str, keyword: str) -> None:
    told = any_turn(index)
    used = set(score_turn(told, text).keywords_used)
    assert used | {keyword} <= set(score_turn(told, f"{keyword} {text}").keywords_used)


@given(st.integers(0, 20), st.integers(0, 20))
def test_more_copying_never_pays(one: int, other: int) -> None:
    requirement = made(20, first=50)
    texts = [f"garden {made(40 - copied)} {made(copied, first=50)}" for copied in sorted((one, other))]
    less, more = (score_turn(turn(check("lex.no_commas", requirement)), text) for text in texts)
    assert more.rewards.total <= less.rewards.total and more.overlap >= less.overlap


class TestRecords:
    def test_a_stored_turn_is_read_again(self) -> None:
        for index in range(20):
            told = any_turn(index)
            document = {
                "text": "Write.", "keywords": list(told.keywords), "conflict": list(told.conflict or ()),
                "checks": [item.stored() for item in told.checks], "witness": "w",
            }  # fmt: skip
            assert turn_of(json.loads(json.dumps(document))) == told

    def test_a_single_turn_record_has_the_fields_at_its_top_level(self) -> None:
        record = {
            "puzzle_id": "p", "constraints": [], "witness": "w", "text": "t", "keywords": ["garden"],
            "conflict": None, "checks": [COMMAS.stored()],
        }  # fmt: skip
        assert turn_of(record) == turn(COMMAS, keywords=("garden",))

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"keywords": None}, "keywords"),
            ({"checks": [{"constraint": "lex.no_commas"}]}, "missing required field"),
            ({"checks": [{**COMMAS.stored(), "constraint": "lex.nothing"}]}, "'lex.nothing' is unknown"),
            ({"checks": [{**COMMAS.stored(), "params": {"n": 1}}]}, "unknown parameter 'n'"),
            ({"checks": [{**COMMAS.stored(), "patterns": ["habit"]}]}, "habit"),
            ({"checks": [{**COMMAS.stored(), "expect": False}]}, r"lex\.no_commas cannot be revoked"),
            ({"checks": []}, "no scored check"),
            ({"keywords": []}, "leaves none of the keywords"),
            ({"conflict": [0, 1]}, r"conflict \(0, 1\)"),
            ({"checks": [COMMAS.stored(), {**TITLE.stored(), "scored": False}]}, r"its disputed checks are \[1\]"),
        ],
    )
    def test_what_is_not_a_turn_is_refused(self, change: dict[str, Any], reason: str) -> None:
        document = {"keywords": ["garden"], "conflict": None, "checks": [COMMAS.stored()], **change}
        with pytest.raises(UsageError, match=reason):
            turn_of(document, where="row 3")
