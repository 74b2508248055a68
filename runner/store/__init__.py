"""The results database."""

DEFAULT_STORE = "prt.db"
"""Where results go, in the working directory, unless a config or a command names another store."""
