"""Numbers that verbs take by default and answers keep to; here, so that a verb can be declared without its answer."""

from __future__ import annotations

DEFAULT_BUDGET = 1500  # tokens: some twenty lines, little enough to stand in every prompt
SMALLEST_BUDGET = 120  # tokens: the fence, and one short line in it
REMINDER_BUDGET = 300  # tokens: three or four lines
KEPT_USE_DAYS = 90  # a quarter; a row for each note, day and actor is more than a figure for each day
