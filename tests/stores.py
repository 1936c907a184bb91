"""Stores for tests, by ``pytest_plugins = ["tests.stores"]``: memory, and a web server."""

import pytest


@pytest.fixture
def memory():
    """The store of fsspec that is a dictionary of this process, empty."""
    import fsspec

    from hardlimit.foundation import storage

    system = fsspec.filesystem("memory")
    system.store.clear()
    storage.forget()
    yield system
    system.store.clear()


@pytest.fixture
def web(monkeypatch):
    """A web server of this process; what fails is tried again at once."""
    pytest.importorskip("aiohttp")
    from tests.web_server import serving

    from hardlimit.foundation import storage
    from hardlimit.foundation.storage import retrying

    monkeypatch.setattr(retrying, "WAITS", (0.01,) * 4)
    storage.forget()
    with serving() as server:
        yield server
