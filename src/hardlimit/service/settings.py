"""What a service is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Where a service listens, and how much it takes.

    Attributes
    ----------
    host, port : to bind to; port 0 takes a free one
    keys : the file of keys; "" for none, which needs a host of this machine alone
    hosts : names that the header ``Host`` may have beside those of this machine; () for any
        where there are keys
    max_body : bytes of a request's body
    max_requests : requests that are worked on at once, at most half of them of one key; one more is
        refused with 503
    max_connections : open connections; for one more the one that waits longest is closed
    rate : requests a second of one key; None for any
    header_seconds, body_seconds : for a client to send them; the second also to take some of an
        answer
    idle_seconds : for which a connection without a request stays open
    grace_seconds : for the requests under way when the service is to stop
    watch_seconds : between two looks at the files
    log_share : of the requests that succeed, the share that the log has; 0 for those alone that
        were refused or failed, None for no request at all
    log_texts : whether the log has the texts of requests too
    """

    host: str = "127.0.0.1"
    port: int = 8080
    keys: str = ""
    hosts: tuple[str, ...] = ()
    max_body: int = 4 << 20
    max_requests: int = 64
    max_connections: int = 1000
    rate: float | None = None
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 75.0
    grace_seconds: float = 10.0
    watch_seconds: float = 1.0
    log_share: float | None = 1.0
    log_texts: bool = False
