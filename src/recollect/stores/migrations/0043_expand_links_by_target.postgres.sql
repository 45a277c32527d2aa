-- Links are found by what they point to. The planner counts rows here, and takes `note_link_target` as it is: there is
-- nothing to do.
SELECT 1;
