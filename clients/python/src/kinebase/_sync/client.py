"""The client: made of _async/ by mirror.py, and not written by hand."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Iterator, Callable, List, Optional, Sequence, TypeVar, Union, cast

import httpx

from .. import _flows as flows
from .._flow import Answer, Call, Flow, Retry, Sleep, lost, names
from .._transport import Place, answer, content, size
from .._types import ChangePage, Skeleton
from .athletes import Athletes
from .captures import Captures
from .exports import Exports
from .shares import Shares

if TYPE_CHECKING:
    from .exports import Export

T = TypeVar("T")


class Client:
    """A Kinebase server, seen with one token.

    Without arguments the environment names them: ``KINEBASE_URL`` and ``KINEBASE_TOKEN``. It may
    be used by several threads at once. ``timeout`` is in seconds and bounds each wait for the
    network, not a whole download.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        retry: Retry = Retry(),
        timeout: float = 120.0,
        transport: Optional[httpx.BaseTransport] = None,
        sleep: Callable[[float], None] = time.sleep,
        _secret: str = "",
    ) -> None:
        self._place = Place(url, token, _secret)
        self._http = httpx.Client(timeout=timeout, transport=transport)
        self._sleep = sleep
        self.retry = retry
        self.captures = Captures(self)
        self.athletes = Athletes(self)
        self.exports = Exports(self)
        self.shares = Shares(self)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def export(self, **request: Any) -> "Export":
        """An export of what the arguments choose; see :meth:`Exports.new`."""
        return self.exports.new(**request)

    def changes(
        self,
        after: Optional[str] = None,
        *,
        kinds: Union[str, Sequence[str]] = (),
        objects: bool = False,
        wait: int = 0,
        page_size: int = 500,
    ) -> Iterator[ChangePage]:
        """What changed since the cursor ``after``, page by page; all that there is without one.

        ``kinds`` are ``capture``, ``athlete`` and ``export``. With ``objects`` each change has its object as it is now.
        The pages end where nothing more has changed; with ``wait``, up to 30 seconds, they never end, and each waits as
        long for a change. A cursor that is too old raises :class:`Gone`.
        """
        params = dict(
            kind=names(kinds) or None, include="object" if objects else None, wait=wait or None, limit=page_size
        )
        while True:
            page = cast(ChangePage, self.run(flows.get("/changes", self.retry, after=after, **params)))
            yield page
            after = page["cursor"]
            if not page["more"] and not wait:
                return

    def skeletons(self) -> List[Skeleton]:
        """The sets of bones of the organization."""
        said = self.run(flows.get("/skeletons", self.retry))
        return cast(List[Skeleton], said["skeletons"])

    def run(self, flow: Flow[T]) -> T:
        """Do what a flow asks for."""
        result: Any = None
        while True:
            try:
                effect = flow.send(result)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(effect, Sleep):
                self._sleep(effect.seconds)
                result = None
                continue
            try:
                result = self._perform(effect)
            except httpx.TransportError as error:
                result = lost(error, effect, self._place.request(effect)[0])

    def _perform(self, call: Call) -> Answer:
        url, headers = self._place.request(call)
        file = None if call.file is None else open(call.file, "rb")
        try:
            with self._http.stream(
                call.method, url, params=list(call.params), headers=headers, **content(call, file)
            ) as response:
                if call.save is None or response.status_code >= 400:
                    return answer(response, response.read())
                done, all_of_it = 0, size(response.headers)
                with open(call.save, "wb") as to:
                    for piece in response.iter_bytes():
                        to.write(piece)
                        done += len(piece)
                        if call.progress is not None:
                            call.progress(done, all_of_it)
                return answer(response, b"")
        finally:
            if file is not None:
                file.close()
