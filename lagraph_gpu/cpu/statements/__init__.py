"""Updates as python-graphblas statements, and the stores of matrices."""
