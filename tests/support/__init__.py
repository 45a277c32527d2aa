"""What the tests stand on: a clock that holds still, and a real PostgreSQL."""
