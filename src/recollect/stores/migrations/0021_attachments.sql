-- Files that came with messages. Both databases read this file.

-- The files of an observation, each without its bytes: digest, name, type, size, what is seen, what was said.
ALTER TABLE observation ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]';

-- The bytes of each file, once in a space. The size stands before them, so that sizes are added up without reading them.
CREATE TABLE attachment (
    space TEXT NOT NULL,
    digest TEXT NOT NULL,
    size BIGINT NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (space, digest)
);

-- Which observations name which file. `held` says that whoever wrote the observation had the bytes: to know a digest is
-- not enough to read a file. The bytes go with the last row that holds them.
CREATE TABLE attachment_reference (
    space TEXT NOT NULL,
    digest TEXT NOT NULL,
    observation_id TEXT NOT NULL,
    held INTEGER NOT NULL,
    PRIMARY KEY (space, digest, observation_id)
);

CREATE INDEX attachment_of_observation ON attachment_reference (space, observation_id);

-- How many bytes the files of a space may have together; the usual number, if not set.
ALTER TABLE quota ADD COLUMN attachment_bytes BIGINT;
