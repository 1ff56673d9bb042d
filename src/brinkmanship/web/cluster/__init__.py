"""Several server processes on one database: pub/sub notifications, leases of tables, a shared clock."""
