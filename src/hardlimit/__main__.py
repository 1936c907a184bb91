"""``python -m hardlimit`` is ``hardlimit``."""

import sys

if __name__ == "__main__":
    try:
        from hardlimit.cli import main
    except KeyboardInterrupt:  # while the package is being imported
        sys.exit(130)
    sys.exit(main())
