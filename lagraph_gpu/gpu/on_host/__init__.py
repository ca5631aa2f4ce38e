"""Operations that the host carries out, because a GPU does not do them faster."""
