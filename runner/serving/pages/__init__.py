"""The pages: each module has its handlers and its routes."""

from starlette.routing import BaseRoute

from . import analyser, compare, items, planner, run, runs

ROUTES: list[BaseRoute] = [*analyser.ROUTES, *planner.ROUTES, *runs.ROUTES, *run.ROUTES, *items.ROUTES, *compare.ROUTES]
