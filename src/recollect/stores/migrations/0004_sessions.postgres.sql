-- The words of observations, and the index derived from them; see 0002 for the reasons.
CREATE TABLE observation_text (
    space TEXT NOT NULL,
    observation_id TEXT NOT NULL,
    title TEXT,
    speaker TEXT,
    text TEXT NOT NULL,
    words TSVECTOR GENERATED ALWAYS AS (
        array_to_tsvector(ARRAY[':' || space])
        || to_tsvector(
            'words'::regconfig, bare(coalesce(title, '') || ' ' || coalesce(speaker, '') || ' ' || left(text, 250000))
        )
    ) STORED,
    PRIMARY KEY (space, observation_id)
);

CREATE INDEX observation_words ON observation_text USING gin (words);

DO $$
DECLARE
    owned TEXT;
BEGIN
    FOREACH owned IN ARRAY ARRAY['session', 'observation', 'observation_text', 'verdict', 'ingested_file'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', owned);
        EXECUTE format(
            'CREATE POLICY own_space ON %I USING (space = current_setting(''recollect.space'', true)) '
            'WITH CHECK (space = current_setting(''recollect.space'', true))', owned);
    END LOOP;
END
$$;
