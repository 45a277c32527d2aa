-- Pictures are packed already; to try it again takes time and saves nothing.
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;

-- Files belong to the space the transaction was opened for, as everything else does; see 0003.
DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['attachment', 'attachment_reference'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_space ON %I USING (space = current_setting(''recollect.space'', true)) '
            'WITH CHECK (space = current_setting(''recollect.space'', true))', owned);
    END LOOP;
END
$$;
