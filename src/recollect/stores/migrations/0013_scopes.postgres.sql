-- Messages that are here already were told in the scope of their session. The tables belong to whoever migrates; for
-- this one statement the rule that even the owner sees one space only is lifted.
ALTER TABLE observation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE session NO FORCE ROW LEVEL SECURITY;

UPDATE observation SET (scope_user, scope_agent, scope_project, scope_machine) = (
    SELECT session.scope_user, session.scope_agent, session.scope_project, session.scope_machine
    FROM session WHERE session.space = observation.space AND session.id = observation.session_id
)
WHERE EXISTS (
    SELECT 1 FROM session WHERE session.space = observation.space AND session.id = observation.session_id
    AND coalesce(session.scope_user, session.scope_agent, session.scope_project, session.scope_machine) IS NOT NULL
);

ALTER TABLE observation FORCE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;

-- A filter has its own nearest: which messages are within it is read from an index alone.
CREATE INDEX observation_user ON observation (space, scope_user, id) WHERE scope_user IS NOT NULL;
CREATE INDEX observation_agent ON observation (space, scope_agent, id) WHERE scope_agent IS NOT NULL;
CREATE INDEX observation_project ON observation (space, scope_project, id) WHERE scope_project IS NOT NULL;
CREATE INDEX observation_machine ON observation (space, scope_machine, id) WHERE scope_machine IS NOT NULL;
