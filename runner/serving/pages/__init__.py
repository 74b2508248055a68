"""The pages: each module has its handlers and its routes."""

from starlette.routing import BaseRoute

from . import analyser, changes, compare, duels, items, planner, review, run, runs, trends

ROUTES: list[BaseRoute] = [
    *analyser.ROUTES,
    *planner.ROUTES,
    *runs.ROUTES,
    *run.ROUTES,
    *items.ROUTES,
    *compare.ROUTES,
    *changes.ROUTES,
    *trends.ROUTES,
    *duels.ROUTES,
    *review.ROUTES,
]
