"""Dataset files to Items."""
