"""
An online stream with new classes
=================================

Tickets arrive one by one. The model first predicts the class of each ticket and then learns from
it, so every prediction is about a text that the model has not seen. New classes appear during the
stream; they need not be declared.
"""

import random
import time

import hardlimit as hl

draw = random.Random(0)
topics = {
    "billing": "invoice refund charge payment card receipt".split(),
    "login": "password locked reset email token expired".split(),
    "shipping": "parcel late courier address tracking customs".split(),
    "praise": "thanks great love helpful friendly quick".split(),
}
common = "please hello the my is help order today account since".split()


def ticket(topic):
    """Return a text: three words of its topic, five common ones."""
    return " ".join(draw.sample(topics[topic], 3) + draw.sample(common, 5))


# %%
# Two topics at first; a third comes after 300 tickets, a fourth after 600.

names = list(topics)
stream = [draw.choice(names[: 2 + number // 300]) for number in range(900)]

# %%
# ``readout="last"`` predicts with the current weights: a correction takes effect at once.

model = hl.TextClassifier(words=(1, 1), chars=None, readout="last")
model.partial_fit([ticket("billing"), ticket("login")], ["billing", "login"])
wrong, took = 0, 0.0
for number, topic in enumerate(stream, start=1):
    text = ticket(topic)
    began, known = time.perf_counter(), set(model.classes_)
    answer = model.predict([text])[0]
    model.partial_fit([text], [topic])
    took += time.perf_counter() - began
    if topic not in known:
        print(f"{number:4}: first '{topic}'; classes now: {', '.join(model.classes_)}")
    wrong += answer != topic
    if number % 150 == 0:
        print(f"{number:4}: {wrong:2} wrong of the last 150, {1e6 * took / 150:.0f} us a ticket")
        wrong, took = 0, 0.0
