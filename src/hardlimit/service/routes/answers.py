"""``POST /predict`` and ``/explain``, ``GET /model``."""

from __future__ import annotations

import os
from typing import Any

from fastapi import Response

from hardlimit.exceptions import CorrectionError
from hardlimit.service import schemas
from hardlimit.service.asked import Ask, Asked
from hardlimit.service.plain import to_json
from hardlimit.service.replies import json_response
from hardlimit.service.routes import Endpoint
from hardlimit.service.scopes import PREDICT


def predictions(asked: Asked, body: schemas.PredictBody) -> bytes:
    """Return the answers to texts as JSON."""
    texts = body.texts if body.texts is not None else [body.text]
    live = asked.work.live
    fingerprint = live.fingerprint
    found = [
        {
            "number": None,
            "label": label,
            "margin": None,
            "probability": None,
            "abstained": False,
        }
        for label in live.predict(texts, remember=body.remember)
    ]
    asked.facts["texts"] = len(texts)
    return to_json({"predictions": found, "fingerprint": fingerprint})


async def predict(body: schemas.PredictBody, asked: Ask) -> Response:
    """Label one text or several."""
    return Response(predictions(asked, body), media_type="application/json")


def text_of(asked: Asked, body: schemas.OneText) -> str:
    """Return the text of a body, or the recent one that it names."""
    if body.text is not None:
        return body.text
    raise CorrectionError(
        f"there is no recent text {body.number}", parameter="number", topic="no-such-entry"
    )


async def explain(body: schemas.ExplainBody, asked: Ask) -> Response:
    """Say why a text gets its label: terms, corrections, and where in the text they are."""
    text = text_of(asked, body)

    def job() -> dict[str, Any]:
        why = asked.work.live.why(text, body.top)
        return {
            "label": why.label,
            "rival": why.rival,
            "margin": why.margin,
            "probability": None,
            "terms": [
                {
                    "term": one.term,
                    "contribution": one.base + one.corrections,
                    "corrections": one.corrections,
                }
                for one in why.terms
            ],
            "corrections": [one._asdict() for one in why.corrections],
            "spans": [],
        }

    return json_response(await asked.work.read(job))


async def model(asked: Ask) -> Response:
    """Say what the model is: its classes, and how far its ledger goes."""
    live = asked.work.live
    facts = {
        "classes": live.classes,
        "threshold": live.threshold,
        "n_entries": live.n_entries,
        "newest": None,
        "fingerprint": live.fingerprint,
        "read_only": live.read_only,
        "private": live.private,
        "name": os.path.basename(live.path),
        "note": str(live.base.metadata.get("note") or ""),
    }
    return json_response(facts)


ENDPOINTS = [
    Endpoint("POST", "/predict", predict, PREDICT, "Predict", schemas.Predictions),
    Endpoint("POST", "/explain", explain, PREDICT, "Explain", schemas.Explanation, refusals=(404,)),
    Endpoint("GET", "/model", model, PREDICT, "The model", schemas.ModelFacts),
]
