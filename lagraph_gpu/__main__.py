"""``python -m lagraph_gpu``, the command line."""

import sys

from lagraph_gpu.cli.command import main

if __name__ == "__main__":
    sys.exit(main())
