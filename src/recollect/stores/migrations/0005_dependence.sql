-- What a note rests on, and why a person should look at it again. Both databases read this file.
ALTER TABLE note ADD COLUMN depends_on TEXT NOT NULL DEFAULT '[]';
ALTER TABLE note ADD COLUMN review TEXT;
