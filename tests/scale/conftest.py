"""Tests of pgvector are there where it can run; `make test` says loudly where it cannot."""

from __future__ import annotations

import os

from tests.support import pgvector

collect_ignore = []
if os.environ.get("RECOLLECT_TEST_POSTGRES") or pgvector.problem():
    collect_ignore.append("test_server_vectors.py")
