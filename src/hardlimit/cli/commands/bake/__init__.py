"""Write MODEL and its corrections as one new model file."""
