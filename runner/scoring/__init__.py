"""The robustness score: rows answered under perturbed prompts, judged, and put together in one number."""
