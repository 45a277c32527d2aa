-- Whose and where something was said: a message is found within its scope, as a note is. The session it belongs to
-- stands in session_id. Both databases read this file.
ALTER TABLE observation ADD COLUMN scope_user TEXT;
ALTER TABLE observation ADD COLUMN scope_agent TEXT;
ALTER TABLE observation ADD COLUMN scope_project TEXT;
ALTER TABLE observation ADD COLUMN scope_machine TEXT;
