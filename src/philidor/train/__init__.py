"""Records into networks: losses, schedules and loops of training."""
