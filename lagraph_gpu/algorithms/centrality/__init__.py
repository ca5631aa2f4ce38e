"""How important a vertex is."""
