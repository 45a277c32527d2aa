-- Accounts belong to the store and to no space.
ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
CREATE POLICY no_space ON account USING (current_setting('recollect.space', true) = '*')
    WITH CHECK (current_setting('recollect.space', true) = '*');
