-- An index for every filter of a list: the notes that pass are walked newest first, and no others. Each but the first
-- two has entries for those notes only that a filter can be after, so that saving an ordinary one costs two more.
CREATE INDEX note_kind ON note (space, kind, id) WHERE replaced_at IS NULL;

-- For lists of what was known then. The times in the index are compared before a row is read, so that everything newer
-- is passed over without reading it.
CREATE INDEX note_known ON note (space, id, updated_at, replaced_at);

CREATE INDEX note_state ON note (space, state, id) WHERE replaced_at IS NULL AND state <> 'active';
CREATE INDEX note_pinned ON note (space, id) WHERE replaced_at IS NULL AND pinned = 1;
CREATE INDEX note_about ON note (space, subject, id) WHERE replaced_at IS NULL AND subject IS NOT NULL;
CREATE INDEX note_user ON note (space, scope_user, id) WHERE replaced_at IS NULL AND scope_user IS NOT NULL;
CREATE INDEX note_agent ON note (space, scope_agent, id) WHERE replaced_at IS NULL AND scope_agent IS NOT NULL;
CREATE INDEX note_session ON note (space, scope_session, id) WHERE replaced_at IS NULL AND scope_session IS NOT NULL;
CREATE INDEX note_machine ON note (space, scope_machine, id) WHERE replaced_at IS NULL AND scope_machine IS NOT NULL;
