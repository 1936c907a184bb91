"""Files of web servers: requests of our own in the session of fsspec's file system.

fsspec takes a 503 for a missing file, and the whole body for the part that was asked for. So the
answers are looked at here: 206 is a part, 200 all of it, whatever was asked for. A cache before the
server may have another version than the server: each part is asked for by its ETag (If-Range), and
compared with it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, BinaryIO

from hardlimit.exceptions import FileError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.retrying import TruncatedError, retry
from hardlimit.foundation.storage.stores import (
    PART,
    ObjectState,
    changed_error,
    check_length,
    check_range,
    describe_range,
)
from hardlimit.foundation.storage.uris import find_system
from hardlimit.foundation.temporary_folder import naming_folder

if TYPE_CHECKING:
    from aiohttp import ClientResponse

_BLOCK = 1 << 20
# Seconds without a byte after which a connection is taken for dead; a slow one is not.
CONNECT, SILENCE = 30.0, 60.0


class WebObject:
    """A file of a web server.

    It is asked by GET alone: signed addresses are signed for one method. The session follows
    redirects to http and https only.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._system, self._name = find_system(uri)

    def state(self) -> ObjectState:
        """Return what it is now, by asking for its first byte."""

        async def ask(answer: ClientResponse) -> ObjectState:
            _raise_for(answer)
            headers, version = answer.headers, _version_of(answer)
            part = PART.fullmatch(headers.get("Content-Range", ""))
            if answer.status in (206, 416) and part is not None and part[3] != "*":
                return ObjectState(int(part[3]), version)
            packed = headers.get("Content-Encoding", "identity") != "identity"
            size = None if packed else answer.content_length
            return ObjectState(size, version, ranges=False)

        found: ObjectState = self._get({"Range": "bytes=0-0"}, ask, self.uri)
        return found

    def reach(self, begin: int, end: int) -> int:
        """Return how far one answer should go."""
        return end

    def read(self, begin: int, end: int, state: ObjectState) -> bytes:
        """Return exactly these bytes of the file that was found."""

        async def take(answer: ClientResponse) -> bytes:
            _raise_for(answer)
            if _version_of(answer) != state.version:
                raise changed_error(self.uri)
            if answer.status != 206:
                raise TruncatedError(f"the server answered {answer.status} for a part")
            check_range(answer.headers.get("Content-Range", ""), begin, end, state, self.uri)
            return check_length(await answer.read(), end - begin)

        # A weak tag says that two versions mean the same, and not that they have the same bytes.
        is_strong = state.version.startswith('"')
        headers = {"Range": f"bytes={begin}-{end - 1}"}
        if is_strong:
            headers["If-Range"] = state.version
        data: bytes = self._get(headers, take, describe_range(self.uri, begin, end))
        return data

    def copy(self, file: BinaryIO, state: ObjectState) -> None:
        """Write all of it into a file."""

        async def take(answer: ClientResponse) -> None:
            _raise_for(answer)
            file.seek(0)
            file.truncate()
            most = _room_for(file) if state.size is None else state.size
            async for block in answer.content.iter_chunked(_BLOCK):
                if file.tell() + len(block) > most:
                    raise _endless_error(self.uri, most, known=state.size is not None)
                with naming_folder(tempfile.gettempdir()):
                    file.write(block)
            if state.size not in (None, file.tell()):
                raise TruncatedError(
                    f"the answer has {file.tell():,} of {plural(state.size, 'byte')}"
                )

        self._get({}, take, self.uri)

    def _get(
        self, asked: dict[str, str], take: Callable[[Any], Coroutine[Any, Any, Any]], where: str
    ) -> Any:
        import aiohttp
        from fsspec.asyn import sync

        headers = dict(self._system.kwargs.get("headers", {}))
        headers |= {"Accept-Encoding": "identity"} | asked
        more = {name: v for name, v in self._system.kwargs.items() if name != "headers"}
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT, sock_read=SILENCE)
        more = {"timeout": timeout} | more | {"headers": headers}

        async def get() -> Any:
            session = await self._system.set_session()
            async with session.get(self._system.encode_url(self._name), **more) as answer:
                return await take(answer)

        def work() -> Any:
            try:
                return sync(self._system.loop, get)
            except aiohttp.InvalidURL:
                raise ValueError("this is no address") from None

        return retry(self.uri, "cannot be read", work, where)


def _room_for(file: BinaryIO) -> int:
    """Return how long an answer may be that does not say its length: half of what is free."""
    name = getattr(file, "name", "")
    folder = os.path.dirname(name) if isinstance(name, str) else ""
    return shutil.disk_usage(folder or tempfile.gettempdir()).free // 2


def _endless_error(uri: str, most: int, *, known: bool) -> FileError:
    said = "its length" if known else "half of the free disk, and no length is said"
    return FileError(f"the answer goes on beyond {plural(most, 'byte')}, {said}", where=uri)


def _raise_for(answer: ClientResponse) -> None:
    # The part of an empty file cannot be had: 416, and its length is told.
    if answer.status != 416:
        answer.raise_for_status()


def _version_of(answer: ClientResponse) -> str:
    tag: str = answer.headers.get("ETag", "")
    return tag or str(answer.headers.get("Last-Modified", ""))
