"""Placeholder while the page is written."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()
