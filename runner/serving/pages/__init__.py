"""The pages: each module has its handlers and its routes."""

from starlette.routing import BaseRoute

from . import analyser, planner

ROUTES: list[BaseRoute] = [*analyser.ROUTES, *planner.ROUTES]
