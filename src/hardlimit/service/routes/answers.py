"""``POST /predict`` and ``/explain``, ``GET /model``."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Iterator
from typing import Any

from fastapi import Response

from hardlimit.foundation.formatting import format_label
from hardlimit.foundation.records import to_plain
from hardlimit.live.answer import Answer, AnswerWishes, More, TermPush
from hardlimit.live.entry import plain_text
from hardlimit.live.model import LiveModel
from hardlimit.service import request_schemas, schemas
from hardlimit.service.keys import PREDICT
from hardlimit.service.problems import Problem
from hardlimit.service.replies import json_response, to_json
from hardlimit.service.request_context import Ask, RequestContext
from hardlimit.service.routes import endpoint
from hardlimit.service.validation import parse


async def predict_at_once(asked: RequestContext, body: bytes) -> bytes:
    """Do what :func:`predict` does."""
    return await predictions(asked, parse(request_schemas.PredictBody, body))


# Characters that are answered in one go; of more, other requests get their turn in between.
SLICE = 1 << 16
# Labels, scores and terms of one answer, beside those that every text has.
MOST_DETAILS = 100_000


async def predictions(asked: RequestContext, body: request_schemas.PredictBody) -> bytes:
    """Return the answers to texts as JSON."""
    texts = body.texts if body.texts is not None else [body.text or ""]
    live, wanted = asked.work.live, AnswerWishes(body.top, body.scores, body.explain)
    asked.facts["texts"] = len(texts)
    if any(wanted):
        _check_length(len(texts), wanted, len(live.classes))
    fingerprint: str | None = live.fingerprint
    found: list[Answer] = []
    for part in slices(texts):
        if found:
            await asyncio.sleep(0)
        job = functools.partial(_answer, live, part, body.remember, wanted)
        # Terms take long enough for other requests to get their turn meanwhile.
        found += await asked.work.read(job) if wanted.terms else job(live)
    if live.fingerprint != fingerprint:
        fingerprint = None
    asked.work.figures.count_answers(found)
    return to_json(
        {"predictions": [answer_to_plain(one) for one in found], "fingerprint": fingerprint}
    )


def _answer(
    live: LiveModel, part: list[Any], remember: bool, wanted: AnswerWishes, _: LiveModel
) -> list[Answer]:
    # Of one model, though another one may have taken its place meanwhile.
    top, scores, terms = wanted
    return live.answer(part, remember=remember, top=top, scores=scores, terms=terms)


def _check_length(n_texts: int, wanted: AnswerWishes, n_classes: int) -> None:
    """Refuse what would make an answer of too many labels, scores and terms."""
    size = n_texts * wanted.count(n_classes)
    if size > MOST_DETAILS:
        got, limit = f"{size} of them", f"at most {MOST_DETAILS} of them"
        raise Problem(
            422,
            "unusable",
            f"labels, scores and terms of all texts: got {got}, wanted {limit}",
            where="body",
            got=got,
            wanted=limit,
            fix="send fewer texts in one request, or ask for fewer of them",
        )


def slices(texts: list[Any]) -> Iterator[list[Any]]:
    """Yield the texts in parts of about a slice."""
    begin = size = 0
    for place, text in enumerate(texts):
        size += len(text) if isinstance(text, str) else _size_of_row(text)
        if size >= SLICE:
            yield texts[begin : place + 1]
            begin, size = place + 1, 0
    if begin < len(texts):
        yield texts[begin:]


def _size_of_row(row: dict[str, Any]) -> int:
    # A column by itself takes as long as some hundred characters.
    return sum(100 + (len(value) if isinstance(value, str) else 0) for value in row.values())


def answer_to_plain(answer: Answer) -> dict[str, Any]:
    """Return an answer for JSON."""
    plain = {"number": answer.number, **said_to_plain(answer)}
    return plain if answer.more is None else plain | _more_to_plain(answer.more)


def said_to_plain(answer: Answer) -> dict[str, Any]:
    """Return what an answer says of any text, for JSON."""
    return {
        "label": answer.label,
        "margin": answer.margin,
        "probability": answer.probability,
        "abstained": answer.abstained,
        "known_features": answer.known_features,
    }


def _more_to_plain(more: More) -> dict[str, Any]:
    """Return what was asked for beside these; the rest is not there."""
    plain: dict[str, Any] = {}
    if more.top:
        plain["top"] = to_plain(more.top)
    if more.scores:
        plain["scores"] = {format_label(label): score for label, score in more.scores}
    if more.terms is not None:
        plain["terms"] = [_term_to_plain(one) for one in more.terms]
    return plain


def _term_to_plain(one: TermPush) -> dict[str, Any]:
    return {
        "term": one.term,
        "contribution": one.base + one.corrections,
        "corrections": one.corrections,
    }


@endpoint(
    "POST", "/predict", PREDICT, "Predict", answer=schemas.Predictions, at_once=predict_at_once,
    example={"texts": ["win a prize now", "lunch at noon?"]},
)  # fmt: skip
async def predict(body: request_schemas.PredictBody, asked: Ask) -> Response:
    """Label one text or several."""
    return Response(await predictions(asked, body), media_type="application/json")


def text_of(
    asked: RequestContext, body: request_schemas.TextBody | request_schemas.CorrectBody
) -> Any:
    """Return the text of a body, or the recent one that it names."""
    return body.text if body.text is not None else recent_text(asked, body.number or 0)


def recent_text(asked: RequestContext, number: int) -> Any:
    """Return a recent text."""
    found = asked.work.live.recent_text(number)
    if found is None:
        raise Problem(
            404,
            "no-such-text",
            f"there is no recent text {number}: the latest ones only are kept, in memory",
            parameter="number",
            got=str(number),
            fix="send the text itself",
        )
    return found


@endpoint(
    "POST", "/explain", PREDICT, "Explain", answer=schemas.ExplanationJson, refusals=(404,),
    example={"text": "win a prize now", "top": 5},
)  # fmt: skip
async def explain(body: request_schemas.ExplainBody, asked: Ask) -> Response:
    """Say why a text gets its label: terms, corrections, and where in the text they are."""
    text = text_of(asked, body)

    def job(live: LiveModel) -> dict[str, Any]:
        why = live.why(text, body.top)
        # A row is no text with places.
        whole = plain_text(text) if live.base.words_in_a_row else ""
        spans = live.spans(whole, body.max_spans) if whole else []
        more = live.answer([text], remember=False, top=body.labels)[0].more
        return {
            "label": why.label,
            "rival": why.rival,
            "margin": why.margin,
            "probability": live.probability(text),
            "known_features": why.known_features,
            "labels": to_plain(more.top) if more else [],
            "terms": [_term_to_plain(one) for one in why.terms],
            "corrections": to_plain(why.corrections),
            "spans": to_plain(spans),
        }

    return json_response(await asked.work.read(job))


@endpoint("GET", "/model", PREDICT, "The model", answer=schemas.ModelFacts)
async def model(asked: Ask) -> Response:
    """Say what the model is: its classes, and how far its ledger goes."""
    live = asked.work.live
    facts = {
        "classes": live.classes,
        "columns": list(live.base.form.columns),
        "threshold": live.threshold,
        "n_entries": live.n_entries,
        "newest": live.newest,
        "fingerprint": live.fingerprint,
        "read_only": live.read_only,
        "private": live.private,
        "name": os.path.basename(live.path),
        "note": str(live.base.metadata.get("note") or ""),
    }
    return json_response(facts)
