"""Functions that several algorithms share. Nothing in this package is public."""
