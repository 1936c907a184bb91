"""Bodies of requests: how they are checked, and what the OpenAPI document says of them."""

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


class GivenExample(BaseModel):
    """What a client sends: exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


# A field that is not there; null is refused, since it is neither a text nor its absence.
_ABSENT: Any = None


def without_default(schema: dict[str, Any]) -> None:
    """Say nothing of a default in the schema of a field that may be left out."""
    schema.pop("default", None)


def _either(*names: str) -> ConfigDict:
    """Return the configuration of a body that has one of these fields, and not two."""
    return ConfigDict(json_schema_extra={"oneOf": [{"required": [name]} for name in names]})


# So many of something, and the number of a recent text.
Wanted = Annotated[int, Field(ge=0, le=MOST_WANTED), WHOLE]
Number = Annotated[int, Field(ge=0, le=LARGEST), WHOLE]


def optional(description: str | None = None, **limits: Any) -> Any:
    """Return a field that may be left out, and then is None."""
    extra: Any = without_default
    return Field(_ABSENT, description=description, json_schema_extra=extra, **limits)


class PredictBody(GivenExample):
    """One text or several; of a model of several columns, rows."""

    model_config = _either("text", "texts")

    text: str | Row = optional()
    texts: list[str | Row] = optional(max_length=MOST_TEXTS)
    remember: bool = Field(
        True, description="Whether corrections tell later that they flipped a text."
    )
    top: Wanted = Field(0, description="So many of the likeliest labels of each text.")
    scores: bool = Field(False, description="The scores of all labels of each text.")
    explain: Wanted = Field(0, description="So many of the most telling terms of each text.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.texts is None):
            raise ValueError("text, or texts: exactly one of both")
        return self


class TextBody(GivenExample):
    """A text, or the number of a recent one."""

    model_config = _either("text", "number")

    text: str | Row = optional()
    number: Number = optional("Of a recent text, from /inbox.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.number is None):
            raise ValueError("text, or number: exactly one of both")
        return self


class ExplainBody(TextBody):
    """What to explain."""

    top: Wanted = Field(10, description="Terms and corrections to name.")
    labels: Wanted = Field(0, description="So many of the likeliest labels.")
    max_spans: Annotated[int, Field(ge=0, le=20_000), WHOLE] = Field(
        2000, description="Places in the text."
    )


class ConfirmBody(TextBody):
    """A text whose answer is right."""

    label: str | int | float | bool | None = Field(
        None, description="What the answer has to be; null for whatever it is."
    )
    by: str = Field("", max_length=500)


class CorrectionItem(TextBody):
    """A text and its right label, one of several."""

    label: Label


class CorrectBody(GivenExample):
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

    text: Annotated[Text, Field(json_schema_extra=without_default)] = _ABSENT
    number: Number = optional("Of a recent text, from /inbox.")
    label: Annotated[Label, Field(json_schema_extra=without_default)] = _ABSENT
    corrections: list[CorrectionItem] = optional(
        "Several of them, made one after the other, all or none.",
        min_length=1,
        max_length=MOST_CORRECTIONS,
    )
    margin: float = Field(1.0, gt=0, le=1e9, description="By which the label wins.")
    guards: Literal["refuse", "solve", "flag"] = Field(
        "refuse", description="Where a guard is in the way: refuse, solve both, or flag the guard."
    )
    new_class: bool = Field(
        False,
        description="Make a class of a label that the model does not know, which is refused "
        "else. A label that differs from a known one only in case, blanks or Unicode form is "
        "refused nevertheless.",
    )
    dry_run: bool = Field(False, description="Tell what would happen, change nothing.")
    by: str = Field("", max_length=500, description="Who says so; without keys.")

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


class UndoBody(GivenExample):
    """An entry to take back."""

    id: Annotated[int, Field(ge=1, le=LARGEST, description="Of the entry.", examples=[57]), WHOLE]
    dry_run: bool = False
    by: str = Field("", max_length=500)


class GuardBody(GivenExample):
    """A text that no correction may flip."""

    text: Text
    label: str | int | float | bool | None = Field(
        None, description="Its answer, which it has to be now; null for that of now."
    )
    by: str = Field("", max_length=500)


class Nothing(GivenExample):
    """No field: ``{}``."""
