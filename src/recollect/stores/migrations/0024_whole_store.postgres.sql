-- Work for the whole store used to stand in the space `default`, where whoever writes there could cancel it. It gets a
-- place of its own, which no space can be named like, and to which the policies of 0015 apply as to any other. The order
-- among those that were moved is kept, before all others. For these statements the rule that even the owner sees the
-- rows of one space only is lifted.
ALTER TABLE job NO FORCE ROW LEVEL SECURITY;
ALTER TABLE job_timer NO FORCE ROW LEVEL SECURITY;

UPDATE job SET space = '@store', seq = seq - 1000000000000 WHERE space = 'default' AND kind IN ('backup', 'reindex');
UPDATE job_timer SET space = '@store' WHERE space = 'default' AND kind = 'backup';

ALTER TABLE job FORCE ROW LEVEL SECURITY;
ALTER TABLE job_timer FORCE ROW LEVEL SECURITY;
