"""How vectors and matrices lie in the memory of a device."""
