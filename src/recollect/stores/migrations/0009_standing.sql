-- How what a person said stands to the truth. Of what was kept before this column came, it is not known.

ALTER TABLE observation ADD COLUMN standing TEXT;
