"""Makes the synchronous client out of the asynchronous one: python mirror.py

_async/ is written by hand. What differs between the two is in the rules below; all else of _sync/ is the same text.
"""

import pathlib
import re
from typing import Dict

PLACE = pathlib.Path(__file__).parent / "src" / "kinebase"

RULES = (
    (r'\A"""(.*)\."""', r'"""\1: made of _async/ by mirror.py, and not written by hand."""'),
    ("asynchronous client", "synchronous client"),
    (r"\n(from typing import [^\n]*\n)\nimport anyio\n", r"\nimport time\n\1\n"),
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


def mirrored() -> Dict[str, str]:
    """The texts of _sync/ by the names of its files."""
    texts = {}
    for file in sorted((PLACE / "_async").glob("*.py")):
        text = file.read_text(encoding="utf-8")
        for pattern, replacement in RULES:
            text = re.sub(pattern, replacement, text)
        texts[file.name] = text
    return texts


if __name__ == "__main__":
    for name, text in mirrored().items():
        (PLACE / "_sync" / name).write_text(text, encoding="utf-8")
