"""Entry point: ``python -m brinkmanship`` runs the command ``brink``."""

from brinkmanship.cli import main

main()
