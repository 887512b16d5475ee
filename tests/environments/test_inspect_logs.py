"""Logs of a real Inspect come in, and people's answers open in its own reader; Inspect in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.environments.conftest import REQUIRED
from tests.environments.told_tasks import clew
from tests.environments.verifiers_lines import INSTALL_S, ROOT, find_uv

pytestmark = pytest.mark.environments

EVALUATE = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, system_message
rows = json.load(open(sys.argv[1]))
outputs = []
for row in rows:
    output = ModelOutput.from_content("mockllm/model", row["said"])
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    outputs.append(output)
samples = [Sample(input=row["text"], target="GOLD") for row in rows]
task = Task(dataset=MemoryDataset(samples), solver=[system_message("Answer."), generate()])
eval(task, model=get_model("mockllm/model", custom_outputs=outputs), log_dir=sys.argv[2], log_format=sys.argv[3],
     display="none", max_samples=1)
"""
READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
told = [[s.id, s.input, s.output.completion, s.metadata["participant"]] for s in log.samples]
print(json.dumps([log.eval.model, told]))
"""


@pytest.fixture(scope="module")
def inspect(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install clew with Inspect into an environment that was empty before; return its `bin`."""
    venv = tmp_path_factory.mktemp("inspect") / "venv"
    uv = find_uv()
    try:
        if uv:
            run([uv, "venv", "--quiet", "--python", sys.executable, str(venv)])
            run(
                [
                    uv,
                    "pip",
                    "install",
                    "--quiet",
                    "--refresh-package",
                    "clew",
                    "--python",
                    str(venv / "bin/python"),
                    f"{ROOT}[inspect]",
                ]
            )
        else:
            run([sys.executable, "-m", "venv", str(venv)])
            run([str(venv / "bin/python"), "-m", "pip", "install", "--quiet", f"{ROOT}[inspect]"])
    except (OSError, subprocess.SubprocessError) as error:
        if REQUIRED in os.environ:
            pytest.fail(f"Inspect cannot be installed: {getattr(error, 'stderr', '') or error}")
        pytest.skip(f"Inspect cannot be installed: {error}")
    return venv / "bin"


def run(command: list[str], variables: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        command, check=True, timeout=INSTALL_S, capture_output=True, text=True, env={**os.environ, **(variables or {})}
    )
    return done.stdout


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_real_log_is_imported_by_what_was_asked(inspect: Path, tmp_path: Path, form: str) -> None:
    pack = tmp_path / "pack"
    clew("generate", "hidden-systems", "--count", "3", "--length", "short", "--seed", "5", "--out", pack)
    rows = [json.loads(line) for line in clew("export", "payloads", pack)]
    asked = [{"text": row["text"], "said": "ANSWER: PRESENT"} for row in reversed(rows)]
    (tmp_path / "rows.json").write_text(json.dumps(asked), encoding="utf-8")
    variables = {"CLEW_DATA_DIR": str(tmp_path / "data"), "HOME": str(tmp_path)}
    run([str(inspect / "python"), "-c", EVALUATE, str(tmp_path / "rows.json"), str(tmp_path / "logs"), form], variables)
    (log,) = (tmp_path / "logs").glob(f"*.{form}")
    told = run([str(inspect / "clew"), "import", str(log), "--pack", str(pack)], variables)
    assert told.startswith("3 items answered, 0 answered before, 0 without a whole answer, 0 refused, 0 unknown"), told
    assert b"GOLD" not in (tmp_path / "data" / "answers.db").read_bytes()


def test_answers_of_people_open_in_inspects_own_reader(inspect: Path, tmp_path: Path) -> None:
    pack, data = tmp_path / "pack", tmp_path / "answers.db"
    clew("generate", "hidden-systems", "--count", "2", "--length", "short", "--seed", "5", "--out", pack)
    rows = {row["puzzle_id"]: row for row in map(json.loads, clew("export", "payloads", pack))}
    for puzzle in rows:
        clew("answer", "--pack", pack, "--db", data, "--as", "p01", "--puzzle", puzzle, "--answer", "PRESENT")
    (log,) = clew(
        "export", "answers", "--pack", pack, "--answers", data, "--format", "inspect", "--out", tmp_path / "logs"
    )
    model, samples = json.loads(run([str(inspect / "python"), "-c", READ, log], {"HOME": str(tmp_path)}))
    assert model == "human/p01" and len(samples) == 2
    for puzzle, asked, said, who in samples:
        assert asked == rows[puzzle]["text"] and said and who == "p01"
