"""Write a report on MODEL and labelled rows that are new to it."""
