"""One message in a fresh process: the latency of a mail filter, or of a script.

Each contestant learns once and saves its model. Then whole processes are timed by turns: start,
load the model, read one message from standard input, print its label. ``hardlimit`` is the command
of a plain install; ``vw`` and ``fasttext`` are their own commands where those are on the path, else
their Python packages; the others are the shortest script that their pages suggest.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.contestants import Stages, contestants
from benchmarks.corpora import Missing, load
from benchmarks.harness import Figure, Settings, Times, format_seconds, time_by_turns
from benchmarks.job import exit_where_missing, run_module
from benchmarks.rows import startup

TITLE = "One message in a fresh process"
OURS = "hardlimit_default"
CORPORA = ("sms_spam", "20newsgroups")
MESSAGE = b"win a prize now\n"
REPETITIONS, QUICK = 15, 2
JOBLIB = """\
import sys, joblib
vectorizer, classifier = joblib.load(sys.argv[1] + "/model.joblib")
print(classifier.predict(vectorizer.transform([sys.stdin.read()]))[0])
"""
SCRIPTS = {
    "sklearn_linear_svc": JOBLIB,
    "sklearn_hashing_perceptron": JOBLIB,
    "liblinear": """\
import sys, joblib
from liblinear.liblinearutil import load_model, predict
vectorizer, classes = joblib.load(sys.argv[1] + "/vectorizer.joblib")
model = load_model(sys.argv[1] + "/model.liblinear")
answers, _, _ = predict([], vectorizer.transform([sys.stdin.read()]), model, "-q")
print(classes[int(answers[0])])
""",
    "river": """\
import sys, pickle
model, classes = pickle.load(open(sys.argv[1] + "/model.pickle", "rb"))
print(model.predict_one(sys.stdin.read()))
""",
    "vowpal_wabbit": """\
import re, sys
from vowpalwabbit import Workspace
model = Workspace(f"-t -i {sys.argv[1]}/model --quiet")
print(model.predict("| " + " ".join(re.findall(r"\\w\\w+", sys.stdin.read().lower()))))
""",
    "fasttext": """\
import re, sys, fasttext
model = fasttext.load_model(sys.argv[1] + "/model.bin")
labels, _ = model.predict([" ".join(re.findall(r"\\w\\w+", sys.stdin.read().lower()))])
print(labels[0][0])
""",
}
COMMANDS = {
    "vowpal_wabbit": ("vw", "-t", "-i", "{}/model", "-p", "/dev/stdout", "--quiet"),
    "fasttext": ("fasttext", "predict", "{}/model.bin", "-"),
}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the time of every contestant beside ours, for a small and a large model."""
    # A quick run takes the command as it is: an editable install looks for changed sources.
    folder = Path(sys.executable).parent if settings.quick else startup.install() / "bin"
    ours = folder / "hardlimit"
    corpora = CORPORA[:1] if settings.quick else CORPORA
    for corpus in (settings.corpus,) if settings.corpus else corpora:
        try:
            yield from one_corpus(corpus, ours, settings, skipped)
        except Missing as missing:
            skipped.append(str(missing))


def one_corpus(
    corpus: str, command: Path, settings: Settings, skipped: list[str]
) -> Iterator[Figure]:
    """Train all contestants, then let their processes take turns."""
    load(corpus)
    with tempfile.TemporaryDirectory() as folder:
        works, titles = {}, {}
        for name in settings.chosen(SCRIPTS, OURS):
            try:
                model = train(name, corpus, Path(folder))
            except Missing as missing:
                if str(missing) not in skipped:
                    skipped.append(str(missing))
                continue
            titles[name], works[name] = process(name, model, command)
        bare = startup.run(sys.executable, "-c", "pass")
        repetitions = QUICK if settings.quick else REPETITIONS
        times = time_by_turns({"python": bare, **works}, repetitions)
    yield from compare(corpus, titles, times)


def train(name: str, corpus: str, folder: Path) -> Path:
    """Learn a corpus in a process of its own, and return the folder of the saved model."""
    place = folder / name
    place.mkdir()
    run_module("benchmarks.rows.latency", name, corpus, str(place))
    return place


def process(name: str, model: Path, command: Path) -> tuple[str, Callable[[], None]]:
    """Return how one message is asked for, as a title and a call."""
    title = contestants()[name].TITLE
    if name == OURS:
        return title, startup.run(command, "predict", model / "model.hardlimit", stdin=MESSAGE)
    words = COMMANDS.get(name, ())
    if words and shutil.which(words[0]):
        question = b"| " + MESSAGE if name == "vowpal_wabbit" else MESSAGE
        filled = [word.format(model) for word in words]
        return f"{title}, its command", startup.run(*filled, stdin=question)
    code = SCRIPTS[name]
    return f"{title}, from Python", startup.run(sys.executable, "-c", code, model, stdin=MESSAGE)


def compare(corpus: str, titles: dict[str, str], times: Times) -> Iterator[Figure]:
    """Yield the ratio of every contestant to ours."""
    for name, title in titles.items():
        if name != OURS:
            yield Figure(
                f"{corpus}: {title}",
                times.ratio(name, OURS),
                ours=format_seconds(times.median(OURS)),
                theirs=format_seconds(times.median(name)),
                remark=f"its time divided by ours; python alone {pure(times)}",
            )


def pure(times: Times) -> str:
    """Return the time of a Python that does nothing."""
    return format_seconds(times.median("python"))


def learn(name: str, corpus: str, folder: str) -> None:
    """Learn in this process, save, and print what `run_module` expects."""
    contestant = contestants()[name]
    contestant.load()
    train, _ = load(corpus).split()
    contestant.save(contestant.fit(train, Stages()), Path(folder))
    print("{}")


if __name__ == "__main__":
    with exit_where_missing():
        learn(*sys.argv[1:])
