// Owns the setting of exceptions, which functions of the database read from the rules in force.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const exceptionLimits = defineSetting({
  key: 'exception.limits',
  form: z.strictObject({ longest_days: z.int().min(1).max(36_500) }),
  default: { longest_days: 180 },
  about:
    'the maximum duration of an exception in days, from the day it is requested: every exception has an end',
});
