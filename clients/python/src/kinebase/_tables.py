"""Tables of what came: pandas, polars and Arrow, each only when it is asked for."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_INSTALL = "{0} is not installed, which the table needs: install it, or kinebase with its extra {1}"


def _module(name: str, extra: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise ImportError(_INSTALL.format(name, extra)) from missing


def arrow_of(parts: Sequence[bytes]) -> "pyarrow.Table":
    """One Arrow table of Parquet files with the same columns."""
    pa = _module("pyarrow", "arrow")
    parquet = _module("pyarrow.parquet", "arrow")
    # Threads of pyarrow that still run when the interpreter ends abort it.
    return pa.concat_tables([parquet.read_table(io.BytesIO(part), use_threads=False, pre_buffer=False) for part in parts])


def pandas_of(parts: Sequence[bytes]) -> "pandas.DataFrame":
    """One pandas frame of Parquet files with the same columns."""
    _module("pandas", "pandas")
    frame: "pandas.DataFrame" = arrow_of(parts).to_pandas(use_threads=False)
    return frame


def polars_of(parts: Sequence[bytes]) -> "polars.DataFrame":
    """One polars frame of Parquet files with the same columns."""
    pl = _module("polars", "polars")
    frame: "polars.DataFrame" = pl.concat([pl.read_parquet(io.BytesIO(part)) for part in parts])
    return frame


def need(name: str) -> None:
    """Say that a library is missing before anything is asked for."""
    _module(name, {"pyarrow": "arrow"}.get(name, name))
    if name == "pandas":
        _module("pyarrow", "pandas")


# Columns of lists whose texts are times in UTC, and those that are days.
_TIMES = ("capture_time", "updated_at", "created_at", "createdAt", "completedAt")
_DAYS = ("date_of_birth",)


def _time(text: Optional[str]) -> Optional[datetime]:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def columns_of(rows: Sequence[Mapping[str, Any]], always: Sequence[str]) -> Dict[str, List[Any]]:
    """Rows as columns: those that a list always has, then every key that any row has. Times are times."""
    names: Dict[str, None] = dict.fromkeys(always)
    for row in rows:
        names.update(dict.fromkeys(row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    for name in columns.keys() & {*_TIMES, *_DAYS}:
        times = [_time(text) for text in columns[name]]
        columns[name] = times if name in _TIMES else [None if t is None else t.date() for t in times]
    return columns


def flat_metrics(row: Mapping[str, Any]) -> Dict[str, Any]:
    """A capture with its metrics, each as a column: the number, or the text, or ``None``."""
    flat = {name: value for name, value in row.items() if name != "metrics"}
    for name, metric in row.get("metrics", {}).items():
        flat[name] = metric["text"] if metric["value"] is None else metric["value"]
    return flat


def pandas_rows(rows: Sequence[Mapping[str, Any]], always: Sequence[str]) -> "pandas.DataFrame":
    pd = _module("pandas", "pandas")
    frame: "pandas.DataFrame" = pd.DataFrame(columns_of(rows, always))
    for name in _TIMES:
        if name in frame:
            frame[name] = pd.to_datetime(frame[name], utc=True)
    return frame


def polars_rows(rows: Sequence[Mapping[str, Any]], always: Sequence[str]) -> "polars.DataFrame":
    pl = _module("polars", "polars")
    columns = columns_of(rows, always)
    known = {name: pl.Datetime("us", "UTC") for name in columns if name in _TIMES}
    known.update({name: pl.Date for name in columns if name in _DAYS})
    frame: "polars.DataFrame" = pl.DataFrame(columns, strict=False, infer_schema_length=None, schema_overrides=known)
    return frame


def arrow_rows(rows: Sequence[Mapping[str, Any]], always: Sequence[str]) -> "pyarrow.Table":
    pa = _module("pyarrow", "arrow")
    kinds = {**dict.fromkeys(_TIMES, pa.timestamp("us", "UTC")), **dict.fromkeys(_DAYS, pa.date32())}
    return pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns_of(rows, always).items()})
