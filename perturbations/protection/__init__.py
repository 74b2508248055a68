"""Text that must not change: found by position, and proved to be kept."""
