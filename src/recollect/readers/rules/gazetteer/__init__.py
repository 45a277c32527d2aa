"""Names that tell by themselves what they are: a Renault is a car, DuckDB a database. Data only, in every language."""
