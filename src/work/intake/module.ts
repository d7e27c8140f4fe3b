// Owns what this module adds to the product: its errors, tables and settings.
import { defineModule } from '../../db/index.js';
import { intakeErrors } from './errors.js';
import intakeDownSql from './schema/intake.down.sql.js';
import intakeSql from './schema/intake.sql.js';

export const intakeModule = defineModule({
  name: 'handoff',
  errors: [intakeErrors],
  migration: {
    id: 15,
    name: 'handoff',
    up: intakeSql,
    down: intakeDownSql,
  },
});
