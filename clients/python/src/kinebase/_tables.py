"""Tables of what came: pandas, polars and Arrow, each only when it is asked for."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_INSTALL = "{0} is not installed; pip install 'kinebase[{1}]' brings it"


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


# Columns of lists whose texts are times.
_TIMES = ("capture_time", "updated_at", "created_at", "date_of_birth")


def columns_of(rows: Sequence[Mapping[str, Any]]) -> Dict[str, List[Any]]:
    """Rows as columns: every key that any of them has, in the order of appearance."""
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return {name: [row.get(name) for row in rows] for name in names}


def flat_metrics(row: Mapping[str, Any]) -> Dict[str, Any]:
    """A capture with its metrics, each as a column: the number, or the text, or ``None``."""
    flat = {name: value for name, value in row.items() if name != "metrics"}
    for name, metric in row.get("metrics", {}).items():
        flat[name] = metric["text"] if metric["value"] is None else metric["value"]
    return flat


def pandas_rows(rows: Sequence[Mapping[str, Any]]) -> "pandas.DataFrame":
    pd = _module("pandas", "pandas")
    frame: "pandas.DataFrame" = pd.DataFrame(columns_of(rows))
    for name in _TIMES:
        if name in frame:
            frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame


def polars_rows(rows: Sequence[Mapping[str, Any]]) -> "polars.DataFrame":
    pl = _module("polars", "polars")
    frame: "polars.DataFrame" = pl.DataFrame(columns_of(rows), strict=False, infer_schema_length=None)
    times = [name for name in _TIMES if name in frame.columns and frame[name].dtype == pl.String]
    frame = frame.with_columns(pl.col(name).str.to_datetime(time_zone="UTC") for name in times)
    return frame


def arrow_rows(rows: Sequence[Mapping[str, Any]]) -> "pyarrow.Table":
    pa = _module("pyarrow", "arrow")
    return pa.table(columns_of(rows))
