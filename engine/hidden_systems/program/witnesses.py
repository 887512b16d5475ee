"""The same question put to two independent solvers: ProbLog (logic programs) and Storm (Markov chains).

They check `exact`, and they are the peers that its speed is measured against. Both come with the extra `witnesses` and
are imported when first asked. A case is written out step by step, one step a rule met, from the grammar and not from
`Move`, so that a slip in compiling would show. Only attribute conditions are shared with the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem, Value
from engine.hidden_systems.program.semantics import holds


def problog_probability(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> float:
    """Return the probability of PRESENT as ProbLog finds it, model building included."""
    problog = import_module("problog")
    program = import_module("problog.program").PrologString(problog_text(system, attributes, events))
    (probability,) = problog.get_evaluatable().create_from(program).evaluate().values()
    return float(probability)


def storm_probability(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> Fraction:
    """Return the probability of PRESENT as Storm finds it in rational mode, model building included."""
    stormpy = import_module("stormpy")
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.prism")
        path.write_text(prism_text(system, attributes, events), encoding="utf-8")
        program = stormpy.parse_prism_program(str(path))
    (formula,) = stormpy.parse_properties('P=? [F ("done" & "present")]', program)
    model = stormpy.build_model[stormpy.Rational](program, [formula])
    result = stormpy.model_checking(model, formula)
    return Fraction(str(result.get_value(model.initial_states[0])))


def problog_text(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> str:
    """Write a case as a ProbLog program; what held after step n is `name(n)`."""
    codes = _flag_codes(system)
    names = ("record", "invalidated", *codes.values())
    lines = [f"{name}(0) :- fail." for name in names]
    step = 0
    for step, rule in enumerate(_met(system, attributes, events), start=1):
        before = step - 1
        needs = [_problog_condition(c, codes, before) for c in rule.conditions if c.source == "state"]
        lines.append(f"{_decimal(rule.probability)}::trigger({step}).")
        lines.append(f"fires({step}) :- {', '.join([f'trigger({step})', *needs])}.")
        erased = rule.action == "INVALIDATE_RECORD"
        lines += [f"{name}({step}) :- {name}({before})." for name in names if not (erased and name == "record")]
        if rule.action == "ADD_RECORD":
            lines.append(f"record({step}) :- fires({step}), \\+invalidated({before}).")
        elif erased:
            lines.append(f"record({step}) :- record({before}), \\+fires({step}).")
            lines.append(f"invalidated({step}) :- fires({step}).")
        else:
            lines.append(f"{codes[str(rule.target)]}({step}) :- fires({step}).")
    return "\n".join([*lines, f"query(record({step}))."])


def prism_text(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> str:
    """Write a case as a Markov chain in the PRISM language, one step a rule met."""
    codes = _flag_codes(system)
    met = list(_met(system, attributes, events))
    variables = ["record", "invalidated", *codes.values()]
    lines = ["dtmc", "module case", f"step : [0..{len(met)}] init 0;"]
    lines += [f"{name} : bool init false;" for name in variables]
    for step, rule in enumerate(met):
        needs = " & ".join(["true", *(_prism_condition(c, codes) for c in rule.conditions if c.source == "state")])
        effect = {"ADD_RECORD": "(record'=!invalidated)", "INVALIDATE_RECORD": "(record'=false)&(invalidated'=true)"}
        does = effect.get(rule.action) or f"({codes[str(rule.target)]}'=true)"
        chance, on = rule.probability, f"(step'={step + 1})"
        lines.append(f"[] step={step} & ({needs}) -> {chance}: {does}&{on} + {1 - chance}: {on};")
        lines.append(f"[] step={step} & !({needs}) -> {on};")
    lines += [f"[] step={len(met)} -> true;", "endmodule"]
    return "\n".join([*lines, f'label "done" = step={len(met)};', 'label "present" = record;'])


def _met(system: HiddenSystem, attributes: Mapping[str, Value], events: Sequence[str]) -> Iterator[HiddenRule]:
    """Yield the rules met in execution order whose attribute conditions hold."""
    for event in events:
        for rule in system.rules:
            tests = [condition for condition in rule.conditions if condition.source == "attribute"]
            if rule.on_event == event and all(holds(condition, attributes) for condition in tests):
                yield rule


def _flag_codes(system: HiddenSystem) -> dict[str, str]:
    """Return a safe name for every flag."""
    names = {str(rule.target) for rule in system.rules if rule.action == "SET_FLAG"}
    names |= {c.key for rule in system.rules for c in rule.conditions if c.source == "state"}
    return {name: f"flag{nth}" for nth, name in enumerate(sorted(names - {"record", "invalidated"}))}


def _wanted(condition: Condition, codes: Mapping[str, str]) -> tuple[str, bool]:
    """Return the variable that a state condition reads and the truth value that it asks for."""
    if condition.key == "record":
        return "record", condition.value == "PRESENT"
    return codes.get(condition.key, condition.key), condition.value is not False


def _problog_condition(condition: Condition, codes: Mapping[str, str], step: int) -> str:
    name, wanted = _wanted(condition, codes)
    return f"{'' if wanted else chr(92) + '+'}{name}({step})"


def _prism_condition(condition: Condition, codes: Mapping[str, str]) -> str:
    name, wanted = _wanted(condition, codes)
    return name if wanted else f"!{name}"


def _decimal(probability: Fraction) -> str:
    return f"{float(probability):.17f}"
