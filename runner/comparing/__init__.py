"""Runs compared with one another: what changed, whether it is proven, what of, and whether the comparison is fair."""
