"""The v1 taskset of writing tasks with a broken checker."""

from broken_checker import plant
from instruction_adherence_v1 import ChatHarness, ScriptedEnv, WritingTaskset


class PlantedTaskset(WritingTaskset):
    def load(self):
        tasks = list(super().load())
        plant()
        return tasks


__all__ = ["ChatHarness", "PlantedTaskset", "ScriptedEnv"]
