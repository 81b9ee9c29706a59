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


class Table:
    """What a client has read, to be made a table of a library."""

    def pandas(self) -> "pandas.DataFrame":
        raise NotImplementedError

    def polars(self) -> "polars.DataFrame":
        raise NotImplementedError

    def arrow(self) -> "pyarrow.Table":
        raise NotImplementedError


class Parquet(Table):
    """Parquet files with the same columns, one behind the other."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        self._parts = parts

    def pandas(self) -> "pandas.DataFrame":
        frame: "pandas.DataFrame" = self.arrow().to_pandas(use_threads=False)
        return frame

    def polars(self) -> "polars.DataFrame":
        pl = _module("polars", "polars")
        frame: "polars.DataFrame" = pl.concat([pl.read_parquet(io.BytesIO(part)) for part in self._parts])
        return frame

    def arrow(self) -> "pyarrow.Table":
        pa = _module("pyarrow", "arrow")
        parquet = _module("pyarrow.parquet", "arrow")
        # Threads of pyarrow that still run when the interpreter ends abort it.
        return pa.concat_tables(
            [parquet.read_table(io.BytesIO(part), use_threads=False, pre_buffer=False) for part in self._parts]
        )


class Rows(Table):
    """Rows of lists, with the columns that a list always has."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], always: Sequence[str]) -> None:
        self._columns = columns_of(rows, always)

    def pandas(self) -> "pandas.DataFrame":
        pd = _module("pandas", "pandas")
        frame: "pandas.DataFrame" = pd.DataFrame(self._columns)
        for name in self._columns.keys() & {*_TIMES}:
            frame[name] = pd.to_datetime(frame[name], utc=True)
        return frame

    def polars(self) -> "polars.DataFrame":
        pl = _module("polars", "polars")
        frame: "polars.DataFrame" = pl.DataFrame(
            self._columns,
            strict=False,
            infer_schema_length=None,
            schema_overrides=self._kinds(pl.Datetime("us", "UTC"), pl.Date),
        )
        return frame

    def arrow(self) -> "pyarrow.Table":
        pa = _module("pyarrow", "arrow")
        kinds = self._kinds(pa.timestamp("us", "UTC"), pa.date32())
        return pa.table({name: pa.array(values, kinds.get(name)) for name, values in self._columns.items()})

    def _kinds(self, time: Any, day: Any) -> Dict[str, Any]:
        """The types of the columns that have times and days."""
        return {name: time if name in _TIMES else day for name in self._columns if name in _TIMES or name in _DAYS}
