"""Words chosen so that they collide, by somebody who has read the source: nothing gets slow.

The attacker knows every public constant: where a key's home lies in tables that are not keyed, and
which strings have one hash. He does not know the secret of the process.
"""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import _native
from hardlimit.text import TextVectorizer

GOLDEN = 0x9E3779B97F4A7C15  # of `spread` in native/text/slots.hpp
P0, P1, P2 = 0x243F6A8885A308D3, 0x13198A2E03707345, 0xA4093822299F31D1
MASK = 2**64 - 1


def fold(a, b):
    return (a * b & MASK) ^ (a * b >> 64)


def folded(keys, factor):
    """The same for arrays, in halves of 32 bits."""
    u = np.uint64
    a, b, c, d = keys >> u(32), keys & u(2**32 - 1), u(factor >> 32), u(factor & (2**32 - 1))
    middle = ((b * d) >> u(32)) + ((a * d) & u(2**32 - 1)) + ((b * c) & u(2**32 - 1))
    return keys * u(factor) ^ (a * c + ((a * d) >> u(32)) + ((b * c) >> u(32)) + (middle >> u(32)))


def share_a_home(hashes, share, kind):
    """Those whose homes are the first ``1 / share`` of a stored table, or of one that grows.

    A home is told by the first bits of the hash in a stored table, and by the last 14 in one of
    2**14 slots, which 5,200 to 10,200 keys have.
    """
    if kind == "stored":
        return hashes < np.uint64(2**64 // share)
    return hashes % np.uint64(2**14) < np.uint64(2**14 // share)


def words_of_one_home(n, share=1 << 9, kind="stored"):
    """``n`` words of six letters, all of whose homes lie in the first of ``share`` parts."""
    letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789_", np.uint8).astype(np.uint64)
    shifts = np.arange(6, dtype=np.uint64) * np.uint64(8)
    rng, found, words = np.random.default_rng(0), np.zeros(0, np.uint64), []
    while len(found) < n:
        keys = (letters[rng.integers(0, 37, (1 << 20, 6))] << shifts).sum(axis=1, dtype=np.uint64)
        keys |= np.uint64(6 << 56)
        chosen = keys[share_a_home(folded(keys, GOLDEN), share, kind)]
        found = np.unique(np.concatenate([found, chosen]))
    words = [int(key).to_bytes(8, "little")[:6].decode() for key in found[:n]]
    hashes = np.array([fold(int(key), GOLDEN) for key in found[:20]], np.uint64)
    assert share_a_home(hashes, share, kind).all()
    return words


def strings_of_one_hash(n):
    """``n`` strings of sixteen bytes with the same public hash (bytes of all kinds, not words)."""
    # h(first eight) must be what the last eight turn into the same end: choose the ends freely.
    rng = np.random.default_rng(1)
    seed = (P2 + 16 * P0) & MASK
    target, strings = 0x0123456789ABCDEF, []
    while len(strings) < n:
        first = int(rng.integers(0, 2**63))
        inner = fold(seed ^ first, P1)
        last = inner ^ target  # fold(inner ^ last, P1) is the same for all
        strings.append(first.to_bytes(8, "little") + last.to_bytes(8, "little"))
    return strings


@pytest.fixture(scope="module", params=["stored", "growing"])
def chosen(request):
    return words_of_one_home(6000, kind=request.param)


def test_the_words_do_share_a_home():
    """In a table of 6000 keys, eighteen neighbouring slots are home to all."""
    key = [int.from_bytes(word.encode(), "little") | 6 << 56 for word in words_of_one_home(6000)]
    homes = {fold(k, GOLDEN) * (6000 * 3 // 2 + 4) >> 64 for k in key}
    assert homes <= set(range(18))


def test_learning_chosen_words_searches_no_further_than_learning_others(chosen):
    vectorizer = TextVectorizer(words=(1, 2)).fit([" ".join(chosen)])
    assert vectorizer.n_columns_ == 2 * len(chosen) - 1
    assert vectorizer._features.longest_search() < 256
    state = TextVectorizer.from_frozen(vectorizer.header(), vectorizer.state_tables())
    assert state._features.longest_search() < 256
    assert state.terms(range(5)) == chosen[:5]


def test_names_of_chosen_buckets_are_found_as_fast():
    """The bucket of a word is public, and so is the key of its name."""
    buckets = np.arange(1, 1 << 20, dtype=np.uint64)
    chosen = buckets[share_a_home(folded(buckets + np.uint64(1), GOLDEN), 128, "growing")]
    vectorizer = TextVectorizer(words=(1, 1), hash_bits=20)
    vectorizer.fit(["word"])
    arrays = {
        "columns": chosen.astype(np.int32),
        "names_ends32": np.arange(1, len(chosen) + 1, dtype=np.uint32) * 4,
        "names_bytes": np.frombuffer(b"name" * len(chosen), np.uint8),
        "frequency16": np.ones(len(chosen), np.uint16),
        "idf": np.ones(len(chosen)),
    }
    restored = TextVectorizer.from_frozen(vectorizer.header(), arrays)
    assert len(chosen) > 4000
    assert restored._features.longest_search() < 256
    assert restored.terms(chosen[:3].tolist()) == ["name"] * 3


def slow_search(tables, name, key, text):
    """The specification's search; returns the slot and the number of slots looked at."""
    number = ["words", "runs", "chars", "pairs2"].index(name)
    slots = tables[name].reshape(-1, 2)
    homes, probes = int(tables["homes"][number]), int(tables["probes"][number])
    ends, data = tables.get(f"{name}_ends32"), tables.get(f"{name}_bytes")

    def order(i):
        found = int(slots[i, 0])
        if found >> 63 and ends is not None:
            at = int(slots[i, 1]) & 0xFFFFFFFF
            start = int(ends[at - 1]) if at else 0
            return found, data[start : int(ends[at])].tobytes()
        return found, b""

    wanted = key, text if key >> 63 and ends is not None else b""
    at, looked = fold(key, GOLDEN) * homes >> 64, 0
    for _ in range(probes):
        looked += 1
        if order(at) == wanted or not slots[at, 0]:
            return at if slots[at, 0] else None, looked
        at = (at + 1) % homes
    low, high = homes, len(slots)
    while low < high:
        looked += 1
        middle = (low + high) // 2
        low, high = (middle + 1, high) if order(middle) < wanted else (low, middle)
    return low if low < len(slots) and order(low) == wanted else None, looked


def scorer(vectorizer, tables, weights):
    checked = {name: _native.CheckedBuffer(name, t.tobytes()) for name, t in tables.items()}
    buffer = _native.CheckedBuffer("weights", weights.astype(np.float32).tobytes())
    return _native.TextScorer(vectorizer.header(), checked, buffer, [0.0])


def test_chosen_words_are_stored_and_found():
    chosen = words_of_one_home(6000)
    """Those that find no home stand sorted behind: 64 steps and a bisection, whatever the words."""
    vectorizer = TextVectorizer(words=(1, 1)).fit([" ".join(chosen[:5000]), "other words"])
    tables = vectorizer.frozen_tables()
    assert len(tables["words"]) // 2 - int(tables["homes"][0]) > 4500  # behind the homes
    assert int(tables["probes"][0]) == 64
    frozen = scorer(vectorizer, tables, np.arange(1, 5003))
    assert frozen.known([" ".join(chosen[:5000]), " ".join(chosen[5000:]), "other"]) == [5000, 0, 1]
    for word in [chosen[0], chosen[70], chosen[4999], "other", chosen[5500], "absent"]:
        key = int.from_bytes(word.encode(), "little") | len(word) << 56
        slot, looked = slow_search(tables, "words", key, b"")
        assert looked <= 64 + 14
        found = frozen.contributions(word)
        assert (slot is None) == (found == [])
        if found:
            assert frozen.term(found[0][2]) == word
            assert int(tables["words"].reshape(-1, 2)[slot, 1]) >> 32 == found[0][0]


def vocabulary_of(strings):
    """What no tokenizer gives comes in by the state: bytes of any kind."""
    vectorizer = TextVectorizer(words=(1, 1)).fit(["word"])
    n = len(strings)
    arrays = vectorizer.state_tables() | {
        "words_columns": np.arange(n, dtype=np.int32),
        "words_ends32": np.cumsum([len(string) for string in strings], dtype=np.uint32),
        "words_bytes": np.frombuffer(b"".join(strings), np.uint8),
        "frequency16": np.ones(n, np.uint16),
        "idf": np.ones(n),
    }
    return TextVectorizer.from_frozen(vectorizer.header(), arrays)


def test_strings_of_one_hash_are_stored_and_found():
    """Keys that are equal are told apart by their bytes, behind the homes too."""
    strings = strings_of_one_hash(300)
    restored = vocabulary_of(strings)
    assert restored._features.longest_search() < 64
    tables = restored.frozen_tables()
    slots = tables["words"].reshape(-1, 2)
    assert len({int(key) for key in slots[:, 0] if key}) == 1
    assert len(slots) - int(tables["homes"][0]) == 300 - 64
    key = next(int(key) for key in slots[:, 0] if key)
    places = [slow_search(tables, "words", key, string) for string in strings]
    assert len({slot for slot, _ in places}) == 300
    assert max(looked for _, looked in places) <= 64 + 9


LONG = ["internationalisation", "telephone", "electroencephalography"]


def test_words_are_found_and_learnt_after_others_of_one_hash():
    """At the second string of one hash the table takes keys of the secret; all stays where it was.

    The look-ups of a text, of a restored state and of new words go on as if nothing had been.
    """
    words = [word.encode() for word in LONG]
    chosen = vocabulary_of([*words[:2], *strings_of_one_hash(40), words[2]])
    plain = vocabulary_of(words)
    at = [0, 1, 42]
    for texts in ([" ".join(LONG)], ["short telephone calls", LONG[2]]):
        rows, same = chosen.rows(texts), plain.rows(texts)
        assert rows.indices.tolist() == [at[column] for column in same.indices]
    assert chosen.terms(at) == LONG
    chosen.partial_fit(["telephone photographers photographers"])
    assert chosen.n_columns_ == 44 and chosen.terms([43]) == ["photographers"]
    assert chosen.rows(["photographers"]).indices.tolist() == [43]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_finds_its_words_and_learns_more():
    """It keeps the secret: its tables were laid out under it."""
    vectorizer = vocabulary_of([word.encode() for word in LONG] + strings_of_one_hash(40))
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            found = vectorizer.rows([" ".join(LONG)]).indices.tolist()
            vectorizer.partial_fit([" ".join(LONG), "photographers"])
            answer = found, vectorizer.n_columns_, vectorizer.terms([43])
            os.write(tell, repr(answer).encode())
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told) as pipe:
        assert pipe.read() == repr(([0, 1, 2], 44, ["photographers"]))
    assert os.waitpid(child, 0)[1] == 0
    assert vectorizer.n_columns_ == 43


def run(program, folder, **env):
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=os.environ | env, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_no_byte_of_a_model_depends_on_the_secret(chosen, tmp_path):
    """Two processes have two secrets, and make the same file and the same predictions."""
    (tmp_path / "words.txt").write_text(" ".join(chosen[:3000]) + " naïveté internationalisation")
    program = (
        "import sys, hardlimit as hl\n"
        "texts = [open('words.txt', encoding='utf-8').read(), 'win a prize', 'lunch at noon']\n"
        "clf = hl.TextClassifier(random_state=0).fit(texts, ['spam', 'spam', 'ham'])\n"
        "clf.save(sys.argv[0] + 'm')\n"
        "sys.stdout.write(open('-cm', 'rb').read().hex())\n"
        "print(hl.load('-cm').decision_function(texts).tobytes().hex())\n"
    )
    first = run(program, tmp_path, PYTHONHASHSEED="1")
    assert len(first) > 100_000 and first == run(program, tmp_path, PYTHONHASHSEED="2")


def test_the_keyed_hash_is_siphash(tmp_path):
    """Python hashes bytes by the same function; with hash seed 0 its key is 0."""
    if sys.hash_info.algorithm != "siphash13":
        pytest.skip("this Python hashes otherwise")
    strings = [bytes(range(7, 7 + size)) for size in (1, 7, 8, 9, 15, 16, 17, 63)]
    told = run(f"print([hash(s) & (2**64 - 1) for s in {strings!r}])", tmp_path, PYTHONHASHSEED="0")
    assert told.decode().strip() == str([_native.siphash13(0, 0, s) for s in strings])


def test_a_model_that_met_chosen_words_can_be_saved_and_goes_on(chosen, tmp_path):
    texts = [" ".join(chosen[:2000]), "win a prize", "lunch at noon", "a prize to win"]
    clf = hl.TextClassifier().fit(texts, ["ham", "spam", "ham", "spam"])
    clf.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    assert loaded.predict(texts).tolist() == clf.predict(texts).tolist()
    assert np.array_equal(loaded.decision_function(texts), clf.decision_function(texts))
    loaded.partial_fit([" ".join(chosen[2000:2500])], ["ham"])
    loaded.save(tmp_path / "m")


@pytest.mark.slow
def test_twelve_times_the_words_take_less_than_fifty_times_the_work():
    """Quadratic would be 144 times; processor time, so that others may use the machine."""

    def work(words):
        start = time.process_time()
        vectorizer = TextVectorizer(words=(1, 1)).fit([" ".join(words)])
        tables = vectorizer.frozen_tables()
        scorer(vectorizer, tables, np.ones(len(words))).known([" ".join(words)] * 3)
        return time.process_time() - start

    for kind in ("stored", "growing"):
        words = words_of_one_home(60_000, 1 << 6, kind)
        work(words[:5000])
        assert work(words) < 50 * min(work(words[:5000]) for _ in range(5))
