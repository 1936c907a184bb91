"""``POST /correct``, ``/confirm`` and ``/undo``."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from hardlimit.live.answer import Receipt
from hardlimit.live.entry import plain_text
from hardlimit.live.labels import find_label
from hardlimit.live.model import LiveModel
from hardlimit.service import request_schemas, schemas
from hardlimit.service.keys import CORRECT
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask, RequestContext
from hardlimit.service.routes import endpoint
from hardlimit.service.routes.answers import text_of

# Characters of a text that changed sides.
_SHOWN = 200


@endpoint(
    "POST", "/correct", CORRECT, "Correct", answer=schemas.ReceiptJson | schemas.Receipts,
    refusals=(404, 409), example={"text": "meeting moved to 3pm", "label": "ham"},
)  # fmt: skip
async def correct(body: request_schemas.CorrectBody, asked: Ask) -> Response:
    """Make the smallest change after which the text has the label; on disk when answered.

    Several `corrections` are made one after the other, all or none of them.
    """
    author, several = asked.author(body.by), bool(body.corrections)
    given: list[Any] = body.corrections if several else [body]
    texts = [text_of(asked, one) for one in given]

    def job(live: LiveModel) -> list[Receipt]:
        how: Any = {
            "by": author,
            "margin": body.margin,
            "guards": body.guards,
            "new_class": body.new_class,
            "dry_run": body.dry_run,
        }
        labels = [find_label(one.label, live.classes) for one in given]
        if not several:
            return [live.correct(texts[0], labels[0], **how)]
        return live.correct_many(zip(texts, labels, strict=True), **how)

    receipts = await asked.work.write(job)
    told = [_plain(asked, one) for one in receipts]
    if not several:
        return json_response(told[0])
    return json_response({"receipts": told, "fingerprint": receipts[-1].fingerprint})


@endpoint(
    "POST", "/confirm", CORRECT, "Confirm", answer=schemas.ReceiptJson,
    refusals=(404, 409), example={"text": "meeting moved to 3pm"},
)  # fmt: skip
async def confirm(body: request_schemas.ConfirmBody, asked: Ask) -> Response:
    """Note that the answer to a text is right; the probability follows it, no weight does."""
    author, text = asked.author(body.by), text_of(asked, body)

    def job(live: LiveModel) -> Receipt:
        label = None if body.label is None else find_label(body.label, live.classes)
        return live.confirm(text, label, by=author)

    return _told(asked, await asked.work.write(job))


@endpoint(
    "POST", "/undo", CORRECT, "Undo", answer=schemas.ReceiptJson,
    refusals=(404, 409), example={"id": 57},
)  # fmt: skip
async def undo(body: request_schemas.UndoBody, asked: Ask) -> Response:
    """Take an entry back, to the last bit; an undo can be undone too."""
    author = asked.author(body.by)
    job = lambda live: live.undo(body.id, by=author, dry_run=body.dry_run)  # noqa: E731
    return _told(asked, await asked.work.write(job))


def _told(asked: RequestContext, receipt: Receipt) -> Response:
    return json_response(_plain(asked, receipt))


def _plain(asked: RequestContext, receipt: Receipt) -> dict[str, Any]:
    """Return a receipt for JSON, and count it."""
    told: dict[str, Any] = receipt.to_dict()
    for flip in told["flips"]:
        text = plain_text(asked.work.live.recent_text(flip["number"]))
        flip["text"] = None if text is None else text[:_SHOWN]
    flips = asked.facts.get("flips", 0) + len(receipt.flips)
    asked.facts |= {"entry": receipt.id, "flips": flips}
    asked.work.figures.count_receipt(receipt)
    return told
