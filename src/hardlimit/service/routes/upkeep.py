"""``GET /health`` and ``/metrics``."""

from __future__ import annotations

from fastapi import Response

from hardlimit.service import schemas
from hardlimit.service.asked import Ask
from hardlimit.service.figures import CONTENT_TYPE
from hardlimit.service.replies import json_response
from hardlimit.service.routes import Endpoint
from hardlimit.service.scopes import ADMIN, ANYONE


async def health(asked: Ask) -> Response:
    """Say whether the service answers as it should; 503 when it is stopping."""
    work = asked.work
    status = "stopping" if work.stopping else "degraded" if work.troubles else "ok"
    told = {"status": status, "troubles": work.troubles}
    return json_response(told, 503 if work.stopping else 200)


async def metrics(asked: Ask) -> Response:
    """Return all figures as Prometheus reads them."""
    text = await asked.work.read(asked.work.figures.text)
    return Response(text, headers={"content-type": CONTENT_TYPE})


ENDPOINTS = [
    Endpoint("GET", "/health", health, ANYONE, "Health", schemas.Health),
    Endpoint("GET", "/metrics", metrics, ADMIN, "Figures for Prometheus", kind="text/plain"),
]
