"""Gates: whether a run shows what its config asks of it, decided on intervals."""
