"""``GET /openapi.json``, ``/docs`` and its style."""

from __future__ import annotations

from fastapi import Request, Response

from hardlimit.service import documents
from hardlimit.service.replies import json_response
from hardlimit.service.routes import Endpoint
from hardlimit.service.scopes import ANYONE


async def openapi(request: Request) -> Response:
    """Return the description of this service for programs."""
    return json_response(request.app.state.document)


async def docs(request: Request) -> Response:
    """Return the description for people."""
    return Response(documents.page(request.app.state.document), media_type="text/html")


async def style() -> Response:
    """Return how that page looks."""
    return Response(documents.STYLE, media_type="text/css")


ENDPOINTS = [
    Endpoint("GET", "/openapi.json", openapi, ANYONE, hidden=True),
    Endpoint("GET", "/docs", docs, ANYONE, hidden=True),
    Endpoint("GET", "/docs.css", style, ANYONE, hidden=True),
]
