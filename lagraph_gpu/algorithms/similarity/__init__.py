"""How alike two vertices are."""
