"""Write a report on MODEL, measured on labelled rows it was not trained on."""
