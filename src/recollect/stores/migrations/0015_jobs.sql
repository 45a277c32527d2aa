-- Work that waits in the store until a runner takes it, and timers that queue it again and again. Both databases read
-- this file.

-- `due_at` is when a job may be taken: its own time while it waits, the end of its lease while it runs. `generation`
-- grows each time it is taken or cancelled; nobody with an older one can write in the job's name. A payload names what
-- is meant and never quotes memory.
CREATE TABLE job (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    unique_key TEXT,
    lane TEXT NOT NULL,
    priority INTEGER NOT NULL,
    stage TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    generation BIGINT NOT NULL,
    worker TEXT,
    claimed_at TEXT,
    phase TEXT,
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    failure TEXT,
    detail TEXT,
    created_at TEXT NOT NULL,
    settled_at TEXT,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    PRIMARY KEY (space, id)
);

-- The next job of a space, without a look at those that are settled.
CREATE INDEX job_open ON job (space, priority DESC, seq) WHERE settled_at IS NULL;
-- Whether an earlier job of the same lane is still open.
CREATE INDEX job_lane ON job (space, lane, seq) WHERE settled_at IS NULL;
-- Which spaces have something due, and how many run in each.
CREATE INDEX job_stage ON job (space, stage, due_at);
-- Which space was served longest ago.
CREATE INDEX job_claimed ON job (space, claimed_at);
-- Of a key one job waits for its first try. One that was begun does not count: it may have passed by what came since.
CREATE UNIQUE INDEX job_key ON job (space, unique_key) WHERE settled_at IS NULL AND attempts = 0;

CREATE TABLE job_timer (
    space TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    every_seconds BIGINT NOT NULL,
    next_at TEXT NOT NULL,
    channel TEXT NOT NULL,
    principal TEXT NOT NULL,
    PRIMARY KEY (space, name)
);
