"""Entry point of the command ``brink`` and of ``python -m brinkmanship``.

It needs no extra itself: if one is missing, it says which.
"""

from __future__ import annotations

import sys

from brinkmanship import __version__
from brinkmanship.extras import advice


def main() -> None:
    """Run the command line; exit with code 2 if it needs an extra that is not installed."""
    if sys.argv[1:] == ["--version"]:  # asked by scripts and installers: answer before anything else is imported
        print(f"brinkmanship {__version__}")
        return
    try:
        from brinkmanship.cli import main as run

        run()
    except ModuleNotFoundError as error:
        if (missing := advice(error)) is None:
            raise
        print(f"brink: {missing}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
