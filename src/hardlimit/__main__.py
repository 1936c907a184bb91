"""``python -m hardlimit`` is ``hardlimit``."""

import sys

from hardlimit.cli import main

if __name__ == "__main__":
    sys.exit(main())
