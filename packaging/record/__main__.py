"""Records networks for images anew: `python packaging/record [NAME...]`; `--help` says more."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from record.command import main

    sys.exit(main())
