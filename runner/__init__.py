"""Everything that touches a file, a model, a database or a screen."""
