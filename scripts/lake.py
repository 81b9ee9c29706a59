"""Sums an export and the motion tables it was made of up, with DuckDB and Spark: lake.py FOLDER FRAMES.parquet.

What is summed up is the same in both: rows, numbers of frames, seconds, and how many numbers every column of the tables
has that the export has too, and their sum. Lengths are in the files' unit in the tables, and in metres in the export:
GET /columns says which columns are lengths.
"""

import json
import math
import os
import pathlib
import sys
import urllib.request

import duckdb
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

folder, export = pathlib.Path(sys.argv[1]), sys.argv[2]
tables = sorted(str(p) for p in folder.rglob("*.parquet"))


def note(file):
    """What a table says of itself."""
    found = duckdb.execute("SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'kinebase'", [file]).fetchone()
    return json.loads(found[0])


def columns(file):
    return {name: kind for name, kind, *_ in duckdb.execute("DESCRIBE SELECT * FROM read_parquet(?)", [file]).fetchall()}


def lengths():
    """The columns of which the export has metres."""
    names, at = set(), 0
    while at is not None:
        ask = urllib.request.Request(
            f"{os.environ['KINEBASE_URL']}/columns?kind=point&limit=500&offset={at}", headers={"Authorization": f"Bearer {os.environ['KINEBASE_TOKEN']}"}
        )
        with urllib.request.urlopen(ask) as answer:
            page = json.load(answer)
        names |= {c["name"] for c in page["columns"] if c["unit"] == "m"}
        at = page["next_offset"]
    return names


metres = {note(file)["metres"] for file in tables}
if len(metres) != 1 or 0 in metres:
    sys.exit(f"the files have the units {sorted(metres)}: sum those of one unit up at a time")
metres, scaled = metres.pop(), lengths()
whole = columns(export)
names = sorted({name for file in tables for name, kind in columns(file).items() if kind in ("FLOAT", "DOUBLE") and name in whole and name != "time"})


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def by_duckdb(what, **options):
    said = ", ".join(f"{k} = {v}" for k, v in options.items())
    cells = ["count(*)", "sum(frame)", "sum(time)"] + [f"{g}({quoted(n)}::DOUBLE)" for n in names for g in ("count", "sum")]
    return duckdb.execute(f"SELECT {', '.join(cells)} FROM read_parquet(?{', ' + said if said else ''})", [what]).fetchone()


def by_spark(table):
    cells = [f.count(f.lit(1)), f.sum("frame"), f.sum("time")]
    cells += [g(f.col("`" + n.replace("`", "``") + "`").cast("double")) for n in names for g in (f.count, f.sum)]
    return tuple(table.agg(*cells).collect()[0])


spark = SparkSession.builder.master("local[1]").config("spark.sql.caseSensitive", "true").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
sums = {
    "export, DuckDB": by_duckdb(export),
    "export, Spark": by_spark(spark.read.parquet(export)),
    "tables, DuckDB": by_duckdb(tables, union_by_name="true"),
    "tables, Spark": by_spark(spark.read.option("mergeSchema", "true").parquet(str(folder))),
}
factors = [metres if name in scaled else 1 for name in names]
for what in ("tables, DuckDB", "tables, Spark"):
    row = list(sums[what])
    for i, factor in enumerate(factors):
        if row[4 + 2 * i] is not None:
            row[4 + 2 * i] *= factor
    sums[what] = tuple(row)

print(f"{len(tables)} tables, {len(names)} columns of numbers, {sum(n in scaled for n in names)} of them lengths of {metres} m")
for what, row in sums.items():
    total = math.fsum(v for v in row[4::2] if v is not None)
    print(f"{what:15}  {row[0]} rows  {row[1]} frames  {row[2]:.6f} s  {sum(row[3::2])} values  sum {total:.3f}")

first = sums["export, DuckDB"]
for what, row in sums.items():
    for i, (got, want) in enumerate(zip(row, first)):
        if i < 2 or i > 2 and i % 2 == 1:
            same = got == want
        else:  # the export has numbers of 32 bits, and each of them is rounded once
            same = math.isclose(got or 0, want or 0, rel_tol=1e-9, abs_tol=1e-6 if i == 2 else 1e-4 * max(1, row[i - 1]) ** 0.5)
        if not same:
            name = ["rows", "frames", "time"][i] if i < 3 else names[(i - 3) // 2]
            sys.exit(f"{what}: {name} is {got}, and {want} in the export")
print("All sums are the same.")
