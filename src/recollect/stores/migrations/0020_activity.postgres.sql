-- Figures belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE activity_day ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_day FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON activity_day USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
