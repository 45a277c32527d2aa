-- What happened in a space on each day, in numbers: one row for each figure, never what it was about. Both databases read
-- this file. `total` and `longest` are microseconds of answers.
CREATE TABLE activity_day (
    space TEXT NOT NULL,
    day TEXT NOT NULL,
    figure TEXT NOT NULL,
    many BIGINT NOT NULL,
    total BIGINT NOT NULL,
    longest BIGINT NOT NULL,
    PRIMARY KEY (space, day, figure)
);
