"""Element-wise statements on vectors, reductions, and their fusion."""
