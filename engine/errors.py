"""The errors that clew raises on purpose, and what each one means to the shell.

    ClewError
    ├── UsageError        a value given on the command line or in a file is not usable      exit 2
    ├── ProgramError      a hidden system or its input breaks the grammar                   exit 2
    ├── GenerationError   no puzzle could be drawn for the request                          exit 1
    ├── RenderingError    a payload cannot be told in a domain                              exit 2
    ├── FidelityError     a text does not say what its payload says                         exit 2
    ├── ScoringError      a response could not be scored, which says nothing about it       exit 1
    ├── ProviderError     a model's endpoint failed, or left items without an answer          exit 1
    ├── StoreError        a database file is missing, foreign, damaged, newer or busy       exit 2
    └── ConflictError     an answer was already given and is not the one offered now        exit 2

A message has three parts in one line: what failed, the offending value, what would be right. Messages
name public ids only, never a rule, a flag, a probability, a seed or a label that a person did not give.
"""

from __future__ import annotations

from pathlib import Path

LONGEST_QUOTE = 200
"""Characters of one offending value in a message."""


def quoted(value: object) -> str:
    """Return the repr of an offending value for a message: one line, cut in the middle if long."""
    text = repr(value)
    if len(text) <= LONGEST_QUOTE:
        return text
    half = (LONGEST_QUOTE - len(" ... ")) // 2
    return f"{text[:half]} ... {text[-half:]}"


def place_of(error: BaseException) -> str:
    """Name the class and place of an unexpected error, and no value: a message might hold one that is secret."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "nowhere"
    return f"{type(error).__name__} at {where}"


def outside_trouble(error: BaseException) -> str:
    """Say what to do about an error that what was given, or the machine, is to blame for; empty for any other."""
    match error:
        case UnicodeError():
            return "a name or a text given is not valid Unicode; give it in UTF-8"
        case OSError():
            return f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}; it stopped there"
        case MemoryError():
            return "out of memory; give less at once"
        case RecursionError():
            return "what was given is nested too deeply to be read; a file of the kind asked for is needed"
        case _:
            return ""


def one_line(text: str) -> str:
    """Return a text as one line that steers no terminal: what cannot be printed is spelled out."""
    folded = " ".join(text.split())
    if folded.isascii() and folded.isprintable():
        return folded
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in folded)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 word, 2 words."""
    return f"{number} {one if number == 1 else many or one + 's'}"


class ClewError(Exception):
    """Base of all errors with a message meant for people."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """The next command to run or thing to do; empty when the message says it all."""

    def line(self) -> str:
        """Return message and hint as the one line that is printed."""
        text = f"{self.message} ({self.hint})" if self.hint else self.message
        return one_line(text)


class UsageError(ClewError):
    exit_code = 2


class ProgramError(ClewError):
    exit_code = 2


class GenerationError(ClewError):
    exit_code = 1


class RenderingError(ClewError):
    exit_code = 2


class FidelityError(ClewError):
    exit_code = 2


class ScoringError(ClewError):
    exit_code = 1


class ProviderError(ClewError):
    exit_code = 1


class StoreError(ClewError):
    exit_code = 2


class ConflictError(ClewError):
    exit_code = 2
