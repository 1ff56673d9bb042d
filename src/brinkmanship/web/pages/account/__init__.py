"""The page of an account, its notifications and its export."""
