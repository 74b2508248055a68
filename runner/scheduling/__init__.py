"""Nights that begin by themselves: files for the schedulers there are, and what cron calls to begin a night once."""
