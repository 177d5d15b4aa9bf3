"""``python -m bristle`` is the command line."""

from __future__ import annotations

import signal
import sys

from . import _bristle


def main() -> int:
    """Does what ``sys.argv`` says and answers the exit code."""
    # Ctrl-C ends a run in good order, as it does without Python around it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _bristle.main(["bristle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
