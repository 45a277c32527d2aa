-- Brains and their conversations belong to the space the transaction was opened for, as everything else does; see 0003.
ALTER TABLE brain ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON brain USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
ALTER TABLE brain_conversation ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain_conversation FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON brain_conversation USING (space = current_setting('recollect.space', true))
WITH CHECK (space = current_setting('recollect.space', true));
