"""The planner: how a product or a closure is carried out, and what it did."""
