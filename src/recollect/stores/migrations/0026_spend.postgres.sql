-- The ledger is read and written by a transaction that is opened for no space, as tokens are; see 0010. One that deletes
-- its space takes the space's name out of it and leaves the numbers, which are nobody's then.
ALTER TABLE spend ENABLE ROW LEVEL SECURITY;
ALTER TABLE spend FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON spend USING (current_setting('recollect.space', true) IN ('*', space) OR space = '')
WITH CHECK (current_setting('recollect.space', true) = '*' OR space = '');
ALTER TABLE spend_turn ENABLE ROW LEVEL SECURITY;
ALTER TABLE spend_turn FORCE ROW LEVEL SECURITY;
CREATE POLICY no_space ON spend_turn USING (current_setting('recollect.space', true) = '*')
WITH CHECK (current_setting('recollect.space', true) = '*');
