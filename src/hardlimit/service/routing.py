"""Which endpoint a request means, known before its body is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hardlimit.service.problems import Problem
from hardlimit.service.routes import Endpoint


class RouteTable:
    """The endpoints by path and method."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        self._exact: dict[str, dict[str, Endpoint]] = {}
        self._patterns: list[tuple[re.Pattern[str], dict[str, Endpoint]]] = []
        for one in endpoints:
            self._exact.setdefault(one.path, {})[one.method] = one
        for path in [path for path in self._exact if "{" in path]:
            pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
            self._patterns.append((pattern, self._exact.pop(path)))

    def find(self, path: str, method: str) -> Endpoint:
        """Return the endpoint, or refuse with 404 or 405."""
        methods = self._exact.get(path)
        if methods is None:
            found = (of for pattern, of in self._patterns if pattern.fullmatch(path))
            methods = next(found, None)
        if methods is None:
            raise Problem(
                404, "no-such-page", f"there is nothing at {path[:200]!r}", fix="/docs lists all"
            )
        # What GET gives, HEAD gives without the body.
        endpoint = methods.get("GET" if method == "HEAD" else method)
        if endpoint is None:
            allowed = ", ".join(sorted(methods))
            raise Problem(
                405,
                "method-not-allowed",
                f"{method[:20]} is not allowed here",
                headers=((b"allow", allowed.encode()),),
                got=method[:20],
                wanted=allowed,
            )
        return endpoint
