"""Words that no rendering holds, and the one reading of a number.

A rendering tells counts. A law, the inside of a program, a hedge beside a count or a cue that turns the order of
mention round would say more than the counts do (specification, "Renderer obligations").
"""

from __future__ import annotations

import re
import unicodedata

FORBIDDEN = re.compile(
    r"""(?x) \b(?:
      always | never | must | caus\w* | prevent\w* | because | unless | only\s+if | ensur\w* | guarante\w*
    | flag\w* | veto\w* | rules? | ruled | ruling | trigger\w* | probab\w* | percent\w* | chances?
    | most | mostly | usual\w* | half | halves | halv\w* | rare | rarely | almost | nearly | reliabl\w* | likely
    | sometimes | seldom | typical\w* | unlikely | certainly | surely | roughly | probabl\w* | requir\w*
    | invalidat\w* | latent
    )\b | %"""
)
"""Laws, internals and hedges with their inflections; matched on `plain` text."""

INVERTING = re.compile(r"\b(?:after\w*|before\w*|having|once|since|until|preced\w*|follow\w*|previous\w*|prior|upon)\b")
"""Cues that let events be told in another order than they are done."""

HINTING = re.compile(
    r"""(?x) \b(?:
      start | begin | end | first | second | third | last | final | early | late | initial | next | primary
    | lock | unlock | open | clos | shut | block | guard | gate | seal | reset | stop | cancel | kill | clear
    | enabl | disabl | add | remov | eras | boost | switch | key | arm | prim
    | good | bad | best | worst | high | low | strong | weak | lucky | fatal | stopp | shutt | resett | cancell
    )(?:s|e|es|d|ed|er|ers|ing)?\b"""
)
"""Names that would hint at an order, a role or a valence."""

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

NUMBER = (
    rf"(?<!\w)(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?(?!\w)|(?<!\w)(?:{'|'.join(_ONES)})(?!\w)"
    r"|-?\d{1,3}(?:,\d{3})+(?!\d)|-?\d+"
)
"""A whole number in digits, with or without thousands marks, or in words up to ninety-nine; matched on `plain` text."""

NUMBER_WORD = re.compile(rf"\b(?:{'|'.join((*_ONES, *_TENS))})\b")


def plain(text: str) -> str:
    """Return the form in which texts and names are compared: compatibility-normalised and without case."""
    return unicodedata.normalize("NFKC", text).casefold()


def number(text: str) -> int:
    """Return the value of a text that matches `NUMBER`."""
    if text.lstrip("-")[0].isdigit():
        return int(text.replace(",", ""))
    words = re.split(r"[-\s]", text)
    return sum(_ONES.index(word) if word in _ONES else 10 * (_TENS.index(word) + 2) for word in words)
