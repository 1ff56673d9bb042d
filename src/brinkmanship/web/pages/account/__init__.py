"""Pages of the account, its notifications and its export."""
