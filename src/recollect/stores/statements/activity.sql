-- name: count_activity
-- Add to a figure of a day, in a space that is there.
INSERT INTO activity_day (space, day, figure, many, total, longest)
SELECT name, CAST(:day AS TEXT), CAST(:figure AS TEXT), CAST(:many AS BIGINT), CAST(:total AS BIGINT),
CAST(:longest AS BIGINT)
FROM space WHERE name = :space AND deleted_at IS NULL
ON CONFLICT (space, day, figure) DO UPDATE
SET many = activity_day.many + excluded.many, total = activity_day.total + excluded.total,
    longest = CASE WHEN excluded.longest > activity_day.longest THEN excluded.longest ELSE activity_day.longest END

-- name: activity_since
-- The figures of a space from a day on.
SELECT day, figure, many, total, longest FROM activity_day WHERE space = :space AND day >= :day

-- name: drop_old_activity
-- Drop the figures of days that are too long ago.
DELETE FROM activity_day WHERE space = :space AND day < :day

-- name: erase_space_activity
-- Erase all figures of a space.
DELETE FROM activity_day WHERE space = :space
