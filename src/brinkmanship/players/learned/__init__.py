"""Players whose policy is a small network, trained by ``brink lab train``."""
