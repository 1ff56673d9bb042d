"""Several server processes on one database: notifications, leases of tables, a common clock."""
