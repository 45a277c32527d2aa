-- Counts belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE note_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE note_use FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON note_use USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
