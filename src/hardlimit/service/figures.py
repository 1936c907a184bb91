"""Figures for Prometheus, in a registry of this service's own.

What happens is counted as it happens; what the model knows by itself is asked for when somebody
looks. No figure has a text or the name of a key in it. The labels of the model are in one of them,
and there are never more series than so many of these.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily

from hardlimit.foundation.formatting import format_label
from hardlimit.foundation.package import VERSION
from hardlimit.live.answer import Answer, Receipt
from hardlimit.live.model import LiveModel

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Labels that are counted each by itself, in the order of their first answers; the others together.
MOST_LABELS = 100
OTHER = "(all others)"  # "other" may be a class
# Most predictions take some 0.1 ms.
_SECONDS = (
    *(0.00005, 0.0001, 0.0002, 0.0003, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1),
    *(0.25, 0.5, 1, 2.5, 10),
)
# What is counted as it happens, with the labels of the figure.
_COUNTERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "requests": ("Requests by route and status.", ("method", "route", "status")),
    "texts": ("Texts that were answered.", ()),
    "predictions": (
        f"Answers by label; after {MOST_LABELS} labels the others together.", ("label",)
    ),
    "unknown_texts": ("Texts without a term that the model knows.", ()),
    "abstained": ("Answers below the wanted probability.", ()),
    "entries_made": ("Entries by this service.", ("kind",)),
    "flips": ("Other remembered texts that changed sides.", ()),
    "reloads": ("New model files.", ("outcome",)),
    "log_lines_dropped": ("Lines that nobody took in time.", ()),
}  # fmt: skip
# What the model knows: figures with one value, and parts of its progress and drift.
_QUALITY = {
    "mean": "Mean probability of judged answers.",
    "log_loss": "Log loss of the probability.",
    "brier": "Brier score of the probability.",
}
_DRIFT = {
    "unknown": "Share of words that the base does not know.",
    "accuracy": "Share of answers right before learnt.",
    "probability": "Mean probability of judged answers.",
    "corrections_per_day": "Mistakes a day.",
}


class ServiceFigures:
    """All figures of one service."""

    def __init__(
        self, live: Callable[[], LiveModel], troubles: Callable[[], Mapping[str, str]] = dict
    ) -> None:
        self.registry = CollectorRegistry()
        make: Any = {"registry": self.registry, "namespace": "hardlimit"}
        self._counters = {
            name: Counter(name, text, labels, **make) for name, (text, labels) in _COUNTERS.items()
        }
        self._seconds = Histogram(
            "request_seconds",
            "From the header to the answer.",
            ("route",),
            buckets=_SECONDS,
            **make,
        )
        for outcome in ("changed", "unchanged", "refused"):
            # From 0 on: an increase from nothing would be none to Prometheus.
            self._counters["reloads"].labels(outcome)
        build = Gauge("build_info", "Which program this is.", ("version",), **make)
        build.labels(VERSION).set(1)
        self.registry.register(_OfModel(live, troubles))
        ProcessCollector(registry=self.registry)
        # Looking up a label costs more than counting.
        self._known: dict[tuple[str, str, int], tuple[Any, Any]] = {}
        self._by_label: dict[tuple[type, Hashable], Any] = {}

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request and its time."""
        key = (method, route, status)
        pair = self._known.get(key)
        if pair is None:
            pair = self._counters["requests"].labels(*map(str, key)), self._seconds.labels(route)
            self._known[key] = pair
        pair[0].inc()
        pair[1].observe(seconds)

    def count_answers(self, answers: Sequence[Answer]) -> None:
        """Count texts, by their labels too."""
        self._counters["texts"].inc(len(answers))
        abstained = strange = 0
        times: dict[tuple[type, Hashable], int] = {}
        for one in answers:
            # 1 == True == 1.0, and each of them is a label of its own.
            label = type(one.label), one.label
            times[label] = times.get(label, 0) + 1
            abstained += one.abstained
            strange += one.known_features == 0
        for label, n in times.items():
            self._counter_of(label).inc(n)
        self._counters["abstained"].inc(abstained)
        self._counters["unknown_texts"].inc(strange)

    def _counter_of(self, label: tuple[type, Hashable]) -> Any:
        found = self._by_label.get(label)
        if found is not None:
            return found
        if len(self._by_label) >= MOST_LABELS:
            return self._counters["predictions"].labels(OTHER)
        made = self._by_label[label] = self._counters["predictions"].labels(format_label(label[1]))
        return made

    def count_receipt(self, receipt: Receipt) -> None:
        """Count an entry and what it did."""
        if not receipt.dry_run:
            self._counters["entries_made"].labels(receipt.kind).inc()
            self._counters["flips"].inc(len(receipt.flips))

    def count_entry(self, kind: str) -> None:
        """Count an entry without a receipt."""
        self._counters["entries_made"].labels(kind).inc()

    def drop_line(self) -> None:
        """Count a line of the log that nobody took in time."""
        self._counters["log_lines_dropped"].inc()

    def count_reload(self, outcome: str) -> None:
        """Count a new model file, or one that was refused."""
        self._counters["reloads"].labels(outcome).inc()

    def text(self) -> bytes:
        """Return all of them as Prometheus reads them. Cost: answers to the guards."""
        return generate_latest(self.registry)


class _OfModel:
    """What the model knows by itself."""

    def __init__(
        self, live: Callable[[], LiveModel], troubles: Callable[[], Mapping[str, str]]
    ) -> None:
        self._live, self._troubles = live, troubles

    def describe(self) -> list[Any]:
        """Return nothing: so that making the registry asks for nothing."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures of now."""
        live = self._live()
        guards, progress, drift = live.guards(), live.progress(), live.drift()
        known = "Digest of the model file that answers."
        yield _gauges("model_info", known, ("fingerprint",), [((live.base.digest,), 1)])
        broken = sum(now.label != entry.label for entry, now in guards)
        for name, text, value in (
            ("troubles", "What /health tells.", len(self._troubles())),
            ("entries", "Entries of the ledger.", live.n_entries),
            ("classes", "Classes of the model.", len(live.classes)),
            ("guards", "Guards.", len(guards)),
            ("guards_broken", "Guards that do not hold now.", broken),
            ("answers_judged", "Answers that were confirmed or corrected.", progress.n_seen),
            ("progressive_accuracy", "Share right before learnt.", progress.accuracy),
        ):
            yield _gauges(name, text, (), [((), value)])
        slopes = [("live", progress.live), ("fitted", progress.fitted)]
        for name, text in _QUALITY.items():
            values = [((which,), getattr(one, name)) for which, one in slopes if one is not None]
            yield _gauges(f"probability_{name}", text, ("kind",), values)
        for name, text in _DRIFT.items():
            pair = getattr(drift, name)
            values = [(("recent",), pair.recent), (("before",), pair.before)]
            yield _gauges(f"drift_{name}", text, ("window",), values)


def _gauges(
    name: str,
    text: str,
    labels: Sequence[str],
    values: Iterable[tuple[Sequence[str], float | None]],
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"hardlimit_{name}", text, labels=labels)
    for of, value in values:
        if value is not None:
            family.add_metric(of, value)
    return family
