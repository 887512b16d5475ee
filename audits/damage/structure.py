"""Damage to structure: headers, lists, wrapper, JSON, first and last word, lines, sections, title, bold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from audits.damage.editing import Edit, Intact, Mutant, Operators, any_index, other_than
from engine.instruction_adherence.cleaning import WRAPPERS
from engine.instruction_adherence.constraints import structure
from engine.instruction_adherence.text import Line
from engine.randomness import Stream

_BOLD = re.compile(r"(?<!\*)\*\*(?!\*)")


def headers(_: structure.Headers, text: Intact, stream: Stream) -> Iterator[Mutant]:
    headings = text.reading.headings
    line = stream.choice(headings)
    shown = text.core[line.start : line.end].rstrip()
    end = line.start + len(shown)
    yield Mutant("header deleted", text.without_lines([line]))
    yield Mutant("header added", text.appended("\n\n## One More"))
    yield Mutant("header changed", text.edited(Edit(end, end, "x")))
    yield Mutant("header closed", text.edited(Edit(end, end, " ##")))
    yield Mutant("header indented", text.edited(Edit(line.start, line.start, " ")))
    yield Mutant("header on another level", text.edited(Edit(line.start, line.start, "#")))
    if shown.swapcase() != shown:
        yield Mutant("header in other case", text.edited(Edit(line.start, end, shown.swapcase())))
    for one, other in pairwise(headings):
        first, second = (text.core[line.start : line.end] for line in (one, other))
        if first.rstrip() != second.rstrip():
            edits = Edit(one.start, one.end, second), Edit(other.start, other.end, first)
            yield Mutant("headers swapped", text.edited(*edits))
    yield text.emptied()


def numbered_sublist(constraint: structure.NumberedSublist, text: Intact, stream: Stream) -> Iterator[Mutant]:
    tops = [line for line in text.reading.items if not line.indent and line.marker[0].isdigit()]
    target = constraint.item_with_sublist - 1
    top = stream.choice(tops)
    yield Mutant("item added", text.appended(f"\n\n{len(tops) + 1}. One more"))
    yield Mutant("last item deleted", text.without_lines(_item(tops[-1], text)))
    yield Mutant("item misnumbered", text.edited(Edit(top.start, top.start + len(top.marker) - 1, "77")))
    if len(tops) > 1:
        other = stream.choice([line for line in tops if line is not tops[target]])
        yield Mutant("sub-list under another item", text.edited(Edit(other.end, other.end, "\n   - stray")))
    entries = _item(tops[target], text)[1:]
    least = len(entries) - constraint.min_entries + 1
    yield Mutant("sub-list too short", text.without_lines(entries[-least:]), least)
    yield Mutant("sub-list deleted", text.without_lines(entries), len(entries))
    yield text.emptied()


def _item(top: Line, text: Intact) -> list[Line]:
    """Return a numbered line and the indented list lines down to the next numbered one."""
    found = [top]
    for line in text.reading.items:
        if line.start > top.start and not line.indent and line.marker[0].isdigit():
            break
        if line.start > top.start and line.indent:
            found.append(line)
    return found


def wrapped(constraint: structure.Wrapped, text: Intact, stream: Stream) -> Iterator[Mutant]:
    whole = text.whole.strip()
    inside = whole.removeprefix(constraint.open).removesuffix(constraint.close)
    other = stream.choice([pair for pair in WRAPPERS if pair[0] != constraint.open])
    yield Mutant("text before it", f"Sure. {whole}")
    yield Mutant("text after it", f"{whole} Done.")
    yield Mutant("other marks", f"{other[0]}{inside}{other[1]}")
    yield Mutant("nothing inside", f"{constraint.open} {constraint.close}")
    if not inside.strip().startswith(constraint.open):
        yield Mutant("opening mark deleted", f"{inside.lstrip()}{constraint.close}")
    if not inside.strip().endswith(constraint.close):
        yield Mutant("closing mark deleted", f"{constraint.open}{inside.rstrip()}")
    if constraint.open.swapcase() != constraint.open:
        yield Mutant("mark in other case", f"{constraint.open.swapcase()}{inside}{constraint.close}")


def json_keys(constraint: structure.JsonKeys, text: Intact, stream: Stream) -> Iterator[Mutant]:
    members = dict(json.loads(text.core, parse_int=str, parse_float=str))
    index = any_index(constraint.keys, stream)
    names = list(members)
    yield Mutant("key deleted", text.with_core(_dumped({k: v for k, v in members.items() if k != names[index]})))
    yield Mutant("key added", text.with_core(_dumped({**members, f"{names[0]}x": "more"})))
    renamed = {f"{k}x" if k == names[index] else k: v for k, v in members.items()}
    yield Mutant("key renamed", text.with_core(_dumped(renamed)))
    if len(names) > 1:
        yield Mutant("keys turned round", text.with_core(_dumped({k: members[k] for k in reversed(names)})))
    member = f"{json.dumps(names[index])}: 1"
    yield Mutant("key twice", text.with_core(f"{text.core[:-1].rstrip()}, {member}}}"))
    yield Mutant("trailing comma", text.with_core(f"{text.core[:-1].rstrip()},}}"))
    yield Mutant("no number", text.with_core(_dumped(members)[:-1] + ', "x": NaN}'))
    yield Mutant("code fence", text.with_core(f"```json\n{text.core}\n```"))
    yield Mutant("text before it", text.prefixed("Here it is: "))
    yield Mutant("list around it", text.with_core(f"[{text.core}]"))
    yield text.emptied()


def _dumped(members: dict[str, object]) -> str:
    return json.dumps(members, ensure_ascii=False)


def first_last_word(_: structure.FirstLastWord, text: Intact, __: Stream) -> Iterator[Mutant]:
    other, last = other_than(text.reading.written[0]), len(text.reading.words) - 1
    yield Mutant("another word after the last", text.appended(f" {other}"))
    yield Mutant("another word before the first", text.prefixed(f"{other} "))
    yield Mutant("last word replaced", text.replaced([last], other))
    yield Mutant("one word left", text.with_core(text.reading.written[0]))
    yield text.emptied()


def ends_question(_: structure.EndsQuestion, text: Intact, __: Stream) -> Iterator[Mutant]:
    yield Mutant("full stop for the mark", text.with_core(text.core[:-1] + "."))
    yield Mutant("full-width mark", text.with_core(text.core[:-1] + "？"))
    for name, ending in {"quote": '"', "bold mark": "**", "full stop": ".", "sentence": " It is."}.items():
        yield Mutant(f"{name} after the mark", text.appended(ending))
    yield text.emptied()


def alternating_lines(constraint: structure.AlternatingLines, text: Intact, stream: Stream) -> Iterator[Mutant]:
    lines, runs = text.reading.lines, text.reading.line_runs
    first, last = stream.choice(runs[::2])
    fewer = last - first - constraint.long_min + 1
    yield Mutant("long line too short", text.without(range(last - fewer, last)), fewer)
    if len(lines) > 1:
        index = 2 * any_index(lines[1::2], stream) + 1
        more = constraint.short_max + 1 - (runs[index][1] - runs[index][0])
        yield Mutant("short line too long", text.grown((lines[index].start, lines[index].end), more), more)
        yield Mutant("short line emptied", text.replaced(range(*runs[index]), "7"))
    yield Mutant("line without a word added", text.appended("\n***"))
    surplus = len(lines) - constraint.min_lines + 1
    yield Mutant("too few lines", text.without_lines(lines[-surplus:]), surplus)
    yield text.emptied()


def sections(_: structure.Sections, text: Intact, stream: Stream) -> Iterator[Mutant]:
    rules = [line for line in text.reading.lines if text.core[line.start : line.end].rstrip() == "---"]
    yield Mutant("section added", text.appended("\n\n---\n\nOne more."))
    yield Mutant("empty section added", text.appended("\n\n---"))
    if rules:
        rule = stream.choice(rules)
        yield Mutant("separator deleted", text.without_lines([rule]))
        for name, mark in {"stars": "***", "four hyphens": "----"}.items():
            yield Mutant(f"{name} for the separator", text.edited(Edit(rule.start, rule.end, mark)))
        yield Mutant("separator indented", text.edited(Edit(rule.start, rule.start, " ")))
        yield Mutant("separator doubled", text.edited(Edit(rule.end, rule.end, "\n\n---")))
    yield text.emptied()


def title(_: structure.Title, text: Intact, __: Stream) -> Iterator[Mutant]:
    line = text.reading.lines[0]
    shown = text.core[line.start : line.end].strip()
    inside = shown[2:-2]
    changed = {
        "single brackets": f"<{inside}>",
        "brackets deleted": inside,
        "closing brackets deleted": f"<<{inside}",
        "empty title": "<< >>",
        "text after the title": f"{shown} and more",
        "title not first": f"Sure.\n{shown}",
    }
    for name, by in changed.items():
        yield Mutant(name, text.edited(Edit(line.start, line.end, by)))
    if len(text.reading.lines) > 1 and not text.whole.rstrip().endswith(">"):
        yield Mutant("three brackets", text.edited(Edit(line.start, line.end, f"<{shown}>")))
    yield text.emptied()


def bold_count(_: structure.BoldCount, text: Intact, stream: Stream) -> Iterator[Mutant]:
    marks = [Edit(*match.span()) for match in _BOLD.finditer(text.core)]
    index = 2 * any_index(marks[::2], stream)
    yield Mutant("bold deleted", text.edited(*marks[index : index + 2]))
    yield Mutant("mark deleted", text.edited(stream.choice(marks)))
    for name, bold in {
        "phrase": "**more**",
        "underscores": "__more__",
        "tag": "<b>more</b>",
        "stray": "more**",
    }.items():
        yield Mutant(f"bold {name} added", text.appended(f"\n\nOne {bold}."))
    yield Mutant("three stars", text.appended("\n\nOne ***more***."))
    yield text.emptied()


DAMAGE: Operators = {
    structure.Headers: headers,
    structure.NumberedSublist: numbered_sublist,
    structure.Wrapped: wrapped,
    structure.JsonKeys: json_keys,
    structure.FirstLastWord: first_last_word,
    structure.EndsQuestion: ends_question,
    structure.AlternatingLines: alternating_lines,
    structure.Sections: sections,
    structure.Title: title,
    structure.BoldCount: bold_count,
}
