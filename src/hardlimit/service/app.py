"""The application: endpoints that FastAPI checks and documents, with the shell around them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from hardlimit.exceptions import HardlimitError
from hardlimit.foundation.package import VERSION
from hardlimit.live.model import LiveModel
from hardlimit.service import routes
from hardlimit.service.logs import Log
from hardlimit.service.openapi import complete
from hardlimit.service.problems import CONTENT_TYPE, Problem
from hardlimit.service.settings import Settings
from hardlimit.service.shell import Shell
from hardlimit.service.validation import not_json, problem_of_errors
from hardlimit.service.work import Work


def create_app(
    live: LiveModel,
    settings: Settings | None = None,
    log: Log | None = None,
    reopen: Callable[[], LiveModel] | None = None,
) -> Shell:
    """Return the ASGI application of a live model.

    ``reopen``: opens the model anew, where its file changed or somebody asks for it.

    Examples
    --------
    >>> import asyncio, hardlimit as hl, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "spam.hardlimit")
    >>> hl.TextClassifier().fit(["win a prize", "lunch at noon"], ["spam", "ham"]).save(path)
    >>> app = create_app(hl.open_live(path))  # for uvicorn, or any other ASGI server
    """
    settings = settings or Settings()
    inner, endpoints = _inner()
    return Shell(inner, endpoints, Work(live, settings, reopen), log or Log())


@functools.cache
def _inner() -> tuple[FastAPI, Sequence[routes.Endpoint]]:
    """Return the endpoints in FastAPI, and as they are; they know of no service by themselves."""
    endpoints = routes.discover()
    app = FastAPI(
        title="hardlimit", version=VERSION, openapi_url=None, docs_url=None,
        redoc_url=None,
    )  # fmt: skip
    for one in endpoints:
        app.add_api_route(
            one.path,
            one.work,
            methods=[one.method],
            status_code=one.status,
            summary=one.summary or None,
            include_in_schema=not one.hidden,
            response_model=None,
            responses={one.status: {"model": one.answer}} if one.answer else None,
            openapi_extra=_example(one),
        )
    app.state.document = complete(app, endpoints)
    for kind in (HardlimitError, Problem, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _refuse)
    return app, endpoints


def _example(one: routes.Endpoint) -> dict[str, Any] | None:
    if one.example is None:
        return None
    return {"requestBody": {"content": {"application/json": {"example": one.example}}}}


@functools.cache
def _fields(work: Callable[..., Any]) -> tuple[str, ...]:
    """Return the fields of the body that an endpoint takes."""
    body = get_type_hints(work).get("body")
    return tuple(body.model_fields) if body is not None else ()


async def _refuse(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError):
        problem = problem_of_errors(error.errors(), _fields(request.scope["route"].endpoint))
    elif isinstance(error, HTTPException):
        # FastAPI's own word for bytes that are no UTF-8, and for numbers or nesting too long.
        known = error.status_code == 400
        problem = not_json() if known else Problem(error.status_code, "bad-request")
    else:
        raise error
    headers = {name.decode(): value.decode() for name, value in problem.headers}
    kind = CONTENT_TYPE.decode()
    return Response(problem.body(), problem.status, headers=headers, media_type=kind)
