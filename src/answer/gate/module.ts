// Owns what this module adds to the product: its tables and the functions that decide and record.
import { defineModule } from '../../db/index.js';
import { gateErrors } from './errors.js';
import checkSql from './schema/check.sql.js';
import codesSql from './schema/codes.sql.js';
import evaluateSql from './schema/evaluate.sql.js';
import gateDownSql from './schema/gate.down.sql.js';
import pruneSql from './schema/prune.sql.js';
import rulesSql from './schema/rules.sql.js';
import subjectsSql from './schema/subjects.sql.js';
import tablesSql from './schema/tables.sql.js';
import unitsSql from './schema/units.sql.js';
import { gateMode, maxLedgerAge, maxUnwatched } from './settings.js';

export const gateModule = defineModule({
  name: 'gate',
  settings: [gateMode, maxUnwatched, maxLedgerAge],
  errors: [gateErrors],
  migration: {
    id: 19,
    name: 'gate',
    up: [tablesSql, codesSql, rulesSql, unitsSql, subjectsSql, evaluateSql, checkSql, pruneSql].join('\n'),
    down: gateDownSql,
  },
});
