"""List the corrections of MODEL: when, who, what they did."""
