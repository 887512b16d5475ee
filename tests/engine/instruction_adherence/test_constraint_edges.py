"""Near misses and hard accepts of every type, beyond the labelled cases; on a failure, where it is."""

from __future__ import annotations

from typing import Any

import pytest

from engine.instruction_adherence.constraint import MOST_SPANS
from engine.instruction_adherence.constraints.registry import TYPES, constraint_of
from engine.instruction_adherence.text import Reading

RESTATED = "REQUIREMENTS:\nBe kind.\nEND REQUIREMENTS\na"
P2 = "One two three.\n\nFour five six."
LIST = "1. Mix\n   - flour\n   - water\n2. Knead\n3. Rest"
SUBLIST = {"items": 3, "item_with_sublist": 1, "min_entries": 2}
WORDED = {"open": "BEGIN RESPONSE", "close": "END RESPONSE"}
SQUARE = {"open": "[[START]]", "close": "[[END]]"}
KIND, BOTH = {"requirements": ["Be kind."]}, {"requirements": ["Be kind.", "Be  brief."]}
FIRST, SECOND = {"paragraph": 1, "language": "German"}, {"paragraph": 2, "language": "German"}
GERMAN = "Das Brot ist heute besonders frisch und die Leute stehen lange vor dem Laden."
ENGLISH = "The bread is very fresh today and the people stand in front of the shop."
ROWS: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    "length.word_range": [
        ({"min": 2, "max": 3}, "+one two", "+one two three"),
        ({"min": 2, "max": 3}, "-one", "-one two three four"),
        ({"min": 1, "max": 1}, "-", "-12 34"),
        ({"min": 3, "max": 3}, "+# One\n<<two>>\nthree", "+a. one two three"),
    ],
    "length.sentence_count": [
        ({"n": 2}, "+One. Two", "-One. Two. Three"),
        ({"n": 2}, "+- One\n- Two", '-He said "One." Two.'),
        ({"n": 1}, "-", "-... 5."),
        ({"n": 2}, "+e.g. this is it.", "+i.e. this."),
    ],
    "length.paragraph_count": [
        ({"n": 2}, f"+{P2}", f"-{P2}\n\nSeven."),
        ({"n": 1}, "-- a\n- b", "+# Head\nText\n- a\nmore"),
    ],
    "length.bullet_count": [
        ({"n": 2}, "+- a\n  - b", "-- a\n- b\n* c"),
        ({"n": 2}, "+1. x\n- a\n- b", "-- a\n-\tb"),
        ({"n": 2}, "--a\n-b", "-- a\n• b"),
    ],
    "length.paragraph_word_range": [
        ({"min": 3, "max": 4}, f"+{P2}", f"-{P2}\n\nSeven eight."),
        ({"min": 3, "max": 4}, "-", "+# A very long heading that is not counted\nOne two three."),
    ],
    "length.sentence_max_words": [
        ({"fewer_than": 4}, f"+{P2}", "-One two three four."),
        ({"fewer_than": 4}, "-", "-- one two three four"),
    ],
    "length.nth_longest": [
        ({"nth": 1}, "+One two.\n\nThree.", "-One two.\n\nThree four."),
        ({"nth": 1}, "-One two.", "-"),
    ],
    "length.nth_shortest": [
        ({"nth": 2}, "+One two.\n\nThree.", "-One two.\n\nThree four."),
        ({"nth": 1}, "-One two.", "-\n\n"),
    ],
    "length.increasing_paragraphs": [
        ({"min_paragraphs": 2}, "+One.\n\nTwo three.", "-One two.\n\nThree four."),
        ({"min_paragraphs": 1}, "+One.", "-"),
        ({"min_paragraphs": 2}, "-One.\n\nTwo three.\n\nFour.", "-One.\n\n- two three"),
    ],
    "lex.lipogram": [
        ({"letter": "E"}, "+Warm food.", "-Warm fооd, naïv\u0435."),
        ({"letter": "I"}, "-ısland", "-ⅷ"),
        ({"letter": "O"}, "-Ω\u03bf", "+12 !"),
        ({"letter": "E"}, "-ｅ", "-e\u0301"),
        ({"letter": "S"}, "+ß", "-ſ"),
        ({"letter": "A"}, "+REQUIREMENTS:\nany\nEND REQUIREMENTS\nor", "-a. fox"),
    ],
    "lex.forbidden_words": [
        ({"words": ["new"]}, "+The news is renewed newly.", "-The newest."),
        ({"words": ["child"]}, "-A child-like smile.", "-The children's room."),
        ({"words": ["good"]}, "-A better day.", "+Goodness."),
        ({"words": ["just"]}, "-j\u0443st or \u0458ust", "-ＪＵＳＴ"),
        ({"words": ["blorp"]}, "-a blorp’s hat", "+blorped"),
        ({"words": ["children"]}, "-a child", "+childhood"),
    ],
    "lex.word_exact_k": [
        ({"word": "garden", "k": 1}, "+Garden gardens garden's garden-gate", "-A garden, a garden."),
        ({"word": "garden", "k": 0}, "+Nothing", "-Garden"),
        ({"word": "garden", "k": 1}, "-g\u0430rden", "+gar\u00adden"),
        ({"word": "straße", "k": 1}, "+STRASSE", "-strase"),
    ],
    "lex.word_order": [
        ({"first": "plan", "second": "outcome"}, "+Plan, outcome, plan.", "-Plan."),
        ({"first": "plan", "second": "outcome"}, "-Plans, outcome.", "-Outcome, plan, outcome."),
    ],
    "lex.no_repeat": [
        ({"max_times": 1, "allowed": ["a"]}, "+A cat, a dog.", "-A cat, a Cat."),
        ({"max_times": 1, "allowed": []}, "+", "-STRASSE Straße"),
        ({"max_times": 1, "allowed": []}, "+cat cat's cats cat-like", "-# cat\ncat"),
    ],
    "lex.distinct_sentence_starts": [
        ({}, "+Apples. Bees. Cats.", "-Apples. Éclairs. Elks."),
        ({}, "-", "-Ωmega. Apples."),
        ({}, "+# Any\nAn apple.", "-- apple\n- ant"),
    ],
    "lex.acrostic": [
        ({"word": "BE"}, "+**B**ig.\n\n[2] É tu.", "-Big.\n\nSmall."),
        ({"word": "be"}, "+# Xylophone\nBig.\n\nEnd.", "-Big.\n\nEnd.\n\nMore."),
        ({"word": "B"}, "-", "-\u0412\u0456g."),
    ],
    "lex.exact_phrase": [
        ({"phrase": "for now"}, "+Stop for now.", "-Stop For now."),
        ({"phrase": "for now"}, "-Therefor now", "-for nowhere"),
        ({"phrase": "for now"}, "+for nowhere but for now", "-for now-ish"),
        ({"phrase": "for now"}, "+2for now3", "-o'for now"),
        ({"phrase": "don't go"}, "+I don't go", "-I don’t go"),
        ({"phrase": "caf\u00e9 au lait"}, "+cafe\u0301 au lait", "-cafe au lait"),
    ],
    "lex.synonym_ban": [
        ({"words": ["show", "reveal"]}, "+A revelation.", "-It shows."),
        ({"words": ["show", "reveal"]}, "-A show-off.", "-SHOWN"),
        ({"words": ["show", "reveal"]}, "+shower", "-reveal's"),
    ],
    "lex.no_commas": [
        ({}, "+It is 3.5; fine", "-1,000"),
        ({}, "-一、二", "-a، b"),
        ({}, "+ș ț \u201a", "-SELF-AUDIT\nR1: yes, it is"),
        ({}, "+", "-a\ufe50b"),
    ],
    "struct.headers": [
        ({"headers": ["## A"]}, "+## A  \ntext", "-## A ##\ntext"),
        ({"headers": ["## A"]}, "- ## A\ntext", "-## A\n# B"),
        ({"headers": ["## A", "## B"]}, "-## B\n## A", "-## a\n## B"),
        ({"headers": ["## Caf\u00e9"]}, "+## Cafe\u0301", "-## Cafe"),
    ],
    "struct.numbered_sublist": [
        (SUBLIST, f"+{LIST}", f"-{LIST}\n   - more"),
        (SUBLIST, "+1) Mix\n\n\ta. flour\n\n\t2. water\n2) Knead\n\n3. Rest", "-1. Mix\n   - flour\n2. Knead\n3. Rest"),
        (SUBLIST, f"-{LIST}\n4. Bake", f"-{LIST}\n\nAfter that:\n1. Eat"),
        (SUBLIST, f"+{LIST}\n\nAfter that:\n  - eat", "-1. Mix\n - flour\n - water\n2. Knead\n3. Rest"),
        (SUBLIST, f"-{LIST.replace('3.', '03.')}", f"-{LIST.replace('2. Knead', '3. Knead')}"),
    ],
    "struct.wrapped": [
        ({"open": "<<<", "close": ">>>"}, "+ <<<a>>> ", "-<<<5>>>"),
        ({"open": "<<<", "close": ">>>"}, "-[[START]]a[[END]]", "-x <<<a>>>"),
        (WORDED, "+BEGIN RESPONSE\na\nEND RESPONSE", "-BEGIN RESPONSEa END RESPONSE"),
        (SQUARE, "+[[START]]a\nSELF-AUDIT\nR1: yes\n[[END]]", "-[[START]]a[[END]]\nSELF-AUDIT\nR1: yes"),
    ],
    "struct.json_keys": [
        ({"keys": ["a", "b"]}, '+ {"a": {"c": [1, null]}, "b": -2.5e3}\n', '-{"a": 1, "b": 2, "b": 3}'),
        ({"keys": ["a", "b"]}, '-{"a": 1, "b": 2,}', '-{"a": Infinity, "b": 2}'),
        ({"keys": ["a"]}, '-{"a": 1} ok', "-" + "[" * 5000),
        ({"keys": ["a"]}, '+{"a": ' + "9" * 5000 + "}", '-[["a", 1]]'),
        ({"keys": ["a"]}, '+<<<{"a": 1}>>>', '-"a"'),
        ({"keys": ["\u00e9"]}, '+{"e\\u0301": 1}', "-{'\u00e9': 1}"),
    ],
    "struct.first_last_word": [
        ({}, "+Bread is bread!", "-Bread"),
        ({}, "+# Bread\n\nmore bread", "-Bread breads"),
        ({}, "+[1] “Don’t” – 3 don't.", "-a. bread and bread-like"),
    ],
    "struct.ends_question": [
        ({}, "+Why? \n\n", "-Why？"),
        ({}, "-?", '-Why?"'),
        ({}, "+Why?\nSELF-AUDIT\nR1: yes", "-"),
    ],
    "struct.alternating_lines": [
        ({"min_lines": 2, "long_min": 3, "short_max": 1}, "+one two three\n\none", "-one\none two three"),
        ({"min_lines": 2, "long_min": 3, "short_max": 1}, "-one two three\n---\n", "-one two three"),
        ({"min_lines": 2, "long_min": 3, "short_max": 1}, "+- one two three\n# one", "-one two three\n5"),
    ],
    "struct.sections": [
        ({"n": 2, "separator": "---"}, "+a\n---  \nb", "-a\n--- \n---\nb"),
        ({"n": 2, "separator": "---"}, "-a\n---", "-a\n***\nb"),
        ({"n": 1, "separator": "---"}, "+a", "-"),
    ],
    "struct.title": [
        ({}, "+<<<<<a>>\nb>>>", "-<<<a>>>"),
        ({}, "-<<>>\na", "-<<a>> b"),
        ({}, "+REQUIREMENTS:\nx\nEND REQUIREMENTS\n<<a>>\nb", "-"),
    ],
    "struct.bold_count": [
        ({"n": 1}, "+**a\nb**", "-**a\nb\nc**"),
        ({"n": 1}, "-***a***", "-**a** ****"),
        ({"n": 1}, "+***\n**a**\n***", "-**a** <b>b</b>"),
        ({"n": 1}, "-**a\n***\nb**", "+* **a\n* b**"),
        ({"n": 1}, "-**a** __b__", "+**a** snake__case ____"),
        ({"n": 1}, "-**a** <strong class='x'>b", "-** a**"),
        ({"n": 2}, "+# **a** and **b**", "-**a** **b"),
    ],
    "lang.paragraph_language": [
        (FIRST, f"+# Brot\n{GERMAN}\n- bread rolls are here\n\n{ENGLISH}", f"-{GERMAN} {ENGLISH}"),
        (SECOND, f"+{ENGLISH}\n\n{GERMAN.upper()}", f"-{GERMAN}"),
        (FIRST, f"+{GERMAN}", "-"),
    ],
    "lang.lowercase": [
        ({"allowed": ["Priya", "McKay"]}, "+priya, Priya’s and McKay", "-Priya-led"),
        ({"allowed": []}, "+all small ß", "-ǅ"),
        ({"allowed": []}, "-Ⅷ", "-Ⓐ"),
        ({"allowed": ["Priya"]}, "-PRIYA'S", "-Mckay"),
    ],
    "lang.no_contractions": [
        ({}, "+'tis the dogs' bone", "-it’s"),
        ({}, "-rock'n'roll", "+5's"),
    ],
    "lang.second_person": [
        ({"min_you": 1}, "+You, i.e. the US reader, mineral.", "-You and a gold mine: mine."),
        ({"min_you": 1}, "-YOU AND US", "-Your turn."),
        ({"min_you": 1}, "-You; I’m here", "-You: let's go"),
        ({"min_you": 1}, "-You in chapter I", "-You, i say"),
        ({"min_you": 2}, "-You you're", "+You, you let it be."),
    ],
    "lang.present_tense": [
        ({}, "+She sells bread.", "-She has sold bread."),
        ({}, "-", "-It’ll rain."),
    ],
    "lang.no_passive": [
        ({}, "+She is tired.", "-It isn’t eaten."),
        ({}, "-123", "-It’s made here."),
    ],
    "lang.caps_limit": [
        ({"max": 1}, "+A NASA-funded X-RAY", "-NASA ESA"),
        ({"max": 0}, "+", "-I'M"),
        ({"max": 0}, "+A B C", "-ÉTÉ"),
    ],
    "pos.word_in_paragraph": [
        ({"word": "quietly", "paragraph": 2}, "+A.\n\nQuietly, quietly.\n\n- quietly", "-Quietly.\n\nQuietly."),
        ({"word": "quietly", "paragraph": 2}, "-A.\n\n- quietly\n\nB.", "-A.\n\nB."),
    ],
    "pos.date_after_event": [
        ({"word": "launch", "forms": ["launch", "launches"]}, "+Launch, launches: 2028-02-29.", "-Launch 2027-02-29."),
        ({"word": "launch", "forms": ["launch"]}, "-2028-02-28 launch.", "-Launch 12028-02-28."),
        ({"word": "launch", "forms": ["launch"]}, "-Launch. 2028-02-28", "-# Launch 2028-02-28"),
        ({"word": "launch", "forms": ["launches"]}, "+launch 2028-02-28", "-launch-day 2028-02-28"),
    ],
    "pos.topic_order": [
        ({"first": "flour", "second": "oven"}, "+- oven\n\nFlour.\n\nOven, flour.", "-Flour oven."),
        ({"first": "flour", "second": "oven"}, "-Flour.", "-# Flour\n\nOven."),
    ],
    "pos.mention_ratio": [
        ({"more": "bakery", "fewer": "oven", "ratio": 2}, "+- bakery\n- bakery oven oven", "-Bakery bakery. Oven."),
        ({"more": "bakery", "fewer": "oven", "ratio": 2}, "-", "-Bakery. Bakery."),
        ({"more": "bakery", "fewer": "oven", "ratio": 2}, "-# Bakery\nBakery. Oven.", "-Bakeries. Bakeries. Oven."),
    ],
    "pos.however_once": [
        ({}, "+- **“However** it is”", "-However-minded. No."),
        ({}, "-# However\nNo.", "-However. However."),
    ],
    "pos.final_paragraph_start": [
        ({"phrase": "In short"}, "+A.\n\n[2] **“In short**, b.”\n\n- end", "-A.\n\nIn shorts."),
        ({"phrase": "In short"}, "+In short: one.", "-In  short"),
        ({"phrase": "In short"}, "+# End\n[3]\nIn short, so", "-"),
        ({"phrase": "In short"}, "-In short-lived joy", "-So, In short"),
    ],
    "pos.nth_sentence_contains": [
        ({"nth": 2, "word": "indeed"}, "+# Indeed\nA. B indeed.", "-A indeed. B."),
        ({"nth": 1, "word": "indeed"}, "+- indeed\nA", "-# indeed"),
    ],
    "meta.self_audit": [
        ({"labels": ["R1", "R2"]}, "+a\nSELF-AUDIT:\nR2: YES\n\nR1: no\n", "-a\nSELF-AUDIT\nR1: yes"),
        ({"labels": ["R1"]}, "+[[START]]a\nSELF-AUDIT\nr1: yes[[END]]", "-a\nSELF-AUDIT\nR01: yes"),
        ({"labels": ["R1"]}, "-a\nSELF-AUDIT", "-a\nSELF-AUDIT\nR1: yes\nR2: no"),
    ],
    "meta.restate": [
        (BOTH, "+REQUIREMENTS:\nR2: Be\n brief.\n1) Be kind.\nEND REQUIREMENTS\na", f"-{RESTATED}"),
        (KIND, "+<<<REQUIREMENTS: Be kind.\nEND REQUIREMENTS\na>>>", f"-{RESTATED.replace('Be', 'be')}"),
        (KIND, f"+{RESTATED}", "-REQUIREMENTS:\nEND REQUIREMENTS\nBe kind."),
        (KIND, "-Be kind.", "-REQUIREMENTS:\nBe kind.\na"),
    ],
    "meta.number_paragraphs": [
        ({}, "+[1]\nOne.\n\n# Head\n[2]Two.\n\n- [9] item", "-[1]\n\nOne."),
        ({}, "-", "-- [1] item"),
        ({}, "+<<<[1] One.>>>", "-[1] One.\n\n[3] Two."),
    ],
}  # fmt: skip
"""Per type: parameters and two responses, each marked + (keeps to it) or - (does not)."""
TEXTS = [(name, params, marked) for name, rows in ROWS.items() for params, *responses in rows for marked in responses]


@pytest.mark.parametrize(("name", "params", "marked"), TEXTS)
def test_edge(name: str, params: dict[str, Any], marked: str) -> None:
    verdict = constraint_of(name, params).check(Reading(marked[1:]))
    assert verdict.passed is (marked[0] == "+"), verdict.seen
    assert verdict.seen.isprintable() and len(verdict.seen) < 1500
    assert verdict.spans == () if verdict.passed else True


def test_every_type_has_both_sides() -> None:
    sides = {(name, marked[0]) for name, _, marked in TEXTS}
    assert sides == {(name, side) for name in TYPES for side in "+-"}


@pytest.mark.parametrize(
    ("name", "params", "response", "parts"),
    [
        ("length.word_range", {"min": 1, "max": 2}, "one two three four", ["three four"]),
        ("length.sentence_count", {"n": 1}, "One. Two. Three.", ["Two.", "Three."]),
        ("length.paragraph_count", {"n": 1}, "One.\r\n\r\nTwo.", ["Two."]),
        ("length.bullet_count", {"n": 1}, "- a\n* b", ["* b"]),
        ("length.paragraph_word_range", {"min": 2, "max": 3}, "One two.\n\nThree.", ["Three."]),
        ("length.sentence_max_words", {"fewer_than": 2}, "One. Two three.", ["Two three."]),
        ("length.nth_longest", {"nth": 2}, "One two.\n\nThree four.", ["One two."]),
        ("length.increasing_paragraphs", {"min_paragraphs": 2}, "One.\n\nTwo.", ["Two."]),
        ("lex.lipogram", {"letter": "E"}, "b\u0435e\u0301d", ["\u0435", "e\u0301"]),
        ("lex.forbidden_words", {"words": ["go"]}, "He w\u200bent.", ["w\u200bent"]),
        ("lex.word_exact_k", {"word": "so", "k": 1}, "So so.", ["so"]),
        ("lex.word_order", {"first": "a", "second": "b"}, "B a", ["B"]),
        ("lex.no_repeat", {"max_times": 1, "allowed": []}, "Cat cat CAT", ["cat", "CAT"]),
        ("lex.distinct_sentence_starts", {}, "An ant. An elk.", ["An"]),
        ("lex.acrostic", {"word": "AB"}, "A.\n\nC.", ["C."]),
        ("lex.no_commas", {}, "a, b，", [",", "，"]),
        ("struct.headers", {"headers": ["# A"]}, "# A\n# B", ["# B"]),
        ("struct.numbered_sublist", {"items": 1, "item_with_sublist": 1, "min_entries": 1}, "2. x", ["2. x", "2. x"]),
        ("struct.wrapped", {"open": "<<<", "close": ">>>"}, "abc", ["abc", "abc"]),
        ("struct.first_last_word", {}, "one two", ["one", "two"]),
        ("struct.ends_question", {}, "Why.\n", ["."]),
        ("struct.alternating_lines", {"min_lines": 1, "long_min": 2, "short_max": 1}, "one", ["one"]),
        ("struct.sections", {"n": 1, "separator": "---"}, "a\n---\nb", ["---"]),
        ("struct.title", {}, "\nText", ["Text"]),
        ("struct.bold_count", {"n": 1}, "**a** **b** __c__", ["__", "__", "**b**"]),
        ("lang.lowercase", {"allowed": []}, "a Big Ⓐ", ["Big", "Ⓐ"]),
        ("lang.no_contractions", {}, "it’s", ["it’s"]),
        ("lang.second_person", {"min_you": 1}, "you and me", ["me"]),
        ("lang.present_tense", {}, "She went.", ["went"]),
        ("lang.no_passive", {}, "It is eaten.", ["eaten"]),
        ("lang.caps_limit", {"max": 0}, "a NASA", ["NASA"]),
        ("pos.word_in_paragraph", {"word": "so", "paragraph": 1}, "So.\n\nSo.", ["So"]),
        ("pos.date_after_event", {"word": "launch", "forms": ["launch"]}, "Launch.", ["Launch"]),
        ("pos.topic_order", {"first": "a", "second": "b"}, "B.\n\nA.", ["B"]),
        ("pos.mention_ratio", {"more": "a", "fewer": "b", "ratio": 2}, "A. B.", ["B"]),
        ("pos.however_once", {}, "However. However.", ["However"]),
        ("pos.final_paragraph_start", {"phrase": "So"}, "So.\n\nNo.", ["No."]),
        ("pos.nth_sentence_contains", {"nth": 1, "word": "so"}, "No. So.", ["No."]),
        ("meta.self_audit", {"labels": ["R1"]}, "a\nSELF-AUDIT\nR1: no\nR2: no", ["R2: no"]),
        ("meta.restate", {"requirements": ["x"]}, "REQUIREMENTS:y\nEND REQUIREMENTS", ["y\n"]),
        ("meta.number_paragraphs", {}, "[1] A.\n\nB.", ["B."]),
    ],
)  # fmt: skip
def test_a_failure_shows_its_place(name: str, params: dict[str, Any], response: str, parts: list[str]) -> None:
    verdict = constraint_of(name, params).check(Reading(response))
    assert not verdict.passed
    assert sorted(response[start:end] for start, end in verdict.spans) == sorted(parts)


SUBLIST = {"items": 2, "item_with_sublist": 2, "min_entries": 1}
SIZES = "2 paragraphs of 2, 1 words; second strictly longest asked"


@pytest.mark.parametrize(
    ("name", "params", "response", "seen"),
    [
        ("length.sentence_count", {"n": 10}, "One. " * 13, "13 sentences; 10 asked"),
        ("length.word_range", {"min": 3, "max": 9}, "One.", "1 word; 3 to 9 asked"),
        ("length.nth_longest", {"nth": 2}, "One two.\n\nThree.", SIZES),
        ("lex.lipogram", {"letter": "E"}, "ever", "E used 2 times; 0 asked"),
        ("lex.acrostic", {"word": "AB"}, "A.\n\nC.", "paragraphs spell 'AC'; 'AB' asked"),
        ("pos.nth_sentence_contains", {"nth": 4, "word": "so"}, "A. B.", "2 sentences; no fourth one"),
        ("pos.word_in_paragraph", {"word": "so", "paragraph": 2}, "No.", "'so' in no paragraph; 2 alone asked"),
        ("pos.word_in_paragraph", {"word": "so", "paragraph": 2}, "So.\n\nB.\n\nSo.",
         "'so' in paragraph 1, 3; 2 alone asked"),
        ("struct.headers", {"headers": ["# A", "# B"]}, "No.", "0 headers; '# A', '# B' asked"),
        ("struct.headers", {"headers": ["# A"]}, "# B\n# C", "2 headers: '# B', '# C'; '# A' asked"),
        ("struct.json_keys", {"keys": ["a", "b"]}, "{}", "keys: none; 'a', 'b' asked"),
        ("struct.numbered_sublist", SUBLIST, "No.", "0 numbered items; 2 asked, at least 1 under the second alone"),
        ("struct.numbered_sublist", SUBLIST, "1. a\n   - b\n2. c",
         "2 numbered items with 1, 0 sub-entries; 2 asked, at least 1 under the second alone"),
        ("lang.lowercase", {"allowed": []}, "No.", "capital in 'No'; allowed: none"),
        ("lang.lowercase", {"allowed": ["Ann", "Bo"]}, "No.", "capital in 'No'; allowed: 'Ann', 'Bo'"),
        ("meta.self_audit", {"labels": ["R1", "R2"]}, "a\nSELF-AUDIT\nR1: no",
         "labels: 'R1'; each of 'R1', 'R2' once asked"),
    ],
)  # fmt: skip
def test_a_verdict_says_what_was_found(name: str, params: dict[str, Any], response: str, seen: str) -> None:
    assert constraint_of(name, params).check(Reading(response)).seen == seen


def test_a_verdict_shows_a_bounded_number_of_places() -> None:
    assert len(constraint_of("lex.no_commas", {}).check(Reading("," * 10_000)).spans) == MOST_SPANS
