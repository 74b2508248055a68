"""Paraphrases by a language model: asked for, validated and frozen before anything is scored."""
