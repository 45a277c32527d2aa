-- Work for the whole store used to stand in the space `default`, where whoever writes there could cancel it. It gets a
-- place of its own, which no space can be named like. The order among those that were moved is kept, before all others.
UPDATE job SET space = '@store', seq = seq - 1000000000000 WHERE space = 'default' AND kind IN ('backup', 'reindex');
UPDATE job_timer SET space = '@store' WHERE space = 'default' AND kind = 'backup';
