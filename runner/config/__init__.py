"""The config: its schema, reading it from YAML, and saying what is wrong with it."""
