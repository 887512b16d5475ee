"""Prints the rows of the v0 environment of writing tasks, and what it says to illegal arguments."""

import json

from instruction_adherence import load_environment
from refusals import refusals

environment = load_environment(mode="both", split="held_out_combos", num_examples=3, seed=0)
rows = [
    {
        "uid": row["info"]["uid"],
        "said": [said["content"] for said in row["prompt"]],
        "fields": sorted({*row, *row["info"]}),
        "text": json.dumps(row),
    }
    for row in environment.get_dataset().to_list()
]
print(json.dumps({"rows": rows, "refused": refusals(load_environment)}))
