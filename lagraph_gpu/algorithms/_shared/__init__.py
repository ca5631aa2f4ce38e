"""What several algorithms share. Nothing here is public."""
