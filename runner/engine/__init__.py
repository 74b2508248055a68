"""The loop over pending cells."""
