// Owns the settings that only functions of the database read.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const minimumAge = defineSetting({
  key: 'prune.minimum_age',
  form: z.strictObject({ gate_days: z.int().min(1).max(36_500), snapshot_days: z.int().min(1).max(36_500) }),
  default: { gate_days: 90, snapshot_days: 7 },
  about:
    'how many days old a gate decision or a snapshot must be before `gcos gate prune` and `gcos snapshot prune` may delete it',
  changedBy: 'dba',
});
