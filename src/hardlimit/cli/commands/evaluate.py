"""``hardlimit evaluate``: how good a model is on labelled texts."""

from __future__ import annotations

from typing import Any

import click

from hardlimit.cli import options


@click.command()
@click.argument("model")
@click.argument("source", metavar="FILE")
@options.layout_options()
@click.option("--positive", metavar="LABEL", help="Which of two classes is the positive one.")
@options.as_json
def command(model: str, source: str, positive: str | None, as_json: bool, **given: Any) -> None:
    """Measure MODEL on labelled texts it was not trained on.

    FILE is read as the training file was, unless options say otherwise. Labels that the model does
    not know are counted as mistakes and named.
    """
    from hardlimit.cli import figures, models, numeric
    from hardlimit.cli.progress import Progress
    from hardlimit.cli.reading import Labelled, layout_for, read_labelled

    judge = models.judge(model)
    remembered, wanted = models.layout(judge.metadata), options.take_layout(given)
    with Progress(1) as progress:
        progress.stage("reading")
        data: Labelled
        if judge.texts:
            data = read_labelled(source, layout_for(source, remembered, wanted), progress)
        else:
            data = numeric.read(source, {**remembered, **wanted})
        progress.stage("predicting")
        report = figures.measure(judge, data, positive)
    if as_json:
        models.say_json(figures.plain(report))
    else:
        figures.show(report)
