"""The work of ``hardlimit export``: load a model, write what it computes as ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardlimit import describing
from hardlimit.classifiers.exporting import onnx
from hardlimit.cli import invocation, json_output, models, outputs, terminal
from hardlimit.exceptions import InputError

if TYPE_CHECKING:
    from hardlimit.cli.commands.export.command import ExportOptions
    from hardlimit.cli.models import Classifier

# What the outputs are, by name.
_MEANS = {
    "label": "the class",
    "probabilities": "of each class",
    "scores": "as hardlimit predict --scores shows them",
}


def run(options: ExportOptions) -> None:
    """Export the model, and say what the file takes and gives."""
    if options.output == "-":
        raise click.UsageError("-o wants a file: an ONNX file is not for a terminal")
    outputs.refuse_inputs(options.output, options.model)
    classifier = models.load(options.model)
    columns = _columns(classifier)
    model = classifier.fitted
    try:
        exported = onnx.write(model, options.output, options.dtype, model.slope, columns)
    except InputError as error:
        # What stands in the way is the model, so that the message names its file.
        raise error.replaced(who="", where=options.model) from None
    if options.as_json:
        json_output.print_json(_to_json(classifier, exported, columns, options))
        return
    _show(classifier, exported, columns, options)


def _columns(classifier: Classifier) -> list[str] | None:
    """Return the names of the columns in their order, as the training file or table had them."""
    if describing.takes_texts(classifier):
        return None
    columns = describing.layout_of(classifier.metadata).get("columns")
    return [str(name) for name in columns] if columns else None


def _show(
    classifier: Classifier,
    exported: onnx.Exported,
    columns: list[str] | None,
    options: ExportOptions,
) -> None:
    terminal.say(f"{terminal.paint(options.output, 'bold')}: exported from {options.model}")
    terminal.say()
    named = f", in this order: {', '.join(columns[:8])}" if columns else ""
    more = ", ..." if columns and len(columns) > 8 else ""
    taken = terminal.plural(classifier.fitted.n_columns, "column")
    facts = [("input", f"X: {options.dtype}, rows of {taken}{named}{more}")]
    kinds = _kinds(classifier)
    if kinds:
        facts = [("input", f"{n}: {_type(kind, options)}, one a row") for n, kind in kinds.items()]
    facts += [("output", f"{name}: {_MEANS[name]}") for name in exported.outputs]
    facts.append(("file", terminal.format_bytes(exported.n_bytes)))
    terminal.facts(facts)
    terminal.heading("Next, in Python with onnxruntime")
    name = invocation.quoted(options.output)
    terminal.say(f"  session = onnxruntime.InferenceSession({name!r})")
    if not kinds:
        terminal.say(f'  labels = session.run(["label"], {{"X": X.astype("{options.dtype}")}})[0]')
        return
    terminal.say(f"  kinds = { {name: _type(kind, options) for name, kind in kinds.items()}!r}")
    terminal.say(
        "  labels = session.run(['label'], {n: table[[n]].values.astype(k) for n, k in "
        "kinds.items()})[0]"
    )


def _kinds(classifier: Any) -> dict[str, str]:
    """Return the kind of each column of a table; nothing of rows of numbers."""
    kinds: dict[str, str] = classifier.kinds_ if describing.is_table(classifier) else {}
    return kinds


def _type(kind: str, options: ExportOptions) -> str:
    return options.dtype if kind == "number" else "str"


def _to_json(
    classifier: Classifier,
    exported: onnx.Exported,
    columns: list[str] | None,
    options: ExportOptions,
) -> json_output.Json:
    return {
        "model": options.model,
        "output": options.output,
        "bytes": exported.n_bytes,
        "dtype": options.dtype,
        "inputs": {name: ["N", 1] for name in _kinds(classifier)}
        or {"X": ["N", classifier.fitted.n_columns]},
        "outputs": list(exported.outputs),
        "columns": columns,
        "classes": [json_output.label_to_json(label) for label in classifier.classes_.tolist()],
    }
