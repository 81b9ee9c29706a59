"""Several files at once, by threads or by tasks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Awaitable, Callable, Dict, List, Optional, Sequence

import anyio

from ._flow import Progress
from ._types import Capture


@dataclass(frozen=True)
class Sent:
    """What became of a file: the capture, or the error."""

    path: str
    capture: Optional[Capture]
    error: Optional[Exception]


def together(
    send: Callable[[str], Sent], paths: Sequence[str], at_once: int, progress: Optional[Progress]
) -> List[Sent]:
    """Send the files, and tell ``progress`` how many are done."""
    sent: List[Sent] = []
    with ThreadPoolExecutor(at_once) as pool:
        for done in pool.map(send, paths):
            sent.append(done)
            if progress is not None:
                progress(len(sent), len(paths))
    return sent


async def together_async(
    send: Callable[[str], Awaitable[Sent]], paths: Sequence[str], at_once: int, progress: Optional[Progress]
) -> List[Sent]:
    """The same by tasks."""
    sent: Dict[str, Sent] = {}
    limit = anyio.CapacityLimiter(at_once)

    async def one(path: str) -> None:
        async with limit:
            sent[path] = await send(path)
        if progress is not None:
            progress(len(sent), len(paths))

    async with anyio.create_task_group() as group:
        for path in paths:
            group.start_soon(one, path)
    return [sent[path] for path in paths]
