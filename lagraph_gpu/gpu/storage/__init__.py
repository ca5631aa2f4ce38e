"""Storage of vectors and matrices in the memory of a device."""
