// Owns what this module adds to the product: its tables and the functions that decide and record.
import { defineModule } from '../../db/index.js';
import { gateErrors } from './errors.js';
import aroundSql from './schema/around.sql.js';
import checkSql from './schema/check.sql.js';
import codesSql from './schema/codes.sql.js';
import evaluateSql from './schema/evaluate.sql.js';
import gateDownSql from './schema/gate.down.sql.js';
import groundSql from './schema/ground.sql.js';
import oneByOneSql from './schema/one-by-one.sql.js';
import releaseSql from './schema/release.sql.js';
import tablesSql from './schema/tables.sql.js';

export const gateModule = defineModule({
  name: 'gate',
  errors: [gateErrors],
  migration: {
    id: 19,
    name: 'gate',
    up: [tablesSql, codesSql, groundSql, aroundSql, releaseSql, oneByOneSql, evaluateSql, checkSql].join(
      '\n',
    ),
    down: gateDownSql,
  },
});
