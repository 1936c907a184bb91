"""List rules and all other choices, or explain one RULE."""
