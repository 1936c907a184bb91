"""Search for the parameters that answer best on rows that were not learnt from."""
