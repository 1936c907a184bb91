"""``GET /openapi.json``, ``/docs`` and its style."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from hardlimit.service import documents
from hardlimit.service.openapi import of_model
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask
from hardlimit.service.routes import Endpoint
from hardlimit.service.scopes import ANYONE


async def openapi(request: Request, asked: Ask) -> Response:
    """Return the description of this service for programs."""
    return json_response(_document(request, asked))


async def docs(request: Request, asked: Ask) -> Response:
    """Return the description for people."""
    return Response(documents.page(_document(request, asked)), media_type="text/html")


def _document(request: Request, asked: Ask) -> dict[str, Any]:
    """Return the document of the model that answers now."""
    return of_model(request.app.state.document, asked.work.live.base.form.columns)


async def style() -> Response:
    """Return how that page looks."""
    return Response(documents.STYLE, media_type="text/css")


ENDPOINTS = [
    Endpoint("GET", "/openapi.json", openapi, ANYONE, hidden=True),
    Endpoint("GET", "/docs", docs, ANYONE, hidden=True),
    Endpoint("GET", "/docs.css", style, ANYONE, hidden=True),
]
