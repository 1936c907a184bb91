"""List rules, orders, schedules, read-outs and guards, or explain one RULE."""
