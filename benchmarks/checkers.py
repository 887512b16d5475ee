"""Checkers: all types on a response parsed once, against the 25 IFEval types of lm-eval, in one run on the same texts.

The peer lives in an environment of its own, since it brings many packages:

    python -m venv peer && peer/bin/pip install --no-deps lm_eval
    peer/bin/pip install langdetect immutabledict nltk packaging
    python benchmarks/checkers.py --peer peer/bin/python

Two peer types need NLTK's `punkt_tab`. Where `nltk.download` has no way out, the wheel of llama-index-core carries it:

    pip download --no-deps llama-index-core && unzip llama_index_core-*.whl 'llama_index/core/_static/nltk_cache/*'
    NLTK_DATA=llama_index/core/_static/nltk_cache python benchmarks/checkers.py --peer peer/bin/python

Peer types that cannot run are left out and named; the claims are for all 25. Without --peer only our own figures are
printed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from statistics import median

from measure import verdict

from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.template import render
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import ParagraphLanguage
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.text import Reading
from engine.randomness import Stream

TEXTS, WORDS, ROUNDS = 200, 180, 5
LANGUAGE = ("language:response_language", "change_case:english_capital", "change_case:english_lowercase")
"""Peer types that detect a language."""

PEER = """
import importlib.util, json, random, sys, time, types
home = importlib.util.find_spec("lm_eval").submodule_search_locations[0]
for name in ("lm_eval", "lm_eval.tasks", "lm_eval.tasks.ifeval"):
    sys.modules[name] = types.ModuleType(name)  # its own __init__ files load data sets and torch
    sys.modules[name].__path__ = ["/".join([home, *name.split(".")[1:]])]
from lm_eval.tasks.ifeval import instructions_registry as registry
texts = json.loads(sys.stdin.readline())
made, skipped = {}, []
for name, kind in sorted(registry.INSTRUCTION_DICT.items()):
    try:
        random.seed(0)
        one = kind(name)
        keys = set(one.get_instruction_args_keys())
        given = {"prompt_to_repeat": "Repeat this."} if "prompt_to_repeat" in keys else {}
        one.build_description(**given)
        for text in texts[:3]:
            one.check_following(text)
        made[name] = one
    except Exception as error:
        skipped.append(f"{name} ({type(error).__name__})")
print(json.dumps({"types": sorted(made), "skipped": skipped}), flush=True)
for line in sys.stdin:
    left_out = set(json.loads(line))
    chosen = [one for name, one in made.items() if name not in left_out]
    start = time.process_time()
    for text in texts:
        for one in chosen:
            one.check_following(text)
    print(json.dumps(time.process_time() - start), flush=True)
"""


def texts() -> list[str]:
    """Return plain English texts of about 180 words."""
    made = []
    for index in range(TEXTS):
        words = render(generate_skeleton(6, 77, index).payload).text.split(" ")
        made.append(" ".join(words[:WORDS]).rstrip(",;:") + ".")
    return made


def constraints(*, language: bool) -> list[Constraint]:
    """Return one constraint of every type."""
    kinds = [kind for kind in ALL if language or kind is not ParagraphLanguage]
    return [kind.sample(Stream("benchmark/checkers", kind.id)) for kind in kinds]


def parsed_once(responses: Sequence[str], checks: Sequence[Constraint]) -> None:
    for response in responses:
        reading = Reading(response)
        for check in checks:
            check.check(reading)


def parsed_anew(responses: Sequence[str], checks: Sequence[Constraint]) -> None:
    for response in responses:
        for check in checks:
            check.check(Reading(response))


def seconds(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="Python of an environment with lm-eval.")
    responses = texts()
    told = hashlib.sha256("\n".join(responses).encode()).hexdigest()[:16]
    print(f"clew {version('clew')}, Python {platform.python_version()}, {TEXTS} texts of {WORDS} words, digest {told}")
    plain, full = constraints(language=False), constraints(language=True)
    parsed_once(responses[:2], full)  # loads the detector and the dictionary before the clock starts
    ours: dict[str, Callable[[], None]] = {
        f"{len(plain)} types, parsed once": lambda: parsed_once(responses, plain),
        f"{len(full)} types, with paragraph_language": lambda: parsed_once(responses, full),
        f"{len(plain)} types, parsed for every checker": lambda: parsed_anew(responses, plain),
    }
    peer = start_peer(parser.parse_args().peer, responses)
    spent: dict[str, list[float]] = {name: [] for name in ours}
    for _ in range(ROUNDS):
        for name, work in ours.items():
            spent[name].append(seconds(work))
        for name, left_out in () if peer is None else (("peer", ()), ("peer without languages", LANGUAGE)):
            spent.setdefault(name, []).append(float(ask(peer, list(left_out))))
    rates = {name: TEXTS / median(times) for name, times in spent.items()}
    for name, rate in rates.items():
        print(f"  {name:44} {rate:8.0f} responses a second")
    if peer is None:
        return 0
    once, language, _ = list(ours)
    held = [
        verdict("all types but paragraph_language, against the peer", rates[once] / rates["peer"], 15),
        verdict("the same, both sides without languages", rates[once] / rates["peer without languages"], 7),
        verdict("with paragraph_language, against the peer", rates[language] / rates["peer"], 2),
    ]
    return 0 if all(held) else 1


def start_peer(python: str | None, responses: Sequence[str]) -> subprocess.Popen[str] | None:
    """Start the peer and tell what it can check; None without one."""
    if python is None:
        print("no --peer given: lm-eval is not measured")
        return None
    peer = subprocess.Popen(
        [python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    told = ask(peer, responses)
    assert isinstance(told, dict)
    print(f"peer: {len(told['types'])} types; left out: {', '.join(told['skipped']) or 'none'}")
    return peer


def ask(peer: subprocess.Popen[str], question: object) -> object:
    """Send one line and read one back; other output of the peer is passed over."""
    assert peer.stdin is not None and peer.stdout is not None
    peer.stdin.write(json.dumps(question) + "\n")
    peer.stdin.flush()
    for line in peer.stdout:
        if line.startswith(("{", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")):
            return json.loads(line)
    raise SystemExit("the peer ended; run its Python by hand to see why")


if __name__ == "__main__":
    sys.exit(main())
