-- Questions ask for an attribute: which notes have it now is found without reading the others.
CREATE INDEX note_attribute ON note (space, attribute, id) WHERE attribute IS NOT NULL AND replaced_at IS NULL;
