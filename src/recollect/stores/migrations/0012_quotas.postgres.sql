-- Quotas belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE quota ENABLE ROW LEVEL SECURITY;
ALTER TABLE quota FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON quota USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
