"""What a model is asked for a writing task: the brief and nothing else, over several turns as a conversation.

The last user message is the text that a person is shown, byte for byte; what the model wrote before goes back to it
without its thoughts, as the protocol of such endpoints wants it.
"""

from __future__ import annotations

from engine.models.parsing import hear
from engine.models.solver import Message, Question
from engine.public import PresentedTask

DIALOGUE_VERSION = "brief/1"


def dialogue(task: PresentedTask) -> Question:
    """Return the conversation so far with the turn at hand as its last message."""
    messages = []
    for turn in task.earlier:
        messages.append(Message(role="user", text=turn.asked))
        messages.append(Message(role="assistant", text=hear(turn.written).text))
    return Question(messages=(*messages, Message(role="user", text=task.text)))
