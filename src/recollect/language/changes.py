"""How surely one name took the place of another, by who says so."""

from __future__ import annotations

TAKEN_OVER, OWN_ACT = 0.6, 0.55
