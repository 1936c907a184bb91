"""``GET /health`` and ``/metrics``, ``POST /reload``."""

from __future__ import annotations

from fastapi import Response

from hardlimit.service import request_schemas, schemas
from hardlimit.service.figures import CONTENT_TYPE
from hardlimit.service.keys import ADMIN, ANYONE
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask
from hardlimit.service.routes import endpoint


@endpoint("GET", "/health", ANYONE, "Health", answer=schemas.HealthJson)
async def health(asked: Ask) -> Response:
    """Say whether the service answers as it should; 503 when it stops, or cannot predict."""
    work = asked.work
    doubt, troubles = work.live.doubt, work.list_troubles()
    status = "stopping" if work.stopping else "degraded" if troubles else "ok"
    told = {"status": status, "troubles": troubles}
    return json_response(told, 503 if work.stopping or doubt is not None else 200)


@endpoint("GET", "/metrics", ADMIN, "Figures for Prometheus", kind="text/plain")
async def metrics(asked: Ask) -> Response:
    """Return all figures as Prometheus reads them."""
    figures = asked.work.figures
    text = await asked.work.read(lambda _: figures.text())
    return Response(text, headers={"content-type": CONTENT_TYPE})


@endpoint(
    "POST", "/reload", ADMIN, "Open the files anew", answer=schemas.Reloaded,
    refusals=(409,), example={},
)  # fmt: skip
async def reload(asked: Ask, body: request_schemas.Nothing) -> Response:
    """Open the model file and its ledger anew, if they are others; the old ones answer until then.

    A file that is refused changes nothing.
    """
    changed = await asked.watcher.reload()
    return json_response({"changed": changed, "fingerprint": asked.work.live.fingerprint})
