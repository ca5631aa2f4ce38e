"""Pure choices, such as push or pull, and the record of what was chosen."""
