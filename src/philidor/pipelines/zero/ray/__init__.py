"""A zero run on a Ray cluster: the same parts as on one machine, and couriers between them."""
