"""Refusals in one form: ``application/problem+json`` (RFC 9457), with our errors' fields.

``type`` is a place in the page ``/docs``; ``title`` is the same for every refusal of a type,
``detail`` says what happened this time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from hardlimit.exceptions import (
    CorrectionError,
    Explained,
    FileError,
    HardlimitError,
    InputError,
    KindError,
    LedgerError,
    MemoryEstimateError,
    ModelFileError,
    PythonFace,
    Reference,
    Setting,
)
from hardlimit.service.replies import to_json

CONTENT_TYPE = b"application/problem+json"

# What a refusal is called, and its status of HTTP where an error of a live model has the topic;
# without one it is 422. The page /docs lists them.
_REFUSALS: dict[str, tuple[str, int | None]] = {
    "already-undone": ("The entry is undone already", 409),
    "bad-query": ("A parameter of the address cannot be used", None),
    "bad-request": ("The request cannot be read", None),
    "body-too-large": ("The body is too large", None),
    "busy": ("Too many requests at once, or another process is writing", 503),
    "damaged": ("The ledger is damaged", 503),
    "failed": ("The service failed", None),
    "forbidden": ("This is not allowed", None),
    "foreign-origin": ("The request comes from another site", None),
    "full": ("The disk is full", 503),
    "guard-does-not-hold": ("The guard would not hold", 409),
    "guard-in-the-way": ("A guard is in the way", 409),
    "infeasible": ("No weights can do both", 409),
    "influence": ("The author's influence is used up", 403),
    "key-wanted": ("A key is wanted", None),
    "look-alike-label": ("The label is nearly one that the model has", None),
    "method-not-allowed": ("The method is not allowed here", None),
    "no-features": ("The text has no term that a weight could move", None),
    "no-such-entry": ("There is no such entry", 404),
    "no-such-page": ("There is nothing at this address", None),
    "no-such-text": ("The text is not kept any more", None),
    "not-json": ("The body is not JSON", None),
    "not-the-answer": ("The answer is another label", 409),
    "out-of-reach": ("The margin cannot be reached", None),
    "rate": ("Too many requests", 429),
    "read-only": ("The model is read-only", 403),
    "reload-refused": ("The new model file is refused", None),
    "same-as-a-guard": ("A guard has the same features and another label", 409),
    "stopping": ("The service is stopping", None),
    "too-slow": ("The body did not arrive in time", None),
    "unknown": ("The state of the model is not known", None),
    "unknown-label": ("The model has no such label", None),
    "unsupported-media-type": ("The body has another type", None),
    "unusable": ("A value cannot be used", None),
    "unwritable": ("The ledger cannot be read or written", None),
}
TITLES = {topic: title for topic, (title, _) in _REFUSALS.items()}
STATUS = {topic: status for topic, (_, status) in _REFUSALS.items() if status is not None}


class Problem(Exception):  # noqa: N818  (an answer too)
    """A refusal that is told to the client.

    status : of HTTP. topic : a key of :data:`TITLES`.
    fields : who, got, wanted, where, fix and whatever else the document says.
    headers : of the answer, beside its own.
    """

    def __init__(
        self,
        status: int,
        topic: str,
        detail: str = "",
        *,
        headers: tuple[tuple[bytes, bytes], ...] = (),
        **fields: Any,
    ) -> None:
        super().__init__(detail)
        self.status, self.topic, self.detail = status, topic, detail
        self.fields, self.headers = fields, headers

    def _detail(self) -> str:
        """Return what happened; to people without the right key as whole sentences."""
        if self.status not in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) or not self.detail:
            return self.detail
        return f"{self.detail[0].upper()}{self.detail[1:]}."

    def body(self) -> bytes:
        """Return the document."""
        title = TITLES.get(self.topic, HTTPStatus(self.status).phrase)
        document = {
            "type": f"/docs#{self.topic}",
            "title": title,
            "status": self.status,
            "detail": self._detail() or title,
            "topic": self.topic,
            "guards": (),
        }
        return to_json(document | {name: v for name, v in self.fields.items() if v not in ("", ())})


def busy(detail: str) -> Problem:
    """Return the refusal of what there is no place for now."""
    wait = ((b"retry-after", b"1"),)
    return Problem(503, "busy", detail, headers=wait, fix="try again in a second")


class ServiceFace(PythonFace):
    """Spells parameters and settings as JSON does."""

    def value(self, value: object) -> str:
        """Return a value as JSON, cut where it is long."""
        if isinstance(value, int) and abs(value) >= 1 << 64:
            return super().value(value)  # thousands of digits help nobody
        if value is None or isinstance(value, bool | int | float):
            return json.dumps(value)
        return super().value(value)

    def reference(self, reference: Reference) -> str:
        """Return a parameter as a field of a body."""
        if isinstance(reference, Setting):
            return f'"{reference.name}": {json.dumps(reference.value, default=str)}'
        return super().reference(reference)


_FACE = ServiceFace()


def problem_of(error: Exception) -> Problem:
    """Return what a client is told of an error; of ours what it says, of others nothing inside."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, FileError | LedgerError):
        # Paths of the server are its own affair.
        return _refusal(error, 503, error.topic if error.topic in TITLES else "unwritable")
    if isinstance(error, InputError | KindError | ModelFileError):
        status = STATUS.get(error.topic, 422)
        return _refusal(error, status, error.topic if error.topic in TITLES else "unusable")
    if isinstance(error, MemoryEstimateError | MemoryError):
        return Problem(503, "busy", "not enough memory is left for this", fix="ask for less")
    if isinstance(error, HardlimitError):
        return _refusal(error, 422, "unusable")
    return Problem(500, "failed", "the service failed; its log says why")


def shown(value: object) -> str:
    """Return a value as a client wrote it, cut where it is long."""
    return _FACE.value(value)


def sentence_of(error: Exception) -> str:
    """Return what an error says, without the paths of this machine."""
    told = _FACE.text(error.reason) if isinstance(error, HardlimitError) else ""
    return told or type(error).__name__


def _list_refusals(refusals: Iterable[tuple[int, Exception]]) -> list[dict[str, Any]]:
    """Return the refused ones of several corrections, each as its own problem says it."""
    found = []
    for place, error in refusals:
        problem = problem_of(error)
        told = {"place": place, "topic": problem.topic, "detail": problem.detail}
        found.append(told | {n: v for n, v in problem.fields.items() if v not in ("", ())})
    return found


def _refusal(error: Explained, status: int, topic: str) -> Problem:
    fields: dict[str, Any] = {
        "who": error.who,
        "parameter": error.parameter,
        "got": _FACE.value(error.got) if error.has_got else "",
        "wanted": _FACE.text(error.wanted),
        "fix": _FACE.text(error.fix),
    }
    headers: tuple[tuple[bytes, bytes], ...] = ()
    wait = 1.0
    if isinstance(error, CorrectionError):
        fields |= {"guards": error.guards, "multipliers": error.multipliers}
        if error.label is not None:
            fields |= {"label": error.label, "nearest": error.nearest}
        if error.refusals:
            fields |= {"where": error.where, "refusals": _list_refusals(error.refusals)}
        wait = max(wait, error.wait)
    if status in (429, 503):
        headers = ((b"retry-after", str(math.ceil(wait)).encode()),)
    return Problem(status, topic, _FACE.body(error), headers=headers, **fields)
