"""The page at ``/`` and its files under ``/static``."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from fastapi import Request, Response

from hardlimit.service.problems import Problem
from hardlimit.service.routes import endpoint
from hardlimit.service.scopes import ANYONE

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


@endpoint("GET", "/", ANYONE, hidden=True)
async def index(request: Request) -> Response:
    """Return the page."""
    return file_response(request, INDEX)


@endpoint("GET", "/static/{name}", ANYONE, hidden=True)
async def static(request: Request, name: str) -> Response:
    """Return a file of the page."""
    return file_response(request, name)


def file_response(request: Request, name: str) -> Response:
    """Return a file of the folder, or that the client has it already."""
    path = FOLDER / name
    # The folder is flat, and no name of such letters leads out of it.
    kind = TYPES.get(path.suffix)
    if kind is None or not _NAME.fullmatch(name) or not path.is_file():
        raise Problem(404, "no-such-page", f"there is no file {name!r}")
    content = path.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers | {"content-type": kind})
