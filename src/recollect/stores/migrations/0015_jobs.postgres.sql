-- Jobs and timers belong to the space the transaction was opened for, as everything else does; see 0003. A runner takes
-- jobs of all spaces in turn, so a transaction that is opened for no space sees them, too; it can take and count them,
-- and writes no memory.
DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['job', 'job_timer'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_space ON %I USING (space = current_setting(''recollect.space'', true)) '
            'WITH CHECK (space = current_setting(''recollect.space'', true))', owned);
        EXECUTE format(
            'CREATE POLICY taken_in_turn ON %I FOR SELECT USING (current_setting(''recollect.space'', true) = ''*'')',
            owned);
    END LOOP;
END
$$;
