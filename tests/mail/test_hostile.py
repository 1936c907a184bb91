"""Hostile mail: no message costs more than linear time, and none fails."""

import random
import threading
import time

import pytest

from benchmarks.hostile_mail import HEAD, HOSTILE
from hardlimit.mail import MailReader


def seconds(message):
    found = []
    for _ in range(3):
        began = time.process_time()
        MailReader().read(message)
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_no_faster_than_the_message(name):
    small, large = HOSTILE[name](1 << 16), HOSTILE[name](1 << 20)
    # 16 times the bytes; a quadratic step would cost 256 times. A millisecond is the clock's.
    assert seconds(large) < 60 * seconds(small) + 0.02


@pytest.mark.parametrize("n", [4093, 4094, 4095, 4096])
@pytest.mark.parametrize("letter", ["é", "あ", "🎉"])
def test_a_long_attribute_is_cut_between_characters(n, letter):
    html = f'<img src=x alt="{"a" * n}{letter * 9}">'.encode()
    text = MailReader(parts=["body"]).read(HEAD + b"Content-Type: text/html\n\n" + html)
    assert text.strip("a").strip(letter) == ""
    assert len(text) >= n - 3


@pytest.mark.parametrize("max_text", [998, 999, 1000])
def test_a_text_is_cut_between_characters(max_text):
    # Half a character at the end once made all of them those of windows-1252.
    reader = MailReader(parts=["body"], max_text=max_text)
    text = reader.read(HEAD + b"\n" + "あ".encode() * 1000)
    assert set(text) == {"あ"} and len(text) == max_text // 3


def test_a_long_subject_is_cut_between_characters():
    for n in range(3):
        text = MailReader().field(b"Subject: " + b"x" * n + "あ".encode() * 9000 + b"\n", "Subject")
        assert set(text.removeprefix("x" * n)) == {"あ"}


def test_the_deepest_nesting_fits_the_stack_of_a_thread():
    found = []
    message = b"From: a@b\nContent-Type: message/rfc822\n\n" * 50_000
    reader = MailReader(max_depth=100, max_parts=1 << 30)
    usual = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=lambda: found.append(reader.read(message)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(usual)
    assert len(found) == 1 and reader.tally_["too_deep"] == 1


def test_a_long_message_is_cut():
    reader = MailReader()
    reader.read(HEAD + b"\n" + b"x" * (50 << 20))
    assert reader.tally_["cut_message"] == reader.tally_["long_text"] == 1


@pytest.mark.parametrize("seed", range(20))
def test_noise_never_fails(seed):
    noise = random.Random(seed)
    pieces = [make(200) for make in HOSTILE.values()]
    reader = MailReader(parts=list(__import__("hardlimit").mail.parts.PARTS), headers="*")
    for _ in range(50):
        data = bytearray(noise.choice(pieces) + noise.choice(pieces))
        for _ in range(noise.randrange(8)):
            at = noise.randrange(len(data))
            data[at : at + noise.randrange(4)] = noise.randbytes(noise.randrange(4))
        reader.read(bytes(data)).encode()
    assert reader.tally_.messages == 50
