"""The v0 environment of writing tasks with a broken checker."""

import instruction_adherence
from broken_checker import plant


def load_environment(**arguments):
    environment = instruction_adherence.load_environment(**arguments)
    plant()
    return environment
