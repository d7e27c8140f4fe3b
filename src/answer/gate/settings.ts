// Owns the settings of the gate, which functions of the database read from the rules in force.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

const mode = z.enum(['enforce', 'observe']);
const limit = z.number().positive();

export const gateMode = defineSetting({
  key: 'gate.mode',
  form: z.strictObject({ design: mode, impl: mode, route: mode, prod: mode }),
  default: { design: 'enforce', impl: 'enforce', route: 'enforce', prod: 'enforce' },
  about:
    'the effect of a block per stage: enforce (exit 2) or observe (report and record it, exit 0). Part of the ruleset: it applies once that is active',
});

export const maxUnwatched = defineSetting({
  key: 'gate.max_unwatched',
  form: z.strictObject({ high_minutes: limit, low_minutes: limit }),
  default: { high_minutes: 10, low_minutes: 1440 },
  about:
    'after how many minutes without a complete round of the intake the gate blocks high risk, and allows low risk only with a rescan. Part of the ruleset: it applies once that is active',
});

export const maxLedgerAge = defineSetting({
  key: 'gate.max_ledger_age',
  form: z.strictObject({ high_hours: limit, low_hours: limit }),
  default: { high_hours: 72, low_hours: 336 },
  about:
    'after how many hours without a closed ledger the gate blocks high risk, and allows low risk only with a rescan. Part of the ruleset: it applies once that is active',
});
