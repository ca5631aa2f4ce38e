"""The algorithms: one file each, nothing but their mathematics."""
