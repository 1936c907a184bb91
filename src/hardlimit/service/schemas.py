"""Bodies of requests and answers, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

# Beyond it JSON's numbers are not exact for all who read them.
LARGEST = 2**53 - 1
MOST_TEXTS = 10_000
MOST_CORRECTIONS = 1000
# Labels or terms of one text.
MOST_WANTED = 1000

Label = Annotated[
    str | int | float | bool,
    Field(description="A class of the model.", examples=["ham"]),
]
ROW = "Row"
Row = Annotated[
    dict[str, str | int | float | bool | None],
    Field(
        title=ROW,
        description="Of a model of several columns: the values by the names of the columns.",
    ),
]
Text = Annotated[
    str | Row,
    Field(description="The text itself, or a row.", examples=["win a prize now"]),
]


def _whole(value: object) -> object:
    """Return 3 for 3.0: to JSON they are one number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# After the limits of a number: in front of it they would be missing in the document.
WHOLE = BeforeValidator(_whole)


class Given(BaseModel):
    """What a client sends: exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


# A field that is not there; null is refused, since it is neither a text nor its absence.
_ABSENT: Any = None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def _either(*names: str) -> ConfigDict:
    """Return the configuration of a body that has one of these fields, and not two."""
    return ConfigDict(json_schema_extra={"oneOf": [{"required": [name]} for name in names]})


class PredictBody(Given):
    """One text or several; of a model of several columns, rows."""

    model_config = _either("text", "texts")

    text: Annotated[str | Row, Field(json_schema_extra=_without_default)] = _ABSENT
    texts: Annotated[
        list[str | Row], Field(max_length=MOST_TEXTS, json_schema_extra=_without_default)
    ] = _ABSENT
    remember: Annotated[
        bool, Field(description="Whether corrections tell later that they flipped a text.")
    ] = True
    top: Annotated[
        int,
        Field(ge=0, le=MOST_WANTED, description="So many of the likeliest labels of each text."),
        WHOLE,
    ] = 0
    scores: Annotated[bool, Field(description="The scores of all labels of each text.")] = False
    explain: Annotated[
        int,
        Field(ge=0, le=MOST_WANTED, description="So many of the most telling terms of each text."),
        WHOLE,
    ] = 0

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.texts is None):
            raise ValueError("text, or texts: exactly one of both")
        return self


RecentNumber = Annotated[
    int,
    Field(
        ge=0,
        le=LARGEST,
        description="Of a recent text, from /inbox.",
        json_schema_extra=_without_default,
    ),
    WHOLE,
]


class OneText(Given):
    """A text, or the number of a recent one."""

    model_config = _either("text", "number")

    text: Annotated[str | Row, Field(json_schema_extra=_without_default)] = _ABSENT
    number: RecentNumber = _ABSENT

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.number is None):
            raise ValueError("text, or number: exactly one of both")
        return self


class ExplainBody(OneText):
    """What to explain."""

    top: Annotated[
        int, Field(ge=0, le=MOST_WANTED, description="Terms and corrections to name."), WHOLE
    ] = 10
    labels: Annotated[
        int, Field(ge=0, le=MOST_WANTED, description="So many of the likeliest labels."), WHOLE
    ] = 0
    max_spans: Annotated[int, Field(ge=0, le=20_000, description="Places in the text."), WHOLE] = (
        2000
    )


class ConfirmBody(OneText):
    """A text whose answer is right."""

    label: Annotated[
        str | int | float | bool | None,
        Field(description="What the answer has to be; null for whatever it is."),
    ] = None
    by: Annotated[str, Field(max_length=500)] = ""


class Correction(OneText):
    """A text and its right label, one of several."""

    label: Label


class CorrectBody(Given):
    """A text and its right label, or several of them, all or none of which are made."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["text", "label"]},
                {"required": ["number", "label"]},
                {"required": ["corrections"], "not": {"required": ["label"]}},
            ]
        }
    )

    text: Annotated[Text, Field(json_schema_extra=_without_default)] = _ABSENT
    number: RecentNumber = _ABSENT
    label: Annotated[Label, Field(json_schema_extra=_without_default)] = _ABSENT
    corrections: Annotated[
        list[Correction],
        Field(
            min_length=1,
            max_length=MOST_CORRECTIONS,
            description="Several of them, made one after the other, all or none.",
            json_schema_extra=_without_default,
        ),
    ] = _ABSENT
    margin: Annotated[float, Field(gt=0, le=1e9, description="By which the label wins.")] = 1.0
    guards: Annotated[
        Literal["refuse", "solve", "flag"],
        Field(description="Where a guard is in the way: refuse, solve both, or flag the guard."),
    ] = "refuse"
    new_class: Annotated[
        bool,
        Field(
            description="Make a class of a label that the model does not know, which is refused "
            "else. A label that differs from a known one only in case, blanks or Unicode form is "
            "refused nevertheless."
        ),
    ] = False
    dry_run: Annotated[bool, Field(description="Tell what would happen, change nothing.")] = False
    by: Annotated[str, Field(max_length=500, description="Who says so; without keys.")] = ""

    @model_validator(mode="after")
    def _one_or_several(self) -> Self:
        names = ("text", "number", "corrections", "label")
        *given, label = (getattr(self, name) is not None for name in names)
        if sum(given) != 1:
            raise ValueError("text, number, or corrections: exactly one of them")
        if not label and not given[-1]:
            raise PydanticCustomError("missing", "it is missing", {"field": "label"})
        if label and given[-1]:
            raise ValueError("label: each of the corrections has its own")
        return self


class UndoBody(Given):
    """An entry to take back."""

    id: Annotated[int, Field(ge=1, le=LARGEST, description="Of the entry.", examples=[57]), WHOLE]
    dry_run: bool = False
    by: Annotated[str, Field(max_length=500)] = ""


class GuardBody(Given):
    """A text that no correction may flip."""

    text: Text
    label: Annotated[
        str | int | float | bool | None,
        Field(description="Its answer, which it has to be now; null for that of now."),
    ] = None
    by: Annotated[str, Field(max_length=500)] = ""


class Nothing(Given):
    """No field: ``{}``."""


# Answers: for the document only. What is sent is made by hand, and compared in the tests.


class Standing(BaseModel):
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


class Likely(BaseModel):
    """One of the likeliest labels."""

    label: Label
    score: float | None
    probability: float | None


class Term(BaseModel):
    """A term of the text."""

    term: str
    contribution: float | None = Field(description="Above 0 for the label, below against it.")
    corrections: float | None = Field(description="What corrections made of it.")


class Prediction(Said):
    """The answer to one text; what was not asked for is left out."""

    number: int | None = Field(
        description="Among the recent texts, where equal texts are one; null of one not remembered."
    )
    top: Annotated[
        list[Likely] | None,
        Field(description="The likeliest labels.", json_schema_extra=_without_default),
    ] = None
    scores: Annotated[
        dict[str, float | None] | None,
        Field(description="By label.", json_schema_extra=_without_default),
    ] = None
    terms: Annotated[
        list[Term] | None,
        Field(description="The most telling ones.", json_schema_extra=_without_default),
    ] = None


class Predictions(BaseModel):
    """The answers to all texts, in their order."""

    predictions: list[Prediction]
    fingerprint: str | None = Field(
        description="Of the model that answered; null where a correction came in between."
    )


class Push(BaseModel):
    """A correction that pushed the answer."""

    id: int
    author: str
    time: str
    label: Label
    push: float | None


class Span(BaseModel):
    """Characters start <= i < end of the text."""

    start: int
    end: int
    contribution: float | None


class Explanation(BaseModel):
    """Why a text gets its label."""

    label: Label
    rival: Label
    margin: float | None
    probability: float | None
    known_features: KnownFeatures
    labels: list[Likely] = Field(description="The likeliest labels, that of the text first.")
    terms: list[Term]
    corrections: list[Push]
    spans: list[Span]


class Flip(BaseModel):
    """Another remembered text that changed sides."""

    model_config = ConfigDict(extra="allow")

    number: int
    before: Label
    after: Label


class Receipt(BaseModel):
    """What a correction or an undo did."""

    model_config = ConfigDict(extra="allow")

    id: int | None = Field(description="Of the entry; null of a dry run.")
    kind: str
    label: Label | None
    before: Standing
    after: Standing
    size: float
    flips: list[Flip]
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

    receipts: list[Receipt]
    fingerprint: str


class Guard(BaseModel):
    """A text that no correction may flip."""

    id: int
    text: str | None
    length: int | None
    label: Label
    by: str
    time: str
    now: Standing
    holds: bool


class Guards(BaseModel):
    """All guards."""

    guards: list[Guard]


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


class Log(BaseModel):
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


class Following(BaseModel):
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


class Health(BaseModel):
    """How the service is."""

    status: str = Field(description="ok, degraded or stopping.")
    troubles: dict[str, str]


class Refusal(BaseModel):
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
    refusals: list[Refusal] | None = Field(
        None, description="Of several corrections: all that are refused. None is made."
    )
