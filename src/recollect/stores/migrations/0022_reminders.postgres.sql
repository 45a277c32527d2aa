-- What was told belongs to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE reminded ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminded FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON reminded USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
