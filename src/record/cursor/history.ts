// Owns the setting that says how long history is kept. Only functions of the database read it.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

const days = z.int().min(1).max(36_500).nullable();

export const historyKeep = defineSetting({
  key: 'history.keep',
  form: z.strictObject({
    runs_days: days,
    retries_days: days,
    held_days: days,
    deliveries_days: days,
    decisions_days: days,
    feed_days: days,
  }),
  default: {
    runs_days: 90,
    retries_days: 30,
    held_days: 7,
    deliveries_days: 180,
    decisions_days: 400,
    feed_days: 1,
  },
  about:
    'for how many days the worker keeps ended scans of the backlog, completed retries, held signals that only say that something ran, notifications that were read or escalated, sealed gate decisions, and the feed (null: for ever)',
  changedBy: 'dba',
});
