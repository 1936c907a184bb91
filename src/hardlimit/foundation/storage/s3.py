"""Objects of S3: each part is asked for by the ETag of the object that was opened.

A cache before the store, or a copy that lags behind, may have another version of the same size, and
fsspec looks at no header. So the request names the ETag, and the answer is compared with it and
with the bytes that were asked for.
"""

from __future__ import annotations

from typing import Any

from hardlimit.foundation.storage.retrying import retry
from hardlimit.foundation.storage.stores import (
    ObjectState,
    StoredObject,
    changed_error,
    check_length,
    check_range,
    describe_range,
)

_OTHER_VERSION = 412  # the status of an answer


class S3Object(StoredObject):
    """An object of S3, by the session of s3fs."""

    def read(self, begin: int, end: int, state: ObjectState) -> bytes:
        """Return exactly these bytes of the object that was found."""
        from fsspec.asyn import sync

        bucket, key, version = self._system.split_path(self._name)
        asked = {"Bucket": bucket, "Key": key, "Range": f"bytes={begin}-{end - 1}"}
        if version:
            asked["VersionId"] = version
        if state.version:
            asked["IfMatch"] = f'"{state.version}"'

        async def get() -> tuple[Any, bytes]:
            answer = await self._system._call_s3("get_object", **asked)
            try:
                return answer, await answer["Body"].read()
            finally:
                answer["Body"].close()

        def work() -> bytes:
            try:
                answer, data = sync(self._system.loop, get)
            except OSError as error:
                if _status_of(error) == _OTHER_VERSION:
                    raise changed_error(self.uri) from None
                raise
            if str(answer.get("ETag", "")).strip('"') != state.version:
                raise changed_error(self.uri)
            check_range(str(answer.get("ContentRange", "")), begin, end, state, self.uri)
            return check_length(bytes(data), end - begin)

        return retry(self.uri, "cannot be read", work, describe_range(self.uri, begin, end))


def _status_of(error: OSError) -> int:
    """Return the status of the answer that s3fs has made an error of; 0 where there was none."""
    answer = getattr(error.__cause__, "response", None) or {}
    return int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
