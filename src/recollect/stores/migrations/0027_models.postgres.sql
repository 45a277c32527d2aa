-- What was told before there was a model is not sent to one: nobody was asked, and some of it was only to be kept.
-- For this one statement the rule that even the owner sees the rows of one space only is lifted.
ALTER TABLE observation NO FORCE ROW LEVEL SECURITY;
ALTER TABLE session NO FORCE ROW LEVEL SECURITY;

UPDATE session SET read_to = coalesce((
    SELECT max(observation.position) FROM observation
    WHERE observation.space = session.space AND observation.session_id = session.id
), 0);

ALTER TABLE observation FORCE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
