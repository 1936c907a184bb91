"""Files as rows: pieces of files, how files are cut, and the loop that reads them."""
