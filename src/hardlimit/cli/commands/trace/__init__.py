"""Show every step of learning, as on the blackboard."""
