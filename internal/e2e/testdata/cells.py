"""Holds CSV and pages of an export, read with Python's standard library, against what
they ought to have: cells.py WANT.json TABLE.csv PAGES.json"""
import csv
import json
import sys

want, table, pages = sys.argv[1:]
want = json.load(open(want, encoding="utf-8"))
names, kinds = want["columns"], want["kinds"]
with open(table, encoding="utf-8", newline="") as f:
    lines = list(csv.reader(f, strict=True))
pages = json.load(open(pages, encoding="utf-8"))
assert lines[0] == names, (lines[0], names)
assert len(lines) - 1 == len(pages) == len(want["rows"]), (len(lines), len(pages), len(want["rows"]))


def said(text, kind):
    if text == "":
        return None
    if kind in ("text", "instant"):
        return text[1:] if text[0] == "'" else text  # what no spreadsheet may run
    return int(text) if kind == "int" else float(text)


for n, row in enumerate(want["rows"]):
    assert list(pages[n]) == names, (n, list(pages[n]))
    for name, kind, value, text in zip(names, kinds, row, lines[n + 1]):
        assert said(text, kind) == value, ("CSV", n, name, text, value)
        assert pages[n][name] == value and (type(pages[n][name]) is str) == (type(value) is str), ("JSON", n, name, pages[n][name], value)
print(len(want["rows"]), "rows")
