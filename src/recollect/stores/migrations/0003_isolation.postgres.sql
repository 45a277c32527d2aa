-- Rows belong to the space the transaction was opened for. No space set: no rows.
DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['note', 'note_text', 'note_link', 'tombstone', 'change_log', 'audit', 'idempotency'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_space ON %I USING (space = current_setting(''recollect.space'', true)) '
            'WITH CHECK (space = current_setting(''recollect.space'', true))', owned);
    END LOOP;
END
$$;

-- The list of spaces can be read by a transaction that is opened for no space, and by no other.
ALTER TABLE space ENABLE ROW LEVEL SECURITY;
ALTER TABLE space FORCE ROW LEVEL SECURITY;
CREATE POLICY own_space ON space USING (name = current_setting('recollect.space', true))
WITH CHECK (name = current_setting('recollect.space', true));
CREATE POLICY list_of_spaces ON space FOR SELECT USING (current_setting('recollect.space', true) = '*');
