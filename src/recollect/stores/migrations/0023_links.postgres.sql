-- They belong to the space the transaction was opened for, as everything else does; see 0003.
DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['judgement', 'statement_link'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_space ON %I USING (space = current_setting(''recollect.space'', true)) '
            'WITH CHECK (space = current_setting(''recollect.space'', true))', owned);
    END LOOP;
END
$$;
