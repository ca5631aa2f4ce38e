"""Orders in which a graph is walked: breadth first, depth first, topological, random."""
