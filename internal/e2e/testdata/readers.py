"""Holds a Parquet file of an export, as DuckDB, pandas and pyarrow read it, against what
it ought to have: readers.py WANT.json FILE.parquet"""
import json
import sys
from datetime import timezone

import duckdb
import numpy
import pandas
import pyarrow.parquet

want, file = sys.argv[1:]
want = json.load(open(want, encoding="utf-8"))
names, kinds, rows = want["columns"], want["kinds"], want["rows"]


def close(value, kind):
    """What a column of the kind can hold of a value of JSON."""
    return numpy.float32(value) if kind == "float" and value is not None else value


def hold(reader, got):
    got = list(got)
    assert len(got) == len(rows), (reader, len(got), len(rows))
    for n, (mine, row) in enumerate(zip(got, rows)):
        for name, kind, value, cell in zip(names, kinds, row, mine):
            if kind == "instant" and cell is not None:
                cell = cell.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (cell.microsecond // 1000)
            assert cell == close(value, kind) and (cell is None) == (value is None), (reader, n, name, cell, value)


# Types.
schema = pyarrow.parquet.read_schema(file)
arrow = {"text": "string", "int": "int64", "double": "double", "float": "float", "instant": "timestamp[ms, tz=UTC]"}
assert [(f.name, str(f.type)) for f in schema] == [(n, arrow[k]) for n, k in zip(names, kinds)], schema
duck = {"text": "VARCHAR", "int": "BIGINT", "double": "DOUBLE", "float": "FLOAT", "instant": "TIMESTAMP WITH TIME ZONE"}
db = duckdb.connect()
db.execute("SET TimeZone = 'UTC'")
described = [r[:2] for r in db.execute("DESCRIBE SELECT * FROM read_parquet(?)", [file]).fetchall()]
assert described == [(n, duck[k]) for n, k in zip(names, kinds)], described

# Units and descriptions, as either gives the notes of a file.
(note,) = db.execute("SELECT value FROM parquet_kv_metadata(?) WHERE key = 'kinebase'", [file]).fetchone()
assert schema.metadata[b"kinebase"] == bytes(note), (schema.metadata, note)
notes = {c["name"]: c for c in json.loads(bytes(note))["columns"]}
assert list(notes) == names, list(notes)
for name, unit in want["units"].items():
    assert notes[name].get("unit", "") == unit, (name, notes[name], unit)
    assert (schema.field(name).metadata or {}).get(b"unit", b"").decode() == unit, (name, schema.field(name).metadata, unit)
for name, text in want["descriptions"].items():
    assert notes[name].get("description", "") == text, (name, notes[name], text)

# Cells.
columns = ", ".join('epoch_ms("%s") AS "%s"' % (n, n) if k == "instant" else '"%s"' % n.replace('"', '""') for n, k in zip(names, kinds))
instant = kinds.index("instant")
millis = [list(r) for r in db.execute("SELECT %s FROM read_parquet(?)" % columns, [file]).fetchall()]
for r in millis:
    r[instant] = None if r[instant] is None else pandas.Timestamp(r[instant], unit="ms", tz="UTC")
hold("DuckDB", ([numpy.float32(c) if k == "float" and c is not None else c for k, c in zip(kinds, r)] for r in millis))
frame = pandas.read_parquet(file, dtype_backend="pyarrow")
hold("pandas", ([None if c is pandas.NA or c is pandas.NaT else numpy.float32(c) if k == "float" else c for k, c in zip(kinds, r)] for r in frame.itertuples(index=False, name=None)))
plain = pandas.read_parquet(file)
for name, kind in zip(names, kinds):
    missing = sum(r[names.index(name)] is None for r in rows)
    assert plain[name].isna().sum() == missing, (name, plain[name].isna().sum(), missing)
    if kind in ("float", "double"):
        assert plain[name].dtype == {"float": "float32", "double": "float64"}[kind], (name, plain[name].dtype)
print(len(rows), "rows in DuckDB", duckdb.__version__, "and pandas", pandas.__version__)
