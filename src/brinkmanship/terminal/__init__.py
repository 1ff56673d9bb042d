"""The terminal interface: line by line or full screen."""
