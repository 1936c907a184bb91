"""Who may ask: the host that was meant, the site it comes from, the key and its scope."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from hardlimit.foundation.names import check_name
from hardlimit.service.keys import ADMIN, KeyFile, allows
from hardlimit.service.problems import Problem
from hardlimit.service.request_context import RequestContext
from hardlimit.service.settings import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# What a proxy or a content network adds: behind one, everybody comes from this machine.
_PROXY = re.compile(
    rb"^(?:forwarded|x-forwarded|x-original-|x-envoy-|x-proxy|proxy-|cf-|fly-|x-azure-|x-appengine-"
    rb"|via$|cdn-loop$|x-host$"
    rb"|(?:.*-)?(?:client|connecting|real|remote|source|user)-?(?:ip|addr)$)",
    re.MULTILINE,
)
_CHALLENGE = ((b"www-authenticate", b'Bearer realm="hardlimit"'),)


class Access:
    """The rules of one service."""

    def __init__(self, settings: Settings) -> None:
        self.keys = KeyFile(settings.keys) if settings.keys else None
        for name in settings.hosts:
            check_name(name, "host_names", who="serve")
        names = {name.lower() for name in settings.hosts}
        # A page of another site may give its name the address 127.0.0.1 (DNS rebinding): without
        # keys the name is all that tells it from a page of ours.
        self._hosts = names | LOOPBACK | {settings.host} if names or not self.keys else None

    def check_site(self, headers: dict[bytes, bytes], safe: bool) -> None:
        """Refuse a request that was meant for another host, or sent by another site's page."""
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and _name(host) not in self._hosts:
            raise Problem(
                403,
                "forbidden",
                f"this service does not answer to the name {host[:80]!r}",
                where="header Host",
                fix="start it with --host-name NAME",
            )
        origin = headers.get(b"origin")
        if origin is not None and not safe and _place(origin.decode("latin-1")) != host:
            raise Problem(
                403,
                "foreign-origin",
                "a page of another site cannot change anything here",
                where="header Origin",
            )

    def identify(self, asked: RequestContext, headers: dict[bytes, bytes]) -> None:
        """Find out whose request it is; whoever shows no key is nobody."""
        if self.keys is None:
            if passed_on(headers):
                raise Problem(
                    403,
                    "forbidden",
                    "this service has no keys, so it answers programs on its own machine only and "
                    "no proxy",
                    fix="make a key: hardlimit key add MODEL NAME --scope correct",
                )
            asked.scope = ADMIN
            return
        asked.keyed = True
        shown = headers.get(b"authorization", b"").decode("latin-1")
        kind, _, token = shown.partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            return
        key = self.keys.find(token.strip())
        asked.unknown = key is None
        if key is not None:
            asked.key, asked.scope = key.name, key.scope

    def check_scope(self, asked: RequestContext, wanted: str) -> None:
        """Refuse who shows no key, or one that allows less."""
        if not wanted:
            return
        origin = (
            f"Whoever runs the service makes one: hardlimit key add MODEL NAME --scope {wanted}"
        )
        if not asked.scope:
            reason = (
                "this service does not know the key" if asked.unknown else "a key is needed here"
            )
            raise Problem(
                401,
                "key-wanted",
                f"{reason}. {origin}",
                headers=_CHALLENGE,
                where="header Authorization",
                fix="send the header Authorization: Bearer KEY",
            )
        if not allows(asked.scope, wanted):
            raise Problem(
                403,
                "forbidden",
                f"the key {asked.key!r} allows '{asked.scope}', and '{wanted}' is needed here. "
                f"{origin}",
                got=asked.scope,
                wanted=wanted,
                fix="use another key",
            )


def passed_on(names: Iterable[bytes]) -> bool:
    """Tell whether a proxy left a sign among the names of fields.

    >>> passed_on([b"host", b"accept"]), passed_on([b"host", b"true-client-ip"])
    (False, True)
    """
    return _PROXY.search(b"\n".join(names)) is not None


def _place(origin: str) -> str | None:
    """Return host and port of an origin; None of what is none.

    >>> _place("https://a.b:1"), _place("null"), _place("http://[")
    ('a.b:1', '', None)
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    """Return the name of a host without its port.

    >>> _name("LOCALHOST:8080"), _name("[::1]:8080"), _name("a.b")
    ('localhost', '::1', 'a.b')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
