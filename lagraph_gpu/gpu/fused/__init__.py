"""Operations that are computed by one kernel each."""
