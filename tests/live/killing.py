"""Ledgers whose process was killed, and changes of their files."""

import os
import shutil
import sqlite3

from hardlimit.live.file_ledger import SUFFIX

from .messages import TEXTS


def correct(live, n, first=0):
    """Make n corrections, and return the model's weights after each."""
    digests = []
    for number in range(first, first + n):
        text = f"{TEXTS[number % 8]} prize{number}"
        live.correct(text, ["ham", "spam", "news"][number % 3], by=f"a{number}", new_class=True)
        digests.append(live.digest())
    return digests


def kill(ledger, to):
    """Copy a ledger that is in use, as a killed process would leave it."""
    for suffix in ("", SUFFIX):
        if os.path.exists(ledger + suffix):
            shutil.copy(ledger + suffix, str(to) + suffix)
    return str(to)


def in_database(ledger):
    with sqlite3.connect(ledger) as connection:
        (n,) = connection.execute("select count(*) from entries").fetchone()
    connection.close()
    return n


def change(path, at, to):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(to)
