"""Examples as they were read, whatever an example is: taken, joined and compared in one way.

============== ================ ==========================================
one text       `texts.py`       ``Texts``, a list of texts
several texts  `tuples.py`      ``TextTuples``, a list of tuples of texts
numbers        `dense.py`       ``Dense``, an array of two dimensions
numbers        `sparse.py`      ``Csr``, compressed sparse rows
a table's row  `tables/rows.py` ``TableRows``, columns under their names
============== ================ ==========================================

``_protocol.py`` says what all of them can do. ``shapes.py`` is the border: ``examples_of(X,
wanted)`` makes them of what a user hands in, and the same shapes make them of the rows of files.
Of these files only the methods of `dense.py` and `sparse.py` need numpy.
"""
