"""A report as one HTML file that needs nothing else, and as Markdown.

No script, no link to another host, no font from elsewhere: the page forbids them itself. Every text is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from audits.people.figures import Figure
from audits.people.sections import Section, Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = """
:root { color-scheme: light dark; --ink: #1b2330; --soft: #5b6675; --line: #d9dee5; --page: #ffffff;
  --people: #1f6fb2; --model: #b4530a; --flag: #a3161b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b4; --line: #38414d; --page: #14181e;
  --people: #6db3ee; --model: #f0a45d; --flag: #ff8f8f; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.2rem; margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
figure { margin: 1.2rem 0; overflow-x: auto; }
figcaption, caption { color: var(--soft); font-size: .875rem; text-align: left; }
.table { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } tr.flag td { color: var(--flag); font-weight: 600; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .tick, svg .note, svg .axis { fill: var(--soft); }
svg .number { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); } svg .zero { stroke: var(--soft); stroke-dasharray: 4 3; }
svg .span { stroke: var(--soft); stroke-width: 2; } svg .dot { fill: var(--soft); }
svg .line { stroke: var(--soft); stroke-width: 1.5; }
svg .hollow { fill: var(--page); stroke: var(--soft); stroke-width: 1.5; }
svg .people { stroke: var(--people); } svg .dot.people { fill: var(--people); stroke: none; }
svg .model { stroke: var(--model); } svg .dot.model { fill: var(--model); stroke: none; }
svg .line.alt { stroke-dasharray: 6 4; }
@media print { body { max-width: none; } }
"""


def html_page(title: str, sections: Sequence[Section]) -> str:
    """Return the whole page."""
    body = "".join(map(_section, sections))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def markdown_page(title: str, sections: Sequence[Section], *, beside_html: bool = True) -> str:
    """Return the same as Markdown; figures are named where there is an HTML file in which they stand."""
    lines = [f"# {_plain(title)}"]
    for section in sections:
        lines += ["", f"## {_plain(section.title)}"]
        for paragraph in section.text:
            lines += ["", _plain(paragraph)]
        for table in section.tables:
            lines += ["", f"*{_plain(table.caption)}*", "", *_markdown_table(table)]
        for figure in section.figures if beside_html else ():
            lines += ["", f"*Figure in the HTML file: {_plain(figure.caption)}*"]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.text)
    return (
        f"<section><h2>{escape(section.title)}</h2>{text}{''.join(map(_figure, section.figures))}"
        f"{''.join(map(_table, section.tables))}</section>"
    )


def _figure(figure: Figure) -> str:
    return f"<figure>{figure.svg}<figcaption>{escape(figure.caption)}</figcaption></figure>"


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    rows = "".join(
        f"<tr{' class=flag' if nth in table.flagged else ''}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for nth, row in enumerate(table.rows)
    )
    return (
        f'<div class="table"><table><caption>{escape(table.caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _markdown_table(table: Table) -> list[str]:
    if not table.rows:
        return ["none"]
    lines = [f"| {' | '.join(map(_cell, table.header))} |", f"|{'---|' * len(table.header)}"]
    for nth, row in enumerate(table.rows):
        cells = [f"**{_cell(cell)}**" if nth in table.flagged else _cell(cell) for cell in row]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a text as one line that Markdown takes literally where it matters."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_<>[]#" else letter for letter in line)
