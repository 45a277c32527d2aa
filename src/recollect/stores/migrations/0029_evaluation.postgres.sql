-- Questions and runs belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE evaluation_question ENABLE ROW LEVEL SECURITY;
ALTER TABLE evaluation_question FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON evaluation_question USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
ALTER TABLE evaluation_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE evaluation_run FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON evaluation_run USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
