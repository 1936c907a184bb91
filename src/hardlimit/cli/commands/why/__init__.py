"""Show the terms and the corrections that made an answer."""
