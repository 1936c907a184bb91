"""Pictures of stored results, for the pages that quote them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from benchmarks import store
from hardlimit.pictures import _palette, _style
from hardlimit.pictures._picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLEAN, NOISY = "texts", "texts, 10 % wrong"
FAR = 30.0  # percent; rules that err more often would leave no room for the others


def grid(row: str, title: str) -> dict[str, dict[str, str]]:
    """Return a stored table: by the first column, the cells by their heads."""
    [found] = [one for one in store.read()[row]["grids"] if one["title"] == title]
    return {line[0]: dict(zip(found["head"][1:], line[1:], strict=True)) for line in found["lines"]}


def draw_rules() -> Picture:
    """Draw the errors of every rule on texts, with right and with wrong labels."""
    cells = grid("which_rule", "Errors in percent")
    errors = {
        name: [[float(part) for part in line[head].split(" ± ")] for head in (CLEAN, NOISY)]
        for name, line in cells.items()
    }
    near = {name: pair for name, pair in errors.items() if pair[0][0] < FAR}
    order = sorted(near, key=lambda name: near[name][1][0])
    best, worst = order[0], order[-1]
    far = ", ".join(name for name in errors if name not in near)
    return Picture(
        name="rules",
        title="Errors of every rule on five sets of texts",
        description=f"Errors in percent of {len(order)} rules with right labels and with a tenth "
        f"of them wrong: from {best}, {near[best][0][0]:g} and {near[best][1][0]:g}, to {worst}, "
        f"{near[worst][0][0]:g} and {near[worst][1][0]:g}. Not drawn, above {FAR:g}: {far}.",
        data={"rules": order, "errors": [near[name] for name in order]},
        draw=_draw,
        size=(6.4, 5.4),
    )


ADAPTING = (
    "hardlimit, step=3",
    "hardlimit, the smallest change",
    "scikit-learn SGD, log_loss, eta=30",
    "scikit-learn PA",
    "River logistic regression, eta=30",
    "River PA",
)


def draw_adapting() -> Picture:
    """Draw the mistakes of learners that are corrected after each of them."""
    cells = grid("adapting", "Mistakes so far, by mails")
    heads = list(next(iter(cells.values())))
    mails = [int(head.replace(",", "")) for head in heads]
    courses = {
        name: [int(cells[name][head].replace(",", "")) for head in heads]
        for name in ADAPTING
        if name in cells
    }
    last = ", ".join(f"{name} {course[-1]:,}" for name, course in courses.items())
    never = cells["hardlimit, never corrected"][heads[-1]]
    return Picture(
        name="adapting",
        title="Mistakes on mail from elsewhere, with a correction after each",
        description=f"Mistakes so far over {mails[-1]:,} Enron mails of learners that were trained "
        f"on SpamAssassin's and are corrected after each mistake. At the end: {last}. Without "
        f"corrections there would be {never}, which is not drawn.",
        data={"mails": mails, "mistakes": courses},
        draw=_draw_courses,
        size=(6.4, 4.6),
    )


def _draw_courses(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    handles = []
    for number, course in enumerate(data["mistakes"].values()):
        look = _palette.of_line(number)
        line: dict[str, Any] = {"color": look.color, "ls": look.dashes, "marker": look.marker}
        handles += axes.plot([0, *data["mails"]], [0, *course], markersize=4, **line)
    axes.set_xlim(0, data["mails"][-1])
    axes.set_ylim(0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("mails")
    axes.set_ylabel("mistakes so far")
    axes.grid(visible=True)
    _style.draw_legend(figure, handles, list(data["mistakes"]), columns=2)


def _draw(figure: Figure, data: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    handles = []
    for place, pair in enumerate(data["errors"]):
        (clean, _), (noisy, _) = pair
        axes.plot([clean, noisy], [place, place], color=_palette.FAINT, linewidth=3, zorder=1)
    for column, number in ((0, 0), (1, 1)):
        look = _palette.of_class(number)
        handles.append(
            axes.errorbar(
                [pair[column][0] for pair in data["errors"]],
                range(len(data["rules"])),
                xerr=[pair[column][1] for pair in data["errors"]],
                fmt=look.marker,
                color=look.color,
                markeredgecolor=_palette.INK,
                ecolor=_palette.INK,
                markersize=7,
                linewidth=1,
                zorder=3,
            )
        )
    axes.set_yticks(range(len(data["rules"])), data["rules"])
    axes.invert_yaxis()
    axes.set_xlabel("errors in percent, mean over five sets of texts")
    axes.grid(visible=True, axis="x")
    _style.draw_legend(figure, handles, ["right labels", "a tenth of the labels wrong"])


SHARDS = "shards_accuracy"
ACCURACIES = "Accuracy of shards, averaged / last weights"
ROUNDS = "Rounds until the last weights are as good as one run's"
WAYS = {
    "perceptron, uniform": 0,
    "passive-aggressive, uniform": 0,
    "passive-aggressive, accelerated": 1,  # the read-out: averaged, last
}
READOUTS = ("averaged", "last")


def draw_shards() -> Picture:
    """Draw the accuracy of shards by their number, after ten epochs."""
    cells = grid(SHARDS, ACCURACIES)
    heads = list(next(iter(cells.values())))
    corpora = list(dict.fromkeys(name.split(",")[0] for name in cells))
    found = {
        corpus: {
            way: [
                float(cells[f"{corpus}, {way}, 10"][head].split(" / ")[readout]) for head in heads
            ]
            for way, readout in WAYS.items()
        }
        for corpus in corpora
    }
    said = ". ".join(
        f"{corpus}: " + "; ".join(f"{way} {ys[0]:.4f} to {ys[-1]:.4f}" for way, ys in ways.items())
        for corpus, ways in found.items()
    )
    return Picture(
        name="shards",
        title="Accuracy after ten epochs",
        description=f"Accuracy on held-out texts after ten epochs, from {heads[0]} to {heads[-1]}. "
        f"{said}.",
        data={"shards": [int(head.split()[0]) for head in heads], "accuracy": found},
        draw=_draw_shards,
        size=(7.2, 3.4),
    )


def _draw_shards(figure: Figure, data: dict[str, Any]) -> None:
    handles: list[Any] = []
    for place, (corpus, ways) in enumerate(data["accuracy"].items()):
        axes = figure.add_subplot(1, len(data["accuracy"]), place + 1)
        lines = _draw_lines(axes, data["shards"], ways.values())
        handles = handles or lines
        axes.set_title(corpus)
        axes.set_xlabel("shards")
        if not place:
            axes.set_ylabel("accuracy")
    names = [f"{way} ({READOUTS[readout]})" for way, readout in WAYS.items()]
    _style.draw_legend(figure, handles, names, columns=2)


def _draw_lines(axes: Any, shards: list[int], courses: Any) -> list[Any]:
    """Draw a line for each way over the numbers of shards; the lines."""
    lines = []
    for number, course in enumerate(courses):
        look = _palette.of_line(number)
        style: dict[str, Any] = {"color": look.color, "ls": look.dashes, "marker": look.marker}
        lines += axes.plot(shards, course, markersize=4, **style)
    axes.set_xscale("log")
    axes.set_xticks(shards, [f"{n:,}" for n in shards])
    axes.minorticks_off()
    axes.grid(visible=True)
    return lines


def draw_rounds() -> Picture:
    """Draw rounds and bytes by the number of shards, up to 1,000."""
    cells = grid(SHARDS, ROUNDS)
    found: dict[str, dict[str, list[float]]] = {
        way: {"shards": [], "rounds": [], "up": []} for way in WAYS
    }
    for name, line in cells.items():
        way, shards = name.rsplit(", ", 1)
        found[way]["shards"].append(int(shards))
        # What did not get there in so many rounds is not drawn.
        reached = not line["rounds"].startswith(">")
        found[way]["rounds"].append(float(line["rounds"]) if reached else math.nan)
        first = line["MB of the first round, up / down"]
        found[way]["up"].append(float(first.split(" / ")[0]))
    pairs = {way: zip(ways["shards"], ways["rounds"], strict=True) for way, ways in found.items()}
    said = "; ".join(
        f"{way}: " + ", ".join(f"{n:,} {r:g}" for n, r in each if r == r)
        for way, each in pairs.items()
    )
    return Picture(
        name="rounds",
        title="Rounds until one run is reached, and what all shards send",
        description=f"Rounds until the last weights are within 0.002 of one run's accuracy, 20 at "
        f"most, by the number of shards: {said}.",
        data=found,
        draw=_draw_rounds,
        size=(7.2, 3.4),
    )


def _draw_rounds(figure: Figure, data: dict[str, Any]) -> None:
    shards = next(iter(data.values()))["shards"]
    handles: list[Any] = []
    labels = {"rounds": "rounds", "up": "MB of the first round"}
    for place, (what, label) in enumerate(labels.items()):
        axes = figure.add_subplot(1, 2, place + 1)
        handles = _draw_lines(axes, shards, [way[what] for way in data.values()])
        axes.set_ylim(0)
        axes.set_xlabel("shards")
        axes.set_ylabel(label)
    _style.draw_legend(figure, handles, list(data), columns=2)
