"""Prints the rows of the v1 taskset of writing tasks, and what it says to illegal arguments."""

import json

from instruction_adherence_v1 import WritingConfig, WritingTaskset
from refusals import refusals

NAME = "instruction_adherence_v1"


def load(**arguments):
    return list(WritingTaskset(WritingConfig(id=NAME, **arguments)))


rows = [
    {
        "uid": task.key,
        "said": [task.data.prompt] if task.data.prompt else [],
        "fields": sorted(task.data.model_dump(exclude_defaults=True)),
        "text": task.data.model_dump_json(),
    }
    for task in load(mode="both", split="held_out_combos", num_examples=3, seed=0)
]
print(json.dumps({"rows": rows, "refused": refusals(load)}))
