"""Products of two matrices."""
