"""The commands ``brink server ...``: for those who run a server."""
