"""Which vertices belong together."""
