"""Meaning-preserving variants of typed questions: a Question in, Variants out."""
