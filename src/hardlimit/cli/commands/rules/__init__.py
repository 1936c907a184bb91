"""List what there is to choose from, or tell all of one RULE."""
