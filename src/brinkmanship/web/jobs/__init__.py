"""Work outside the event loop: a pool of processes, remote workers, background jobs with stored results."""
