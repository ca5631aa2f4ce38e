"""Communities: groups of vertices with many edges inside the group."""
