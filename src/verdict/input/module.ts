// Owns the parts of this module: its tables, its initial contents, and the SQL functions with which people
// decide about input.
import { defineModule } from '../../db/index.js';
import { inputErrors } from './errors.js';
import { inputLimits, inputPolicy } from './policy.js';
import actsSql from './schema/acts.sql.js';
import inputDownSql from './schema/input.down.sql.js';
import seedSql from './schema/seed.sql.js';
import tablesSql from './schema/tables.sql.js';

export const inputModule = defineModule({
  name: 'input',
  settings: [inputPolicy, inputLimits],
  errors: [inputErrors],
  migration: {
    id: 14,
    name: 'input',
    up: `${tablesSql}\n${seedSql}\n${actsSql}`,
    down: inputDownSql,
  },
  seeds: ['select {{trust}}.gcos_seed_input();'],
  seeded: ['{{schema}}.governance_input_contract', '{{schema}}.governance_input_trust'],
});
