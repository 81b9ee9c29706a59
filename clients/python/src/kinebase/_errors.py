"""What a server refuses, and what of it is worth another try."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class KinebaseError(Exception):
    """A call that the server refused, or whose answer did not come.

    ``status`` is the HTTP status, 0 when no answer came. ``code`` is the short error code and
    ``message`` the explanation. ``messages`` has every problem of a body, joined with ``; ``.
    ``request_id`` finds the call in the server's log. ``retry_after`` is in seconds, ``None``
    when the server said nothing of it.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        messages: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{status} {code}: {messages or message}" if status else message)
        self.status = status
        self.code = code
        self.message = message
        self.messages = messages
        self.request_id = request_id
        self.retry_after = retry_after


class BadRequest(KinebaseError):
    """400 and 422: a parameter or a body breaks a rule, which the message names."""


class Unauthorized(KinebaseError):
    """401: the token is missing, wrong, expired or revoked."""


class Forbidden(KinebaseError):
    """403: the token lacks a scope."""


class NotFound(KinebaseError):
    """404: the organization has no such object, or it was deleted."""


class Conflict(KinebaseError):
    """409 and 412: the object is in a state that does not allow the call."""


class Gone(KinebaseError):
    """410: the cursor is older than what the feed of changes tells. Drop the copy and begin again."""


class Busy(KinebaseError):
    """429 and 503: too many calls, or a server without time. It stays so after all repetitions."""


class NoAnswer(KinebaseError):
    """The connection failed or broke off. Whether the server did anything is not known."""


class ExportFailed(Exception):
    """An export that ended without a result. ``job`` is its last state."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        super().__init__(job.get("errorMessage") or f"the export is {job.get('status')}")
        self.job = job


class CaptureFailed(Exception):
    """A file that arrived and could not be read. ``capture`` says why in ``error``."""

    def __init__(self, capture: Mapping[str, Any]) -> None:
        super().__init__(capture.get("error") or "the file could not be read")
        self.capture = capture


_KINDS = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: Conflict,
    422: BadRequest,
    429: Busy,
    503: Busy,
}


def refusal(status: int, body: Any, headers: Mapping[str, str]) -> KinebaseError:
    """The error of an answer: ``body`` is the decoded JSON, ``None`` where it is none."""
    said = body if isinstance(body, dict) else {}
    wait = headers.get("Retry-After", "")
    return _KINDS.get(status, KinebaseError)(
        status,
        str(said.get("error", "Error")),
        str(said.get("message", f"the server answered {status}")),
        said.get("messages"),
        headers.get("X-Request-Id"),
        float(wait) if wait.isdigit() else None,
    )
