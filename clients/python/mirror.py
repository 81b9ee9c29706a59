"""Makes the synchronous client out of the asynchronous one: python mirror.py

_async.py is written by hand. What differs between the two is in the rules below; all else of _sync.py is the same text.
"""

import pathlib
import re

PLACE = pathlib.Path(__file__).parent / "src" / "kinebase"

RULES = (
    (
        r'^"""The asynchronous client\.',
        '"""The synchronous client: made of _async.py by mirror.py, and not written by hand.',
    ),
    (r"\nfrom typing import ", "\nimport time\nfrom typing import "),
    (r"import anyio\n", ""),
    (r"anyio\.sleep", "time.sleep"),
    (r"\basync (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"Awaitable\[None\]", "None"),
    (r"Awaitable, ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__a(enter|exit|iter)__", r"__\1__"),
    (r"\.a(close|read|iter_bytes)\(", r".\1("),
    (r"together_async", "together"),
    (r"several tasks", "several threads"),
)


def mirrored() -> str:
    """The text of _sync.py."""
    text = (PLACE / "_async.py").read_text(encoding="utf-8")
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return text


if __name__ == "__main__":
    (PLACE / "_sync.py").write_text(mirrored(), encoding="utf-8")
