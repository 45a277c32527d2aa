-- Every transaction may read which model serves: it is nobody's secret. It is changed by one that is opened for no space; see 0010.
ALTER TABLE embedding_choice ENABLE ROW LEVEL SECURITY;
ALTER TABLE embedding_choice FORCE ROW LEVEL SECURITY;
CREATE POLICY seen ON embedding_choice FOR SELECT USING (true);
CREATE POLICY no_space ON embedding_choice USING (current_setting('recollect.space', true) = '*')
WITH CHECK (current_setting('recollect.space', true) = '*');
