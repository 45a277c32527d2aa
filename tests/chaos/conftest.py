"""What the chaos tests found out in figures, shown after the run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

Figures: TypeAlias = Callable[[str], None]


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Figures:
    """Keep a line of figures, seeds among them: for the end of the run, and for the report if the test fails."""

    def keep(line: str) -> None:
        record_property("figures", line)
        sys.stdout.write(f"{line}\n")

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = [
        f"{report.nodeid.rpartition('::')[2]}: {value}"
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        for name, value in getattr(report, "user_properties", ())
        if name == "figures"
    ]
    if lines:
        terminalreporter.section("chaos in figures")
        for line in lines:
            terminalreporter.line(line)
