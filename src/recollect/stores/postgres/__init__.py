"""PostgreSQL through psycopg: one server, many machines."""
