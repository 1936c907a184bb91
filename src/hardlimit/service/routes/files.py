"""The page at ``/`` with its files, and the descriptions: ``/openapi.json``, ``/docs``."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from fastapi import Request, Response

from hardlimit.service import documents
from hardlimit.service.keys import ANYONE
from hardlimit.service.openapi import of_model
from hardlimit.service.problems import Problem
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask
from hardlimit.service.routes import endpoint

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


@endpoint("GET", "/openapi.json", ANYONE, hidden=True)
async def openapi(request: Request, asked: Ask) -> Response:
    """Return the description of this service for programs."""
    return json_response(_document(request, asked))


@endpoint("GET", "/docs", ANYONE, hidden=True)
async def docs(request: Request, asked: Ask) -> Response:
    """Return the description for people."""
    return Response(documents.page(_document(request, asked)), media_type="text/html")


def _document(request: Request, asked: Ask) -> dict[str, Any]:
    """Return the document of the model that answers now."""
    return of_model(request.app.state.document, asked.work.live.base.form.columns)


@endpoint("GET", "/docs.css", ANYONE, hidden=True)
async def style() -> Response:
    """Return how that page looks."""
    return Response(documents.STYLE, media_type="text/css")
