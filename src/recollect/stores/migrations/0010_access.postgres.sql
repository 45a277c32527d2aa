-- Tokens are seen and changed only by a transaction that is opened for no space; one opened for a space, which is what
-- every verb about memories has, finds none. See 0003.
ALTER TABLE access_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_token FORCE ROW LEVEL SECURITY;
CREATE POLICY no_space ON access_token USING (current_setting('recollect.space', true) = '*')
WITH CHECK (current_setting('recollect.space', true) = '*');
