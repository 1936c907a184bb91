"""The container of a model file, byte by byte: opened and verified, or refused."""

import json

from fuzz.harness import TESTS, refusals_pass, scratch

SEEDS = [
    b"\0" + path.read_bytes()
    for path in [
        *sorted((TESTS / "hostile" / "model_files").iterdir()),
        TESTS / "golden" / "format-1.hardlimit",
        TESTS / "golden" / "numbers-2.hardlimit",
    ]
] + [b"\1" + (TESTS / "golden" / "format-1.hardlimit").read_bytes()]


def signed(data: bytes) -> bytes:
    """Give the document of the file the digest that it has, where it still is a document."""
    from hardlimit import _native

    try:
        length = int.from_bytes(data[:8], "little")
        table = json.loads(data[8 : 8 + length])
        document = json.loads(table["__metadata__"]["hardlimit"])
        document.pop("digest", None)
        for name, entry in document["tensors"].items():
            begin, end = table[name]["data_offsets"]
            blocks = _native.block_digests(data[8 + length + begin : 8 + length + end])
            entry["digests"] = "".join(f"{digest:016x}" for digest in blocks)
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        document["digest"] = f"{_native.digest(text.encode()):016x}"
        table["__metadata__"]["hardlimit"] = json.dumps(
            document, sort_keys=True, separators=(",", ":")
        )
        header = json.dumps(table, separators=(",", ":")).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return data
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[8 + length :]


def run(data: bytes) -> None:
    """Open the file as it is or, by the first byte, with right digests."""
    from hardlimit import model_file

    if not data:
        return
    contents = signed(data[1:]) if data[0] & 1 else data[1:]
    with refusals_pass():
        model_file.open(scratch(contents, "model")).verify()
