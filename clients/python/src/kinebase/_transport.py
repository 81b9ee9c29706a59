"""Requests and answers over httpx, for both clients."""

from __future__ import annotations

import os
from typing import IO, Any, Dict, Mapping, Optional, Tuple

import httpx

from ._flow import Answer, Call, Progress

_AGENT = "kinebase-python/0.1.0"


class Place:
    """Where a server is, and the token for it; or the secret of a link, below which all calls are then."""

    def __init__(self, url: Optional[str], token: Optional[str], secret: str = "") -> None:
        self.below = ""
        self.url = (os.environ.get("KINEBASE_URL", "") if url is None else url).rstrip("/")
        self.token = os.environ.get("KINEBASE_TOKEN", "") if token is None else token
        if not self.url:
            raise ValueError(
                "the address of the server is missing: set KINEBASE_URL, such as http://127.0.0.1:8080/v1, or give url="
            )
        self.headers = {"Authorization": f"Bearer {self.token}"}
        if secret:
            self.below, self.headers = "/shared", {"Kinebase-Share": secret}
        elif not self.token:
            raise ValueError("the token is missing: set KINEBASE_TOKEN, or give token=")

    def request(self, call: Call) -> Tuple[str, Dict[str, str]]:
        """The address of a call and its headers. Token and secret go to this server alone."""
        headers = {"Accept": call.accept, "User-Agent": _AGENT, **call.headers}
        if call.path.startswith("/"):
            headers.update(self.headers)
            return (self.url + self.below + call.path).rstrip("/"), headers
        return call.path, headers


class Told:
    """A file that says how much of it was read."""

    def __init__(self, file: IO[bytes], progress: Progress) -> None:
        self._file, self._progress, self._done = file, progress, 0
        self._size = os.fstat(file.fileno()).st_size

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._done += len(piece)
        self._progress(self._done, self._size)
        return piece

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def content(call: Call, file: Optional[IO[bytes]]) -> Dict[str, Any]:
    """What httpx sends as the body of a call."""
    if file is not None and call.form is None:
        file.seek(call.start)
        return {"content": file.read(call.length)}
    if file is not None:
        source = file if call.progress is None else Told(file, call.progress)
        return {"data": dict(call.form or {}), "files": {"file": ("file", source)}}
    return {} if call.body is None else {"json": call.body}


def answer(response: httpx.Response, body: bytes) -> Answer:
    return Answer(response.status_code, response.headers, body)


def size(headers: Mapping[str, str]) -> int:
    """How many bytes come; 0 when nobody says so, or when they come compressed."""
    length = headers.get("Content-Length", "")
    return int(length) if length.isdigit() and "Content-Encoding" not in headers else 0
