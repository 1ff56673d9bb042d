"""The commands ``brink server ...`` for server operators."""
