"""A mixed table: the class depends on a number, a category and a word."""

import random


def make_rows(n=120, seed=0):
    """Return dicts of id, age, city, plan, notes and churned."""
    draw = random.Random(seed)
    rows = []
    for number in range(n):
        age, city = round(draw.gauss(40, 10), 1), draw.choice(["Ghent", "Bruges", "Rome"])
        words = draw.choices("late paid angry happy call back again soon never".split(), k=6)
        signs = (age > 42) + (city == "Rome") + ("angry" in words)
        rows.append(
            {
                "id": f"c{number}",
                "age": age,
                "city": city,
                "plan": draw.choice("ab"),
                "notes": " ".join(words),
                "churned": "yes" if signs >= 2 else "no",
            }
        )
    return rows


ROWS = make_rows()
LABELS = [row["churned"] for row in ROWS]
FEATURES = [{k: v for k, v in row.items() if k not in ("churned", "id")} for row in ROWS]
