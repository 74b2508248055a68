"""Which of a variant's changes make an item flip: the fewest are found by asking the model again."""
