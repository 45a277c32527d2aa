-- What was told before there was a model is not sent to one: nobody was asked, and some of it was only to be kept.
UPDATE session SET read_to = coalesce((
    SELECT max(observation.position) FROM observation
    WHERE observation.space = session.space AND observation.session_id = session.id
), 0);
