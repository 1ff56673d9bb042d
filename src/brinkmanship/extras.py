"""Extras: which one installs a package that is missing."""

from __future__ import annotations

EXTRA_OF = {
    **dict.fromkeys(("filelock", "jinja2", "markupsafe", "rich", "textual", "typer"), "play"),
    **dict.fromkeys(
        (
            *("alembic", "argon2", "cryptography", "httptools", "httpx", "markdown_it", "multipart"),
            *("networkx", "PIL", "prometheus_client", "resvg_py", "sqlalchemy", "starlette", "uvicorn"),
            *("uvloop", "webauthn"),
        ),
        "server",
    ),
    "authlib": "oidc",
    "psycopg": "postgresql",
    "opentelemetry": "traces",
    "ray": "lab",
    "pyarrow": "data",
    **dict.fromkeys(("gymnasium", "pettingzoo"), "research"),
    "pyspiel": "openspiel",
}
"""The extra of each module that an extra installs; of several extras the smallest."""


def named(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return an error that also says which extra brings the missing module, if one does."""
    return ModuleNotFoundError(advice(error) or str(error), name=error.name)


def advice(error: ModuleNotFoundError) -> str | None:
    """Return how to install what is missing, or None if no extra brings it."""
    module = (error.name or "").partition(".")[0]
    extra = EXTRA_OF.get(module)
    if extra is None:
        return None
    return f"{module} is not installed; it comes with the extra '{extra}': pip install 'brinkmanship[{extra}]'"
