"""Calls without a network.

A flow is a generator that yields what is to be done (send a call, sleep, save a body to a file)
and is sent what came of it. The synchronous and the asynchronous client drive the same flows, so
that repetitions, pages, exports and uploads are written once.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Generator, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union

from ._errors import KinebaseError, NoAnswer, refusal

T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Called with what is done and what there is, in bytes, files or ten-thousandths."""


@dataclass(frozen=True)
class Call:
    """One request. ``path`` is below the base address, or a whole address of another place."""

    method: str
    path: str
    params: Tuple[Tuple[str, str], ...] = ()
    body: Any = None
    accept: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    form: Optional[Mapping[str, str]] = None  # sent with a file
    file: Optional[str] = None  # the file that is sent, in the form, or a part of it as the body
    start: int = 0  # where that part begins, in bytes
    length: int = 0  # and how long it is
    save: Optional[str] = None  # where the answer's body goes
    resume: int = 0  # bytes of it that are there already
    progress: Optional[Progress] = None
    keyed: bool = False  # an idempotency key makes it safe to repeat


@dataclass(frozen=True)
class Answer:
    """What came of a call. ``body`` is empty where it was saved to a file."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise KinebaseError(
                self.status,
                "NoJSON",
                "the answer is no JSON; the address of a server ends in /v1",
                request_id=self.headers.get("X-Request-Id"),
            ) from None


@dataclass(frozen=True)
class Sleep:
    """Wait so many seconds."""

    seconds: float


Effect = Union[Call, Sleep]
Flow = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Retry:
    """How often a call is made again, and how long the longest wait between two may be."""

    times: int = 5
    longest: float = 60.0


def send(call: Call, retry: Retry) -> Flow[Answer]:
    """Make a call, and make it again while the server has no time for it.

    After a lost connection a call that changes something is made again only under an idempotency
    key, with which the server does it once.
    """
    if call.keyed and "Idempotency-Key" not in call.headers:
        call = replace(call, headers={**call.headers, "Idempotency-Key": str(uuid.uuid4())})
    safe = call.method == "GET" or "Idempotency-Key" in call.headers
    for repeated in range(retry.times + 1):
        answer = yield call
        if isinstance(answer, Answer):
            if answer.status < 400:
                return answer
            error: KinebaseError = refusal(answer.status, _decoded(answer), answer.headers)
            wait = 1.0 if error.retry_after is None else error.retry_after
            again = answer.status in (429, 503)
        else:
            error, wait, again = answer, min(2.0**repeated / 4, 8.0), safe
        if not again or repeated == retry.times or wait > retry.longest:
            raise error
        yield Sleep(wait)
    raise AssertionError("unreachable")


def _decoded(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        return None


def lost(error: Exception, call: Call, url: str) -> NoAnswer:
    """The error of a connection that failed."""
    return NoAnswer(0, "NoAnswer", f"no answer to {call.method} {url}: {str(error) or type(error).__name__}")


def names(value: Union[str, Iterable[str], None]) -> Optional[List[str]]:
    """A list of names; one name alone is a list of one."""
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def fields(**values: Any) -> Tuple[Tuple[str, str], ...]:
    """Query parameters of what is not ``None``: texts, numbers, times, and lists joined by commas."""
    pairs = []
    for name, value in values.items():
        if value is not None:
            pairs.append((name.rstrip("_"), text(value)))
    return tuple(pairs)


def text(value: Any) -> str:
    """A value as the interface writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(text(v) for v in value)
    return str(value)


def body(**values: Any) -> Dict[str, Any]:
    """A JSON body of what is not ``None``; a date is a day there, and a datetime a time."""
    said: Dict[str, Any] = {}
    for name, value in values.items():
        if value is not None:
            said[name.rstrip("_")] = text(value) if hasattr(value, "isoformat") else value
    return said
