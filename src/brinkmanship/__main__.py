"""``python -m brinkmanship`` is the command ``brink``."""

from brinkmanship.cli import main

main()
