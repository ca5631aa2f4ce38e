"""What vertices and edges are called, and what is known of them beside the matrix."""
