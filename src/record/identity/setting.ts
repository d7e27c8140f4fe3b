// Owns the setting that limits how long a token lasts. The database reads it when a token is created.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const tokenLifetime = defineSetting({
  key: 'token.lifetime',
  form: z.object({ default_days: z.int().min(1).max(3_650), longest_days: z.int().min(1).max(3_650) }),
  default: { default_days: 90, longest_days: 365 },
  about: 'After how many days an API token expires where its creator says nothing, and at most',
  changedBy: 'dba',
});
