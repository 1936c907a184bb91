"""``/guards`` and ``/log``."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Response

from hardlimit.live.entry import cut, entry_to_plain
from hardlimit.live.labels import find_label
from hardlimit.live.model import LiveModel
from hardlimit.service import request_schemas, schemas
from hardlimit.service.keys import CORRECT
from hardlimit.service.replies import json_response
from hardlimit.service.request_context import Ask
from hardlimit.service.routes import endpoint

# Characters of all texts of one answer, at most.
MOST_CHARS = 10_000_000
Chars = Annotated[
    int,
    Query(
        ge=0,
        le=1_000_000,
        description="Characters of each text that are sent; fewer where all would be above "
        "10 million.",
    ),
]
EntryId = Annotated[int, Path(ge=1, le=request_schemas.LARGEST, description="Of the guard.")]


def fair_share(chars: int, n_texts: int) -> int:
    """Return the characters of each text, so that an answer has an end.

    >>> fair_share(2000, 50), fair_share(1_000_000, 1000)
    (2000, 10000)
    """
    return min(chars, MOST_CHARS // max(n_texts, 1))


@endpoint("GET", "/guards", CORRECT, "List guards", answer=schemas.Guards)
async def guards(asked: Ask, chars: Chars = 2000) -> Response:
    """List the texts that no correction may flip."""
    found = await asked.work.read(LiveModel.guards)
    chars = fair_share(chars, len(found))
    plain = [
        {
            "id": entry.id,
            **cut(entry.text, chars),
            "label": entry.label,
            "by": entry.author,
            "time": entry.time,
            "now": {"label": now.label, "margin": now.margin},
            "holds": now.label == entry.label,
        }
        for entry, now in found
    ]
    return json_response({"guards": plain})


@endpoint(
    "POST", "/guards", CORRECT, "Add a guard", answer=schemas.NewGuard, status=201,
    refusals=(409,), example={"text": "minutes of the board", "label": "ham"},
)  # fmt: skip
async def add_guard(body: request_schemas.GuardBody, asked: Ask) -> Response:
    """Guard a text: no correction may flip it."""
    author = asked.author(body.by)

    def job(live: LiveModel) -> int:
        label = None if body.label is None else find_label(body.label, live.classes)
        return live.add_guard(body.text, label, by=author)

    number = await asked.work.write(job)
    asked.facts["entry"] = number
    asked.work.figures.count_entry("guard")
    return json_response({"id": number, "fingerprint": asked.work.live.fingerprint}, 201)


@endpoint(
    "DELETE", "/guards/{id}", CORRECT, "Remove a guard", answer=schemas.GoneGuard, refusals=(404,)
)
async def remove_guard(id: EntryId, asked: Ask) -> Response:  # noqa: A002
    """Guard a text no more."""
    author = asked.key
    number = await asked.work.write(lambda live: live.remove_guard(id, by=author))
    asked.facts["entry"] = number
    asked.work.figures.count_entry("unguard")
    return json_response({"id": number, "target": id, "fingerprint": asked.work.live.fingerprint})


@endpoint("GET", "/log", CORRECT, "The ledger", answer=schemas.LogJson)
async def log(
    asked: Ask,
    before: Annotated[
        int | None, Query(ge=1, le=request_schemas.LARGEST, description="Entries below this one.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Entries at most.")] = 50,
    chars: Chars = 2000,
) -> Response:
    """List the entries of the ledger, the newest first."""

    def job(live: LiveModel) -> dict[str, Any]:
        last = min(live.n_entries, before - 1 if before else live.n_entries)
        first = max(1, last - limit + 1)
        gone, share = live.undone(), fair_share(chars, last - first + 1)
        entries = live.log(first, last) if last >= 1 else ()
        plain = [entry_to_plain(one, one.id in gone, share) for one in entries]
        return {"entries": plain[::-1], "next": first if first > 1 and plain else None}

    return json_response(await asked.work.read(job))
