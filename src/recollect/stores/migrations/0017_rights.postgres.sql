-- A right used to stand for those before it as well. For this one statement the rule that even the owner sees no token
-- is lifted.
ALTER TABLE access_token NO FORCE ROW LEVEL SECURITY;

UPDATE access_token SET scope = CASE scope WHEN 'write' THEN 'read write' WHEN 'admin' THEN 'read write admin' ELSE scope END;

ALTER TABLE access_token FORCE ROW LEVEL SECURITY;

-- Sign-ins are seen and changed only by a transaction that is opened for no space, as tokens are; see 0010.
DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['sign_in_link', 'sign_in'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY no_space ON %I USING (current_setting(''recollect.space'', true) = ''*'') '
            'WITH CHECK (current_setting(''recollect.space'', true) = ''*'')', owned);
    END LOOP;
END
$$;
