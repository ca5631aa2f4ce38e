"""Updates as python-graphblas statements, and how matrices are kept for them."""
