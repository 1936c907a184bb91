"""What people look through: ``GET /inbox``, ``/queue``, ``/texts/{number}``, ``/progress``."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Response

from hardlimit.live.entry import cut, plain_text
from hardlimit.live.model import LiveModel
from hardlimit.live.reservoir import Recent
from hardlimit.service import request_schemas, schemas
from hardlimit.service.keys import CORRECT
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask
from hardlimit.service.routes import endpoint
from hardlimit.service.routes.answers import recent_text, said_to_plain
from hardlimit.service.routes.history import Chars, fair_share

# Characters of a text whose answer of now is told too.
SHORT = 100_000
Limit = Annotated[int, Query(ge=1, le=1000, description="Texts at most.")]


@endpoint("GET", "/inbox", CORRECT, "Recent texts", answer=schemas.Items)
async def inbox(asked: Ask, limit: Limit = 50, chars: Chars = 2000) -> Response:
    """List the latest texts, the newest first, with what was said then and what is said now."""
    job = lambda live: _plain(live, live.inbox(limit), chars)  # noqa: E731
    return json_response({"items": await asked.work.read(job)})


@endpoint("GET", "/queue", CORRECT, "The least certain texts", answer=schemas.Items)
async def queue(asked: Ask, limit: Limit = 20, chars: Chars = 2000) -> Response:
    """List the texts that nobody has looked at, the least certain first."""
    job = lambda live: _plain(live, live.queue(limit), chars)  # noqa: E731
    return json_response({"items": await asked.work.read(job)})


@endpoint(
    "GET", "/texts/{number}", CORRECT, "A recent text", answer=schemas.WholeText, refusals=(404,)
)
async def text(
    asked: Ask, number: Annotated[int, Path(ge=0, le=request_schemas.LARGEST)]
) -> Response:
    """Return the whole of a recent text."""
    whole = plain_text(recent_text(asked, number)) or ""
    return json_response({"number": number, "text": whole, "length": len(whole)})


@endpoint("GET", "/progress", CORRECT, "Progress and drift", answer=schemas.FollowingJson)
async def progress(asked: Ask) -> Response:
    """Say how good the answers were before they were corrected, and whether texts change."""

    def job(live: LiveModel) -> dict[str, Any]:
        return {"progress": live.progress().to_dict(), "drift": live.drift().to_dict()}

    return json_response(await asked.work.read(job))


def _plain(live: LiveModel, items: list[Recent], chars: int) -> list[dict[str, Any]]:
    chars = fair_share(chars, len(items))
    short = [one for one in items if len(one.text) <= SHORT]
    answers = live.answer([one.text for one in short], remember=False)
    now = dict(zip((one.number for one in short), map(said_to_plain, answers), strict=True))
    return [
        {
            "number": one.number,
            "time": one.time,
            **cut(one.text, chars),
            **said_to_plain(one.answer),
            "state": one.state,
            "id": one.id,
            "times": one.times,
            "now": now.get(one.number),
        }
        for one in items
    ]
