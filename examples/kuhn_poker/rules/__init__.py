"""The rules of Kuhn poker."""
