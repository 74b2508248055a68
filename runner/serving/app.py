"""The application: its routes, within its guard."""

from hashlib import sha256

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..errors import PrtError
from ..masking import masked
from .pages import ROUTES
from .rendering import page, static_files
from .security import Guard
from .settings import Settings

PHRASES = {404: "There is no such page", 405: "This page takes no such request"}


def create_app(settings: Settings) -> Starlette:
    """Make the application.

    Args:
        settings: What it shows, to whom, and what it may change.
    """
    app = Starlette(
        routes=[*ROUTES, Route("/static/{name}", static)],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: missing, PrtError: failed},
    )
    app.state.settings = settings
    return app


async def static(request: Request) -> Response:
    """A style sheet or a script of ours."""
    found = static_files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    body, media = found
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media, headers=headers)


async def missing(request: Request, error: Exception) -> Response:
    """Say that there is no such page, or that it takes no such request."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = error.detail if isinstance(error, HTTPException) and status == 404 and error.detail != "Not Found" else ""
    return page(
        request, "error.html.j2", title=PHRASES.get(status, "This request can't be answered"), status=status, said=said
    )


async def failed(request: Request, error: Exception) -> Response:
    """Say what the user can act on, in the sentence that the command line would print."""
    return page(request, "error.html.j2", title="This can't be shown", status=400, said=masked(str(error)))
