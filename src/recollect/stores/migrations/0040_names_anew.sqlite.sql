-- Which notes name which entities is written down anew: a possessive is part of a name now, a lesson names nobody by its
-- fingerprint, and types that notes give are found by them. The rows are made again from the notes after the last step.
DELETE FROM note_entity;
