"""A model that needs no network. Put your own in its place: anything that yields texts."""

import itertools
import re


def answer(text):
    """The words of an answer."""
    if re.search(r"\bcount\b", text, re.IGNORECASE):
        return (f"{number} " for number in itertools.count(1))
    said = f"You said “{text}”. Ask me to count, write on while I do, and stop me."
    return (f"{word} " for word in said.split(" "))
