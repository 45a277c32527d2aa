-- Keys belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE provider_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_key FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON provider_key USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
