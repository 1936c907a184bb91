"""What a classifier is, without its front: choices, what goes together, training and answers."""
