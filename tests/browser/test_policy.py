"""The page lives under a strict Content-Security-Policy, which really holds."""

from .acting import choose


def test_the_policy_is_strict_and_nothing_breaks_it(page, service):
    service.classify("win a prize")
    choose(page, "win a prize")
    answer = page.request.get(service.url)
    policy = answer.headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"):
        assert part in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy


def test_the_policy_stops_what_would_be_slipped_in(tabs, service):
    page = tabs.open(service.url)
    page.evaluate(
        "(() => { const one = document.createElement('script');"
        " one.textContent = 'window.harmed = 1'; document.body.append(one); })()"
    )
    assert page.evaluate("window.harmed === undefined")
    # The browser said so; this once it is no trouble.
    assert any("Content Security Policy" in one for one in tabs.troubles)
    tabs.troubles.clear()


def test_a_request_elsewhere_would_be_seen(tabs, service):
    page = tabs.open(service.url)
    page.evaluate("fetch('http://127.0.0.2:9/').catch(() => 0)")
    assert tabs.troubles
    tabs.troubles.clear()
