"""Results made elsewhere."""
