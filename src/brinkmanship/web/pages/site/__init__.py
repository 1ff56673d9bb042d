"""Choices that hold on every page, and files at fixed addresses."""
