// Owns the settings that only functions of the database read.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const highRiskWrite = defineSetting({
  key: 'verdict.high_risk_write',
  form: z.strictObject({ hours: z.int().min(0).max(8_760), at_most: z.int().min(0).max(1_000_000) }),
  default: { hours: 24, at_most: 1000 },
  about:
    'for how many hours after a question to the gate in production, to write or execute, an object that can change much (write_high) has a row of its own beside its container, and how many such objects at most: the last ones',
});
