"""Finished runs of other evaluation tools, read from the logs that they write."""
