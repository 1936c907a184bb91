"""Corpora with the split into training and test texts that their makers gave them."""

from __future__ import annotations

from benchmarks.corpora import Corpus, Missing, data_folder, fold, in_common_order, members

# The archive, and what the paths of its test texts have in them.
ARCHIVES = {
    "imdb": ("imdb/aclImdb_labelled.tar.xz", "test/"),
    "20newsgroups": ("20newsgroups/20news-bydate.tar.xz", "-test/"),
}


def load(name: str, most: int | None = None) -> tuple[Corpus, Corpus]:
    """Return the training part and the test part, ``most`` texts of each at most.

    Raises ``Missing`` where the data set is not on this machine.
    """
    relative, tested = ARCHIVES[name]
    archive = data_folder() / relative
    if not archive.exists():
        raise Missing(f"{archive} is not there (HARDLIMIT_DATA names the folder of the data sets)")
    sides: tuple[Corpus, Corpus] = Corpus(name, [], []), Corpus(name, [], [])
    for path, text in in_common_order(list(members(archive))):
        side = sides[tested in path]
        side.texts.append(fold(text))
        side.labels.append(path.split("/")[-2])
    return sides[0].first(most), sides[1].first(most)
