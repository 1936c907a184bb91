"""Bodies of answers, for the OpenAPI document only.

What is sent is made by hand, and compared with these in the tests.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from hardlimit.service.request_schemas import Label, optional


class StandingJson(BaseModel):
    """The answer to a text, and by how much it beats the best rival."""

    label: Label | None
    margin: float | None


KnownFeatures = Annotated[
    int | None,
    Field(
        description="Distinct terms of the text that the model knows; with 0 the label is that of "
        "a text without words. null of a row of numbers alone."
    ),
]


class Said(BaseModel):
    """An answer."""

    label: Label
    margin: float | None = Field(description="By which it beats the best rival; null: infinite.")
    probability: float | None = Field(description="Of the label.")
    abstained: bool = Field(
        description="Whether the probability is below the wanted one, or no term is known."
    )
    known_features: KnownFeatures


class LikelyJson(BaseModel):
    """One of the likeliest labels."""

    label: Label
    score: float | None
    probability: float | None


class TermJson(BaseModel):
    """A term of the text."""

    term: str
    contribution: float | None = Field(description="Above 0 for the label, below against it.")
    corrections: float | None = Field(description="What corrections made of it.")


class Prediction(Said):
    """The answer to one text; what was not asked for is left out."""

    number: int | None = Field(
        description="Among the recent texts, where equal texts are one; null of one not remembered."
    )
    top: list[LikelyJson] | None = optional("The likeliest labels.")
    scores: dict[str, float | None] | None = optional("By label.")
    terms: list[TermJson] | None = optional("The most telling ones.")


class Predictions(BaseModel):
    """The answers to all texts, in their order."""

    predictions: list[Prediction]
    fingerprint: str | None = Field(
        description="Of the model that answered; null where a correction came in between."
    )


class PushJson(BaseModel):
    """A correction that pushed the answer."""

    id: int
    author: str
    time: str
    label: Label
    push: float | None


class SpanJson(BaseModel):
    """Characters start <= i < end of the text."""

    start: int
    end: int
    contribution: float | None


class ExplanationJson(BaseModel):
    """Why a text gets its label."""

    label: Label
    rival: Label
    margin: float | None
    probability: float | None
    known_features: KnownFeatures
    labels: list[LikelyJson] = Field(description="The likeliest labels, that of the text first.")
    terms: list[TermJson]
    corrections: list[PushJson]
    spans: list[SpanJson]


class FlipJson(BaseModel):
    """Another remembered text that changed sides."""

    model_config = ConfigDict(extra="allow")

    number: int
    before: Label
    after: Label


class ReceiptJson(BaseModel):
    """What a correction or an undo did."""

    model_config = ConfigDict(extra="allow")

    id: int | None = Field(description="Of the entry; null of a dry run.")
    kind: str
    label: Label | None
    before: StandingJson
    after: StandingJson
    size: float
    flips: list[FlipJson]
    n_remembered: int = Field(description="How many other texts are remembered.")
    guards_in_the_way: list[int]
    flagged: list[int]
    new_class: bool
    new_terms: int
    target: int | None
    refused: list[int]
    dry_run: bool
    fingerprint: str
    probability: float | None = Field(description="Of the answer before; null of an undo.")


class Receipts(BaseModel):
    """What several corrections did, in their order."""

    receipts: list[ReceiptJson]
    fingerprint: str


class GuardJson(BaseModel):
    """A text that no correction may flip."""

    id: int
    text: str | None
    length: int | None
    label: Label
    by: str
    time: str
    now: StandingJson
    holds: bool


class Guards(BaseModel):
    """All guards."""

    guards: list[GuardJson]


class NewGuard(BaseModel):
    """The guard that was made."""

    id: int
    fingerprint: str


class GoneGuard(BaseModel):
    """The entry that removed a guard."""

    id: int
    target: int
    fingerprint: str


class LogEntry(BaseModel):
    """One entry of the ledger."""

    model_config = ConfigDict(extra="allow")

    id: int
    kind: str
    time: str
    author: str
    label: Label | None
    margin: float | None
    policy: str
    target: int | None
    text: str | None
    length: int | None
    details: dict[str, Any]
    before: str
    after: str
    undone: bool


class LogJson(BaseModel):
    """Entries, the newest first."""

    entries: list[LogEntry]
    next: int | None = Field(description="The parameter before of the next page; null at the end.")


class Item(Said):
    """A recent text, with what was said then."""

    number: int
    time: str
    text: str | None
    length: int | None
    state: str = Field(description="new, confirmed or corrected.")
    id: int | None = Field(description="Of the entry that confirms or corrects it.")
    times: int = Field(description="How often this text was asked about since it is here.")
    now: Said | None = Field(description="What is said now; null of very long texts.")


class Items(BaseModel):
    """Recent texts."""

    items: list[Item]


class WholeText(BaseModel):
    """A recent text."""

    number: int
    text: str
    length: int


class FollowingJson(BaseModel):
    """How good the answers were, and whether texts change."""

    progress: dict[str, Any]
    drift: dict[str, Any]


class ModelFacts(BaseModel):
    """What the model is."""

    classes: list[Label]
    columns: list[str] = Field(description="Of its rows; none of a model of texts.")
    threshold: float | None
    n_entries: int
    newest: int | None = Field(description="The number of the newest recent text.")
    fingerprint: str
    read_only: bool
    private: bool
    name: str
    note: str


class Reloaded(BaseModel):
    """What became of opening the files anew."""

    changed: bool = Field(description="Whether another model answers now.")
    fingerprint: str


class HealthJson(BaseModel):
    """How the service is."""

    status: str = Field(description="ok, degraded or stopping.")
    troubles: dict[str, str]


class RefusalJson(BaseModel):
    """One of several corrections that is refused."""

    model_config = ConfigDict(extra="allow")

    place: int = Field(description="Among the corrections, from 0.")
    topic: str
    detail: str


class ProblemDocument(BaseModel):
    """Why a request was refused (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    topic: str
    guards: list[int]
    who: str | None = None
    parameter: str | None = None
    got: str | None = None
    wanted: str | None = None
    where: str | None = None
    fix: str | None = None
    label: Label | None = Field(None, description="Which the model does not know.")
    nearest: Label | None = Field(None, description="The nearest label that the model has.")
    refusals: list[RefusalJson] | None = Field(
        None, description="Of several corrections: all that are refused. None is made."
    )
