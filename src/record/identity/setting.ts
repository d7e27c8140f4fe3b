// Owns the settings that say how long a token and a sign-in last. The database reads them.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';
import { PERMISSIONS } from './credential.js';

export const tokenLifetime = defineSetting({
  key: 'token.lifetime',
  form: z.object({ default_days: z.int().min(1).max(3_650), longest_days: z.int().min(1).max(3_650) }),
  default: { default_days: 90, longest_days: 365 },
  about: 'After how many days an API token expires where its creator says nothing, and at most',
  changedBy: 'dba',
});

export const signInSession = defineSetting({
  key: 'sign_in.session',
  form: z.strictObject({ hours: z.int().min(1).max(24), permissions: z.array(z.enum(PERMISSIONS)).min(1) }),
  default: { hours: 12, permissions: ['read', 'gate', 'decide', 'operate'] },
  about:
    'How many hours a sign-in through the provider lasts, and what the person may do with it; without read there is no console',
  changedBy: 'dba',
});
