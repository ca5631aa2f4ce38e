"""Operations that yield a matrix, other than products."""
