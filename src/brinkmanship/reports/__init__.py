"""Standalone HTML reports: single files to view, print and send, which load no other files."""
