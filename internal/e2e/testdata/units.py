"""Holds the columns and units of a Parquet file of frames, as pyarrow reads them, against
what they ought to be, and its numbers against each other in three readers:
units.py UNITS.json FILE.parquet"""
import json
import sys

import duckdb
import pandas
import pyarrow.parquet

units, file = sys.argv[1:]
units = json.load(open(units, encoding="utf-8"))
table = pyarrow.parquet.read_table(file)
table.validate(full=True)
assert b"kinebase" in table.schema.metadata, table.schema.metadata
assert set(table.column_names) == set(units), (table.column_names, units)
for name, unit in units.items():
    field = table.schema.field(name)
    assert str(field.type) == {"frame": "int64", "time": "double"}.get(name, str(field.type)), field
    assert (field.metadata or {}).get(b"unit", b"").decode() == unit, (name, field.metadata, unit)
duck = [list(r) for r in duckdb.connect().execute("SELECT * FROM read_parquet(?)", [file]).fetchall()]
mine = [list(r.values()) for r in table.to_pylist()]
assert duck == mine, (duck[:2], mine[:2])
assert list(pandas.read_parquet(file).columns) == table.column_names
print(table.num_rows, "rows of", len(units), "columns in pyarrow", pyarrow.__version__)
