"""Write a page on MODEL and labelled rows it has not seen."""
