"""Numbers in, estimates out: paired statistics for pass/fail outcomes."""
