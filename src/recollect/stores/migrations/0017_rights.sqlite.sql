-- A right used to stand for those before it as well.
UPDATE access_token SET scope = CASE scope WHEN 'write' THEN 'read write' WHEN 'admin' THEN 'read write admin' ELSE scope END;
