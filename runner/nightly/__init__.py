"""Nights: the same run every night, decided so that all nights together raise a false alarm in at most alpha."""
